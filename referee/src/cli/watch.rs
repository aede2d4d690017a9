//! `watch`: a full-screen view of an event, with the arbiter's orders at hand.
//!
//! | file | content |
//! |---|---|
//! | `source` | where the stream of events comes from: an event's folder, or a referee's page |
//! | `state` | what is known of the event, and what is shown of it |
//! | `control` | orders on their way to the referee |
//! | `actions`, `question` | the orders that have keys, and the questions before them |
//! | `prompt`, `completion` | the line on which orders are typed |
//! | `keys` | what each key does |
//! | `draw` | the screen, drawn from the state |

mod actions;
mod completion;
mod control;
mod draw;
mod keys;
mod prompt;
mod question;
#[cfg(test)]
mod sample;
mod source;
mod state;

use std::io::IsTerminal as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use jiff::Timestamp;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEvent, KeyEventKind};

use self::control::{Answer, Orders};
use self::draw::theme::Theme;
use self::keys::Reaction;
use self::source::{Feed, Target};
use self::state::State;
use crate::exit_status::ExitStatus;

/// How often running clocks are drawn, and at most how often a stream of moves is.
const FRAME: Duration = Duration::from_millis(100);

/// What the view reacts to.
enum Input {
    Key(KeyEvent),
    Resized,
    Feed(Feed),
    Answer(Answer),
    /// Ctrl-C from elsewhere, or a request to terminate.
    Interrupted,
    /// The keyboard is gone, and why.
    NoKeyboard(std::io::Error),
}

/// What the view does after an input.
enum Next {
    /// It waits for the next frame.
    Wait,
    /// It draws at once.
    Draw,
    Quit,
}

/// Shows the event of a folder or of a referee's page until the user quits.
pub fn watch(target: &str) -> anyhow::Result<ExitStatus> {
    let target = Target::read(target)?;
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        bail!(
            "`watch` needs a terminal for its standard input and output; without one, \
             `epode-referee standings DIR` prints the standings, and `control DIR games` the games of a \
             running referee"
        );
    }
    let (sender, receiver) = channel();
    let interrupted = sender.clone();
    ctrlc::set_handler(move || {
        // The view may have ended.
        let _ = interrupted.send(Input::Interrupted);
    })
    .context("cannot wait for Ctrl-C")?;
    let orders = target.folder().map(|folder| Orders::new(folder.to_owned()));
    let mut state = State::new(target.to_string(), orders.is_some(), Theme::of_terminal());
    let feeds = sender.clone();
    source::follow(target, move |feed| feeds.send(Input::Feed(feed)).is_ok());
    // It also restores the terminal after a panic.
    let mut terminal = ratatui::try_init().context("cannot use the terminal")?;
    read_keyboard(sender.clone());
    let mut view = View {
        state: &mut state,
        orders,
        sender,
    };
    let ended = view.run(&mut terminal, &receiver);
    let restored = ratatui::try_restore().context("cannot restore the terminal");
    ended.and(restored)?;
    Ok(ExitStatus::Finished)
}

/// Sends what is typed.
fn read_keyboard(sender: Sender<Input>) {
    thread::spawn(move || {
        loop {
            let input = match event::read() {
                // Some terminals also tell when a key is released.
                Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => Input::Key(key),
                Ok(Event::Resize(..)) => Input::Resized,
                Ok(_) => continue,
                Err(error) => Input::NoKeyboard(error),
            };
            let is_last = matches!(input, Input::NoKeyboard(_));
            if sender.send(input).is_err() || is_last {
                return;
            }
        }
    });
}

/// The view at work.
struct View<'a> {
    state: &'a mut State,
    orders: Option<Orders>,
    sender: Sender<Input>,
}

impl View<'_> {
    /// Draws and reacts until the user quits.
    fn run(
        &mut self,
        terminal: &mut DefaultTerminal,
        inputs: &Receiver<Input>,
    ) -> anyhow::Result<()> {
        loop {
            terminal
                .draw(|frame| {
                    self.state.size = frame.area().as_size();
                    draw::screen(frame, self.state, Timestamp::now());
                })
                .context("cannot draw on the terminal")?;
            let drawn = Instant::now();
            // A key is answered at once; what else comes waits for the next frame.
            loop {
                let wait = FRAME.saturating_sub(drawn.elapsed());
                let next = match inputs.recv_timeout(wait) {
                    Ok(input) => self.react(input)?,
                    Err(RecvTimeoutError::Timeout) => Next::Draw,
                    Err(RecvTimeoutError::Disconnected) => Next::Quit,
                };
                match next {
                    Next::Wait => {}
                    Next::Draw => break,
                    Next::Quit => return Ok(()),
                }
            }
        }
    }

    fn react(&mut self, input: Input) -> anyhow::Result<Next> {
        match input {
            Input::Key(key) => return Ok(self.press(key)),
            Input::Resized => {}
            Input::Feed(feed) => {
                self.state.take_in(feed);
                return Ok(Next::Wait);
            }
            Input::Answer(answer) => self.state.show_answer(answer),
            Input::Interrupted => return Ok(Next::Quit),
            Input::NoKeyboard(error) => return Err(error).context("cannot read the keyboard"),
        }
        Ok(Next::Draw)
    }

    fn press(&mut self, key: KeyEvent) -> Next {
        match keys::press(self.state, key) {
            Reaction::None => {}
            Reaction::Quit => return Next::Quit,
            Reaction::Give(line) => match &self.orders {
                Some(orders) => {
                    let sender = self.sender.clone();
                    orders.give(line, move |answer| {
                        // The view may have ended.
                        let _ = sender.send(Input::Answer(answer));
                    });
                }
                None => self.state.show_no_orders(),
            },
        }
        Next::Draw
    }
}
