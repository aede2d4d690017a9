//! What arrives becomes an input of the event, and its effects are carried out or held back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use anyhow::bail;
use jiff::Timestamp;
use tokio::sync::oneshot;

use super::{Server, say};
use crate::core::event::{Effect, GivenOrder, Input, LinkId, NoOrder};
use crate::core::text::shown;
use crate::io::message::{Answer, Incoming};

/// After this many internal errors the referee gives up: something is wrong with more than a game.
const MAX_PANICS: usize = 100;

impl Server {
    /// Handles something that arrived.
    pub(super) async fn receive(&mut self, incoming: Incoming) -> anyhow::Result<()> {
        let now = Instant::now();
        // The next stranger's turn comes when this input has been handled.
        let (incoming, _turn) = match incoming {
            Incoming::Stranger(incoming, turn) => (*incoming, Some(turn)),
            incoming => (incoming, None),
        };
        let input = match incoming {
            // Nothing is wrapped twice.
            Incoming::Stranger(..) => return Ok(()),
            Incoming::Opened(stream, peer, permit) => {
                Input::Opened(self.open(stream, peer, permit), peer)
            }
            Incoming::OpenedTls(handshake, peer, permit) => {
                Input::Opened(self.open_tls(handshake, peer, permit), peer)
            }
            Incoming::Unfit(link, why) => Input::Unfit(link, why),
            Incoming::Frame(link, frame, _) if self.replicator.is_observer(link) => {
                return self.heed_observer(&frame).await;
            }
            Incoming::Prepared(link, prepared) => {
                self.feed_observer(link, prepared);
                return self.feed_inputs().await;
            }
            Incoming::Superseded(term) => match self.meet(&term) {
                Some(input) => input,
                None => return Ok(()),
            },
            Incoming::Frame(link, frame, read) => Input::Received { link, frame, read },
            Incoming::Blank(link, lines) => Input::Blank(link, lines),
            Incoming::Closed(link) => Input::Closed(link),
            Incoming::Sent(link, id, written) => {
                return self.feed(Input::Sent(link, id), written).await;
            }
            Incoming::Transport(text) => {
                say(&text);
                return Ok(());
            }
            Incoming::Stderr(program, lines) => {
                self.log_stderr(program, &lines);
                return Ok(());
            }
            Incoming::Exited(program, status) => {
                self.children.exited(program);
                self.feed(Input::Exited(program, status), now).await?;
                if let Some(path) = self.storage.stderr_of(program) {
                    let (player, _) = self.event.program(program);
                    let name = shown(&self.event.ledger().names()[player]);
                    say(&format!(
                        "the standard error of {name} is in {}",
                        path.display()
                    ));
                }
                return Ok(());
            }
            Incoming::Order(line, asker) => match self.order(&line, asker) {
                Some(given) => Input::Order {
                    given,
                    at: format!("{:.3}", Timestamp::now()),
                },
                None => return Ok(()),
            },
            Incoming::Shutdown => Input::Stop,
        };
        self.feed(input, now).await
    }

    /// Reads an order; answers at once if it is none.
    pub(super) fn order(
        &mut self,
        line: &str,
        asker: oneshot::Sender<Answer>,
    ) -> Option<GivenOrder> {
        match read_order(line) {
            Ok(given) => {
                self.asker = Some(asker);
                Some(given)
            }
            Err(answer) => {
                // Whoever asked may have gone.
                let _ = asker.send(answer);
                None
            }
        }
    }

    /// Answers whoever gave the order that is being carried out.
    pub(super) fn answer(&mut self, text: String, is_refused: bool) {
        if let Some(asker) = self.asker.take() {
            // The arbiter may have disconnected.
            let _ = asker.send(Answer { text, is_refused });
        }
    }

    /// Hands an input to the event, carries out what comes of it, and so on.
    pub(super) async fn feed(&mut self, input: Input, now: Instant) -> anyhow::Result<()> {
        self.inputs.push_back((input, now));
        self.feed_inputs().await
    }

    pub(super) async fn feed_inputs(&mut self) -> anyhow::Result<()> {
        while let Some((input, now)) = self.inputs.pop_front() {
            let mut follows_entry = false;
            for effect in self.handle(input, now)? {
                follows_entry |= matches!(effect, Effect::Journal(_));
                self.dispatch(effect, follows_entry).await?;
            }
        }
        Ok(())
    }

    /// A panic in the handling of an input costs the game that it was about and the connection that it
    /// came from, and nothing else.
    fn handle(&mut self, input: Input, now: Instant) -> anyhow::Result<Vec<Effect>> {
        let link = match &input {
            Input::Received { link, .. } | Input::Opened(link, _) | Input::Blank(link, _) => {
                Some(*link)
            }
            _ => None,
        };
        match catch_unwind(AssertUnwindSafe(|| self.event.handle(input, now))) {
            Ok(effects) => Ok(effects),
            Err(_) => self.recover(link, now),
        }
    }

    fn recover(&mut self, link: Option<LinkId>, now: Instant) -> anyhow::Result<Vec<Effect>> {
        self.panics += 1;
        say("an internal error of the referee; please report it");
        let text = "an internal error: see the output of the referee";
        self.answer(text.to_owned(), true);
        let recovered = catch_unwind(AssertUnwindSafe(|| {
            let mut effects = self.event.handle(Input::Panicked, now);
            if let Some(link) = link {
                effects.extend(self.event.handle(Input::Closed(link), now));
            }
            effects
        }));
        match recovered {
            Ok(effects) if self.panics <= MAX_PANICS => Ok(effects),
            _ => bail!("too many internal errors; the event can be resumed"),
        }
    }
}

/// Reads an order, or answers what is none.
pub(super) fn read_order(line: &str) -> Result<GivenOrder, Answer> {
    let (text, is_refused) = match line.parse::<GivenOrder>() {
        Ok(given) => return Ok(given),
        Err(NoOrder::Empty) => (String::new(), false),
        Err(NoOrder::Help(text)) => (text, false),
        Err(error) => (error.to_string(), true),
    };
    Err(Answer { text, is_refused })
}
