//! What is known of the event, and what is shown of it.

use jiff::SignedDuration;
use jiff::tz::TimeZone;
use ratatui::layout::Size;
use referee::event::Report;
use referee::event::view::rounds::{Knockouts, Round};
use referee::event::view::{EventView, GameView};
use referee::schedule::Format;
use referee::schedule::knockout::Match;

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

/// What the tab of the schedule shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairings {
    /// All games.
    Games,
    /// The rounds of a Swiss event.
    Rounds,
    /// The bracket of a knockout event.
    Bracket,
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
    /// The round of a Swiss event that is shown; `None` for the latest one.
    pub round: Option<usize>,
    /// The selected match of the bracket: its round and its number in it, both from 0. `None`: that of the selected
    /// game.
    pub bracket_place: Option<(usize, usize)>,
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
            round: None,
            bracket_place: None,
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
                self.round = None;
                self.bracket_place = None;
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

    /// What the tab of the schedule shows.
    pub fn pairings(&self) -> Pairings {
        match self.view.growing_format() {
            Some(Format::Swiss(_)) => Pairings::Rounds,
            Some(Format::Knockout(_)) => Pairings::Bracket,
            _ => Pairings::Games,
        }
    }

    /// The round of a Swiss event that is shown, and the number of rounds that there are.
    pub fn shown_round(&self) -> Option<(Round, usize)> {
        let mut rounds = self.view.rounds();
        let count = rounds.len();
        let number = self.round.unwrap_or(count).clamp(1, count.max(1));
        (count > 0).then(|| (rounds.swap_remove(number - 1), count))
    }

    /// The matches of each round of the bracket, the one for the third place after the final.
    pub fn matches(knockout: &Knockouts) -> Vec<Vec<&Match>> {
        let rounds = knockout.bracket.rounds.iter();
        let mut rounds: Vec<Vec<_>> = rounds.map(|round| round.iter().collect()).collect();
        if let Some(last) = rounds.last_mut() {
            last.extend(&knockout.bracket.third_place);
        }
        rounds
    }

    /// The selected match of the bracket: its round and its number in it, both from 0.
    pub fn selected_match(&self, knockout: &Knockouts) -> (usize, usize) {
        let rounds = Self::matches(knockout);
        let selected = self.selected();
        let has_selected = |one: &&Match| {
            let games = self.view.games_of_match(one);
            games.iter().any(|game| Some(game.number) == selected)
        };
        let of_game = || {
            let mut rounds = rounds.iter().enumerate();
            rounds
                .find_map(|(round, matches)| Some((round, matches.iter().position(has_selected)?)))
        };
        let present = (knockout.present_round() - 1, 0);
        let (round, place) = self.bracket_place.or_else(of_game).unwrap_or(present);
        let round = round.min(rounds.len().saturating_sub(1));
        let last = rounds
            .get(round)
            .map_or(0, |matches| matches.len().saturating_sub(1));
        (round, place.min(last))
    }

    /// Whether a match of the bracket is selected of which no game has been paired.
    pub fn is_match_without_games(&self) -> bool {
        if self.tab != Tab::Schedule || self.pairings() != Pairings::Bracket {
            return false;
        }
        self.view.knockout().is_none_or(|knockout| {
            let (round, place) = self.selected_match(&knockout);
            let one = Self::matches(&knockout)[round][place];
            self.view.games_of_match(one).is_empty()
        })
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
