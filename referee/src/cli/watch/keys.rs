//! What each key does.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use referee::event::{GivenOrder, NoOrder};
use strum::VariantArray as _;

use super::actions::{self, Action};
use super::completion::Completion;
use super::draw;
use super::prompt::{Prompt, Typed};
use super::question::Question;
use super::state::{Overlay, Pairings, State, Tab};

mod pairings;

/// What the view has to do after a key.
#[derive(Debug, PartialEq, Eq)]
pub enum Reaction {
    None,
    Quit,
    /// Give the order of this line.
    Give(String),
}

/// The lines of a page.
const PAGE: isize = 10;

/// What is said where a match is selected that has none.
const NO_GAMES: &str = "no game of this match has been paired";

/// A step in a list: so many places on, or to one of its ends.
#[derive(Clone, Copy)]
enum Step {
    By(isize),
    First,
    Last,
}

impl Step {
    /// The place after the step, in a list of so many.
    fn from(self, place: usize, count: usize) -> usize {
        let last = count.saturating_sub(1);
        match self {
            Self::By(step) => place.saturating_add_signed(step).min(last),
            Self::First => 0,
            Self::Last => last,
        }
    }
}

/// Changes the state as a key says.
pub fn press(state: &mut State, key: KeyEvent) -> Reaction {
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    match &mut state.overlay {
        Overlay::Prompt(_) => return press_in_prompt(state, key),
        _ if is_control && key.code == KeyCode::Char('c') => return Reaction::Quit,
        Overlay::Question(question) => {
            let question = question.clone();
            return answer(state, &question, key.code);
        }
        Overlay::Help | Overlay::Text(_) => {
            scroll_overlay(state, key.code);
            return Reaction::None;
        }
        Overlay::None => {}
    }
    if is_control {
        return Reaction::None;
    }
    state.note = None;
    if go(state, key.code) {
        return Reaction::None;
    }
    match key.code {
        KeyCode::Char('q') => Reaction::Quit,
        KeyCode::Char('?') | KeyCode::F(1) => {
            state.overlay = Overlay::Help;
            state.overlay_scroll = 0;
            Reaction::None
        }
        KeyCode::Char(':') => open_prompt(state, String::new()),
        KeyCode::Char('u') => {
            state.theme.has_letters = !state.theme.has_letters;
            Reaction::None
        }
        KeyCode::Char(letter) => act(state, letter),
        _ => Reaction::None,
    }
}

/// Goes to another tab or place; returns whether the key is one for that.
fn go(state: &mut State, key: KeyCode) -> bool {
    let tabs = Tab::VARIANTS;
    let place = tabs.iter().position(|&tab| tab == state.tab).unwrap_or(0);
    match key {
        KeyCode::Tab => state.open(tabs[(place + 1) % tabs.len()]),
        KeyCode::BackTab => state.open(tabs[(place + tabs.len() - 1) % tabs.len()]),
        KeyCode::Char(digit @ '1'..='9') => {
            let number = digit as usize - '1' as usize;
            if let Some(&tab) = tabs.get(number) {
                state.open(tab);
            }
        }
        KeyCode::Enter if state.is_match_without_games() => {
            state.show_note(NO_GAMES.to_owned(), false);
        }
        KeyCode::Enter if matches!(state.tab, Tab::Games | Tab::Schedule) => state.open(Tab::Game),
        KeyCode::Esc | KeyCode::Backspace if state.tab == Tab::Game => {
            state.tab = state.opened_from;
        }
        KeyCode::Char('b') if state.tab == Tab::Games => {
            state.has_boards = Some(draw::tile_columns(state).is_none());
        }
        KeyCode::Char('f') if state.tab == Tab::Log => {
            state.has_faults_only = !state.has_faults_only;
            state.log_scroll = 0;
        }
        KeyCode::Left | KeyCode::Char('h') => sideways(state, -1),
        KeyCode::Right | KeyCode::Char('l') => sideways(state, 1),
        KeyCode::Home | KeyCode::Char('g') if state.tab == Tab::Game => state.ply = Some(0),
        KeyCode::End | KeyCode::Char('G') if state.tab == Tab::Game => state.ply = None,
        _ => match step(key) {
            Some(step) => select(state, step),
            None => return false,
        },
    }
    true
}

/// The step of a key that goes up or down a list.
const fn step(key: KeyCode) -> Option<Step> {
    let step = match key {
        KeyCode::Up | KeyCode::Char('k') => Step::By(-1),
        KeyCode::Down | KeyCode::Char('j') => Step::By(1),
        KeyCode::PageUp => Step::By(-PAGE),
        KeyCode::PageDown => Step::By(PAGE),
        KeyCode::Home | KeyCode::Char('g') => Step::First,
        KeyCode::End | KeyCode::Char('G') => Step::Last,
        _ => return None,
    };
    Some(step)
}

/// Steps through a game, or from board to board.
fn sideways(state: &mut State, by: isize) {
    match state.tab {
        Tab::Game => {
            let Some(game) = state.selected_game() else {
                return;
            };
            let plies = game.game.opening_moves.len() + game.game.moves.len();
            let ply = state.ply.unwrap_or(plies).saturating_add_signed(by);
            state.ply = (ply < plies).then_some(ply);
        }
        Tab::Games => select_listed(state, Step::By(by)),
        Tab::Schedule => pairings::sideways(state, by),
        Tab::Standings | Tab::Log => {}
    }
}

/// Selects something in the list of the tab.
fn select(state: &mut State, step: Step) {
    match (state.tab, step) {
        (Tab::Games, Step::By(by @ (1 | -1))) => select_above_or_below(state, by),
        (Tab::Games | Tab::Game, step) => select_listed(state, step),
        (Tab::Standings, step) => {
            let players = state.view.names.len();
            state.place = step.from(state.place, players);
        }
        (Tab::Schedule, step) if state.pairings() != Pairings::Games => {
            pairings::select(state, |place, count| step.from(place, count));
        }
        (Tab::Schedule, step) => {
            let games = state.view.results.schedule().len();
            let place = state.selected().map_or(0, |game| game.saturating_sub(1));
            if games > 0 {
                state.select(step.from(place, games) + 1);
            }
        }
        (Tab::Log, step) => scroll_log(state, step),
    }
}

/// Selects the board above or below, or a line of the games that have ended.
fn select_above_or_below(state: &mut State, by: isize) {
    let boards = state.view.running().count();
    let columns = draw::tile_columns(state).unwrap_or(1);
    let selected = state.selected();
    let place = state
        .listed()
        .iter()
        .position(|&game| Some(game) == selected);
    let place = place.unwrap_or(0);
    let step = match by {
        _ if place >= boards => by,
        1 if place + columns < boards => columns as isize,
        // From the last boards on to the first line.
        1 => (boards - place) as isize,
        _ if place >= columns => -(columns as isize),
        _ => 0,
    };
    select_listed(state, Step::By(step));
}

fn select_listed(state: &mut State, step: Step) {
    let listed = state.listed();
    let selected = state.selected();
    let place = listed.iter().position(|&game| Some(game) == selected);
    let place = place.map_or(0, |place| step.from(place, listed.len()));
    if let Some(&game) = listed.get(place) {
        state.select(game);
    }
}

/// The log is counted from its end.
fn scroll_log(state: &mut State, step: Step) {
    let room = usize::from(draw::body(state.size).height);
    let most = state.view.log.len().saturating_sub(room);
    state.log_scroll = match step {
        Step::By(by) => state.log_scroll.saturating_add_signed(-by).min(most),
        Step::First => most,
        Step::Last => 0,
    };
}

fn scroll_overlay(state: &mut State, key: KeyCode) {
    match step(key) {
        Some(Step::By(by)) => state.overlay_scroll = state.overlay_scroll.saturating_add_signed(by),
        Some(Step::First) => state.overlay_scroll = 0,
        Some(Step::Last) => state.overlay_scroll = usize::MAX,
        None => state.overlay = Overlay::None,
    }
}

/// Does what the key of an order says.
fn act(state: &mut State, letter: char) -> Reaction {
    let action = match state.tab {
        Tab::Games | Tab::Game | Tab::Schedule => actions::of_game(state, letter),
        Tab::Standings => actions::of_player(state, letter),
        Tab::Log => None,
    };
    let Some(action) = action.or_else(|| actions::of_event(state, letter)) else {
        return Reaction::None;
    };
    if !state.can_order {
        state.show_no_orders();
        return Reaction::None;
    }
    if state.is_match_without_games() && actions::of_event(state, letter).is_none() {
        state.show_note(NO_GAMES.to_owned(), true);
        return Reaction::None;
    }
    match action {
        Action::Give(order) => return give(state, order),
        Action::Ask(question) => state.overlay = Overlay::Question(question),
        Action::Type(text) => return open_prompt(state, text),
        Action::Refuse(why) => state.show_note(why, true),
    }
    Reaction::None
}

fn open_prompt(state: &mut State, text: String) -> Reaction {
    if state.can_order {
        state.overlay = Overlay::Prompt(Prompt::new(text));
    } else {
        state.show_no_orders();
    }
    Reaction::None
}

/// An order on its way; what comes of it replaces this note.
fn give(state: &mut State, order: String) -> Reaction {
    state.show_note(format!("> {order}"), false);
    Reaction::Give(order)
}

/// A key while a question is open.
fn answer(state: &mut State, question: &Question, key: KeyCode) -> Reaction {
    let KeyCode::Char(letter) = key else {
        if key == KeyCode::Esc {
            state.overlay = Overlay::None;
        }
        return Reaction::None;
    };
    let mut choices = question.choices.iter();
    if let Some(choice) = choices.find(|choice| choice.key == letter) {
        state.overlay = Overlay::None;
        return give(state, choice.order.clone());
    }
    match letter {
        'n' | 'q' => state.overlay = Overlay::None,
        'e' => return open_prompt(state, question.template.clone()),
        _ => {}
    }
    Reaction::None
}

fn press_in_prompt(state: &mut State, key: KeyEvent) -> Reaction {
    let Overlay::Prompt(prompt) = &mut state.overlay else {
        return Reaction::None;
    };
    match prompt.press(key, &state.history) {
        Typed::Nothing => {}
        Typed::Closed => state.overlay = Overlay::None,
        Typed::Complete => complete(state),
        Typed::Entered(line) => return enter(state, &line),
    }
    Reaction::None
}

/// Completes the word before the cursor as far as it is plain.
fn complete(state: &mut State) {
    let Overlay::Prompt(prompt) = &state.overlay else {
        return;
    };
    let completion = Completion::of(state, prompt.before_cursor());
    let (Some(mut word), Overlay::Prompt(prompt)) = (completion.common(), &mut state.overlay)
    else {
        return;
    };
    if completion.candidates.len() == 1 {
        word.push(' ');
    }
    if !word.is_empty() {
        prompt.replace_word(completion.start, &word);
    }
}

/// A line was entered: what is no order stays to be corrected.
fn enter(state: &mut State, line: &str) -> Reaction {
    let line = line.trim();
    match line.parse::<GivenOrder>() {
        Err(NoOrder::Wrong(why)) => {
            let why = why.lines().next().unwrap_or_default().to_owned();
            state.show_note(why, true);
            return Reaction::None;
        }
        Err(NoOrder::Empty) => {
            state.overlay = Overlay::None;
            return Reaction::None;
        }
        Err(NoOrder::Help(_)) => {}
        Ok(given) => {
            if let Some(question) = actions::before(&given.order) {
                state.overlay = Overlay::Question(question);
                return Reaction::None;
            }
        }
    }
    if state.history.last().is_none_or(|last| last != line) {
        state.history.push(line.to_owned());
    }
    state.overlay = Overlay::None;
    give(state, line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::watch::draw::theme::Theme;
    use crate::cli::watch::sample;
    use crate::cli::watch::source::Feed;

    fn state() -> State {
        let mut state = State::new("cup".to_owned(), true, Theme::new(false));
        state.take_in(Feed::Events(sample::stream()));
        state
    }

    /// Types letters; returns what the view has to do after the last one.
    fn type_in(state: &mut State, letters: &str) -> Reaction {
        let keys = letters.chars().map(|letter| match letter {
            '\n' => KeyCode::Enter,
            '\t' => KeyCode::Tab,
            '\u{1b}' => KeyCode::Esc,
            letter => KeyCode::Char(letter),
        });
        let reactions = keys.map(|key| press(state, key.into()));
        reactions.last().expect("a key")
    }

    /// Orders that do harm are given after a question, others at once.
    #[test]
    fn keys_give_orders() {
        let given = |letters: &str| match type_in(&mut state(), letters) {
            Reaction::Give(order) => order,
            other => format!("{other:?}"),
        };
        for (letters, expected) in [
            // Game 2 is selected.
            ("p", "None"),
            ("py", "pause 2"),
            ("pn", "None"),
            ("aw", "adjudicate 2 1-0"),
            ("ad", "adjudicate 2 1/2"),
            ("fb", "forfeit 王者 2"),
            ("xy", "abort 2"),
            ("sy", "reset 2"),
            ("r", "None"),
            ("e\u{1b}", "None"),
            ("eblack 30s\n", "extend 2 black 30s"),
            ("t\n", "takeback 2 4"),
            ("pe'lunch at noon'\n", "pause 2 --reason 'lunch at noon'"),
            // Game 3 is paused.
            ("lp", "resume 3"),
            // Game 1 has ended.
            ("jp", "None"),
            ("jry", "replay 1"),
            ("jkp", "resume 3"),
            ("4gry", "replay 1"),
            ("P", "None"),
            ("Py", "pause"),
            ("mlunch\n", "message lunch"),
            // The second line of the standings.
            ("3jKy", "kick 'Old Ann'"),
            ("3Ry", "restart Bob"),
            ("3py", "None"),
            (":adj\t2 1/2\n", "adjudicate 2 1/2"),
            (":kick o\t\n", "kick 'Old Ann'"),
            (":quit\n", "None"),
            (":quit\ny", "quit"),
            (":help\n", "help"),
            (":nonsense\n", "None"),
        ] {
            assert_eq!(given(letters), expected, "{letters:?}");
        }
    }

    #[test]
    fn a_page_takes_no_orders() {
        let mut state = state();
        state.can_order = false;
        for letters in ["p", ":", "P", "3K"] {
            state.note = None;
            assert_eq!(type_in(&mut state, letters), Reaction::None);
            let note = state.note.as_ref().expect("a note");
            assert!(note.text.contains("takes no orders"), "{note:?}");
        }
    }

    #[test]
    fn the_view_is_left() {
        let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(type_in(&mut state(), "q"), Reaction::Quit);
        assert_eq!(press(&mut state(), control_c), Reaction::Quit);
        // These close what is in front, and not the view.
        for opened in [":", "?", "a"] {
            let mut state = state();
            type_in(&mut state, opened);
            let key = if opened == ":" {
                control_c
            } else {
                KeyCode::Char('q').into()
            };
            assert_eq!(press(&mut state, key), Reaction::None, "{opened}");
            assert!(matches!(state.overlay, Overlay::None), "{opened}");
        }
    }

    #[test]
    fn a_game_is_selected_and_stepped_through() {
        let mut state = state();
        assert_eq!(state.selected(), Some(2));
        type_in(&mut state, "G");
        assert_eq!(state.selected(), Some(1));
        type_in(&mut state, "k\n");
        assert_eq!((state.tab, state.selected()), (Tab::Game, Some(3)));
        type_in(&mut state, "khh");
        assert_eq!((state.selected(), state.ply), (Some(2), Some(3)));
        type_in(&mut state, "lll");
        assert_eq!(state.ply, None, "live again");
        type_in(&mut state, "hhhhhhhhh");
        assert_eq!(state.ply, Some(0));
        // What is taken back is what is on the screen.
        type_in(&mut state, "llt");
        let Overlay::Prompt(prompt) = &state.overlay else {
            panic!("no prompt");
        };
        assert_eq!(prompt.text(), "takeback 2 2");
        type_in(&mut state, "\u{1b}\t\t");
        assert_eq!(state.tab, Tab::Schedule);
        press(&mut state, KeyCode::BackTab.into());
        assert_eq!(state.tab, Tab::Standings);
    }

    /// Games that begin and end do not move the selection.
    #[test]
    fn the_selection_stays_with_its_game() {
        let mut state = state();
        type_in(&mut state, "l");
        let mut end = sample::stream().remove(4);
        if let referee::event::Report::Result { game, .. } = &mut end.report {
            *game = 2;
        }
        state.take_in(Feed::Events(vec![end]));
        assert_eq!(state.selected(), Some(3));
        assert_eq!(state.listed(), [3, 2, 1]);
    }
}
