//! What is known of the event, and what is shown of it.

use jiff::SignedDuration;
use jiff::tz::TimeZone;
use ratatui::layout::Size;
use referee::event::Report;
use referee::event::view::{EventView, GameView};

use super::control::Answer;
use super::draw::theme::Theme;
use super::prompt::Prompt;
use super::question::Question;
use super::source::Feed;

/// The moves of so many finished games are kept; `games.pgn` has all.
const KEPT_GAMES: usize = 1000;

/// What the screen shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray)]
pub enum Tab {
    Games,
    Game,
    Standings,
    Schedule,
    Log,
}

/// What is in front of the tab.
#[derive(Debug)]
pub enum Overlay {
    None,
    Help,
    Prompt(Prompt),
    Question(Question),
    /// A long answer.
    Text(Answer),
}

/// A short text below the tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub text: String,
    pub is_fault: bool,
}

/// The state of the view.
#[derive(Debug)]
pub struct State {
    /// What is watched.
    pub target: String,
    /// Whether orders can be given.
    pub can_order: bool,
    pub theme: Theme,
    pub zone: TimeZone,
    /// By how much the clock of the referee's machine is ahead.
    pub ahead: SignedDuration,
    pub size: Size,
    pub view: EventView,
    /// Why nothing comes from the source, if so.
    pub waiting: Option<String>,
    pub tab: Tab,
    /// The tab from which the game was opened.
    pub opened_from: Tab,
    /// The selected game.
    pub selected: Option<usize>,
    /// The half-move up to which the selected game is shown; `None` for all.
    pub ply: Option<usize>,
    /// The selected line of the standings.
    pub place: usize,
    /// How many lines of the log are below the screen.
    pub log_scroll: usize,
    pub has_faults_only: bool,
    /// Whether games in progress are boards; `None`: where there is room.
    pub has_boards: Option<bool>,
    pub overlay: Overlay,
    /// How many lines of the overlay are above the screen.
    pub overlay_scroll: usize,
    pub note: Option<Note>,
    /// The lines that were typed, the oldest first.
    pub history: Vec<String>,
}

impl State {
    pub fn new(target: String, can_order: bool, theme: Theme) -> Self {
        Self {
            target,
            can_order,
            theme,
            zone: TimeZone::system(),
            ahead: SignedDuration::ZERO,
            size: Size::new(80, 24),
            view: EventView::default(),
            waiting: Some("reading".to_owned()),
            tab: Tab::Games,
            opened_from: Tab::Games,
            selected: None,
            ply: None,
            place: 0,
            log_scroll: 0,
            has_faults_only: false,
            has_boards: None,
            overlay: Overlay::None,
            overlay_scroll: 0,
            note: None,
            history: Vec::new(),
        }
    }

    /// Takes in what the source tells.
    pub fn take_in(&mut self, feed: Feed) {
        match feed {
            Feed::Restart => {
                self.view = EventView::default();
                self.selected = None;
                self.ply = None;
            }
            Feed::Events(events) => {
                for event in events {
                    self.view.apply(&event.report, &event.at);
                    if matches!(event.report, Report::Result { .. }) {
                        self.forget_old_games();
                    }
                }
            }
            Feed::Ahead(ahead) => self.ahead = ahead,
            Feed::Connected => self.waiting = None,
            Feed::Waiting(why) => self.waiting = Some(why),
            Feed::Unreadable(text) => self.show_note(format!("left out: {text}"), true),
        }
    }

    fn forget_old_games(&mut self) {
        let finished = self.view.finished();
        if let Some(old) = finished.len().checked_sub(KEPT_GAMES + 1) {
            let old = finished[old];
            self.view.take_finished(old);
        }
    }

    /// Whether the event goes on: otherwise no clock runs.
    pub const fn is_live(&self) -> bool {
        self.waiting.is_none() && self.view.ended.is_none()
    }

    pub fn show_note(&mut self, text: String, is_fault: bool) {
        self.note = Some(Note { text, is_fault });
    }

    /// Shows what came of an order: below the tab if it is one line, and else in front of it.
    pub fn show_answer(&mut self, answer: Answer) {
        if answer.text.trim_end().contains('\n') && !matches!(self.overlay, Overlay::Prompt(_)) {
            self.overlay = Overlay::Text(answer);
            self.overlay_scroll = 0;
        } else {
            let text = answer.text.lines().next().unwrap_or("done").to_owned();
            self.show_note(text, answer.is_refused);
        }
    }

    pub fn show_no_orders(&mut self) {
        let text =
            "a referee's page takes no orders: watch the event's folder on the referee's machine";
        self.show_note(text.to_owned(), true);
    }

    /// The games that the overview lists: those in progress, then finished ones, the last one first.
    pub fn listed(&self) -> Vec<usize> {
        let running = self.view.running().map(|game| game.game.game);
        let finished = self.view.finished().iter().rev().copied();
        let finished = finished.filter(|number| !self.is_running(*number));
        running.chain(finished).collect()
    }

    fn is_running(&self, number: usize) -> bool {
        let game = self.view.games.get(&number);
        game.is_some_and(|game| game.end.is_none())
    }

    /// The number of the selected game: without a selection, the first one that is listed.
    pub fn selected(&self) -> Option<usize> {
        self.selected.or_else(|| self.listed().first().copied())
    }

    /// The selected game, if it has begun and its moves are kept.
    pub fn selected_game(&self) -> Option<&GameView> {
        self.view.games.get(&self.selected()?)
    }

    /// Selects a game and shows all its moves.
    pub fn select(&mut self, game: usize) {
        self.selected = Some(game);
        self.ply = None;
    }

    /// Shows another tab.
    pub fn open(&mut self, tab: Tab) {
        if tab == Tab::Game && self.tab != Tab::Game {
            self.opened_from = self.tab;
            // The game that is open stays so, whatever the list begins with later.
            self.selected = self.selected();
        }
        self.tab = tab;
    }
}
