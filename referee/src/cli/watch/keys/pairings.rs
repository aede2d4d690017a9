//! Keys in the rounds of a Swiss event and in the bracket of a knockout event.

use referee::event::view::rounds::{Board, Round, game_of_interest};

use crate::cli::watch::state::{Pairings, State};

/// Goes to another round: in the bracket to the match before or after the selected one.
pub fn sideways(state: &mut State, by: isize) {
    match state.pairings() {
        Pairings::Games => {}
        Pairings::Rounds => {
            let Some((round, count)) = state.shown_round() else {
                return;
            };
            let number = round.number.saturating_add_signed(by).clamp(1, count);
            // The latest round stays the latest one.
            state.round = (number < count).then_some(number);
            if let Some((round, _)) = state.shown_round() {
                select_board(state, &round, 0);
            }
        }
        Pairings::Bracket => {
            let Some(knockout) = state.view.knockout() else {
                return;
            };
            let (round, place) = state.selected_match(&knockout);
            let last = knockout.bracket.rounds.len().saturating_sub(1);
            let (round, place) = match by {
                1 if round < last => (round + 1, place / 2),
                -1 if round > 0 => (round - 1, 2 * place),
                _ => return,
            };
            select_match(state, round, place);
        }
    }
}

/// Selects another board of the round, or another match of the round. `step` tells the place after one of so many.
pub fn select(state: &mut State, step: impl Fn(usize, usize) -> usize) {
    if state.pairings() == Pairings::Bracket {
        let Some(knockout) = state.view.knockout() else {
            return;
        };
        let (round, place) = state.selected_match(&knockout);
        let count = State::matches(&knockout)[round].len();
        select_match(state, round, step(place, count));
    } else if let Some((round, _)) = state.shown_round() {
        let selected = state.selected();
        let has_selected =
            |board: &Board| board.games.iter().any(|game| Some(game.number) == selected);
        let place = round.boards.iter().position(has_selected);
        let place = place.map_or(0, |place| step(place, round.boards.len()));
        select_board(state, &round, place);
    }
}

fn select_board(state: &mut State, round: &Round, place: usize) {
    let board = round.boards.get(place);
    if let Some(game) = board.and_then(|board| game_of_interest(&board.games)) {
        state.select(game);
    }
}

fn select_match(state: &mut State, round: usize, place: usize) {
    state.bracket_place = Some((round, place));
    let Some(knockout) = state.view.knockout() else {
        return;
    };
    let (round, place) = state.selected_match(&knockout);
    let games = state
        .view
        .games_of_match(State::matches(&knockout)[round][place]);
    if let Some(game) = game_of_interest(&games) {
        state.select(game);
    }
}
