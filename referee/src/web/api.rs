//! The event as JSON. The guide for organisers (README.md) describes the fields.

pub mod rounds;

use axum::Json;
use axum::extract::{Path, State as Extract};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::Serialize;

use super::shared::Shared;
use super::state::State;
use crate::core::event::view::{End, EventView, LogLine};
use crate::core::normalization::TimeNormalization;
use crate::core::schedule::Pairing;
use crate::core::sprt::SprtReport;
use crate::core::standings::{Replacement, Standings};

/// `/api/event`.
#[derive(Debug, Serialize)]
pub struct Event {
    name: String,
    site: String,
    time_control: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_normalization: Option<TimeNormalization>,
    variant: String,
    /// `swiss`, `knockout` or `ladder`; null if the whole schedule is known from the beginning.
    format: Option<&'static str>,
    /// How many rounds there are; null if the whole schedule is known.
    rounds: Option<rounds::Count>,
    players: Vec<String>,
    replaced: Vec<Replacement>,
    games: Counts,
    paused: Option<String>,
    ended: Option<String>,
    sprt: Option<SprtReport>,
    sprt_course: Vec<f64>,
    delay: String,
    show_thinking: bool,
    log: Vec<LogLine>,
    /// The number of the last event that is in this answer.
    seq: u64,
    /// The time here, for clocks that run.
    now: String,
}

#[derive(Debug, Serialize)]
struct Counts {
    scheduled: usize,
    running: usize,
    finished: usize,
}

/// A game without its moves: of `/api/games` and `/api/schedule`.
#[derive(Debug, Serialize)]
pub struct Summary {
    game: usize,
    round: String,
    white: String,
    black: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    running: Option<Running>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    end: Option<End>,
}

/// What there is to know of a game in progress.
#[derive(Debug, Serialize)]
struct Running {
    position: String,
    plies: usize,
    last_move: Option<String>,
    clocks_ms: [Option<f64>; 2],
    turn_ms: Option<f64>,
    is_paused: bool,
    at: String,
}

/// `/api/event`.
pub async fn event(Extract(shared): Extract<Shared>) -> Json<Event> {
    let state = shared.state();
    let view = &state.view;
    let start = state.event();
    Json(Event {
        name: start.name,
        site: start.site,
        time_control: start.time_control,
        time_normalization: start.time_normalization,
        variant: start.variant,
        format: rounds::format(view),
        rounds: rounds::count(view),
        players: view.names.clone(),
        replaced: view.replaced.clone(),
        games: Counts {
            scheduled: view.results.schedule().len(),
            running: view.games.len(),
            finished: view.ends.len(),
        },
        paused: view.paused.clone(),
        ended: view.ended.clone(),
        sprt: view.results.sprt(),
        sprt_course: view.sprt_course.clone(),
        delay: state.rules.delay.to_string(),
        show_thinking: state.rules.show_thinking,
        log: view.log.iter().cloned().collect(),
        seq: state.frames.last(),
        now: format!("{:.3}", Timestamp::now()),
    })
}

/// `/api/games`: the games that have begun.
pub async fn games(Extract(shared): Extract<Shared>) -> Json<Vec<Summary>> {
    let state = shared.state();
    let has_begun = |pairing: &&Pairing| {
        let number = &pairing.number;
        state.view.games.contains_key(number) || state.view.ends.contains_key(number)
    };
    let schedule = state.view.results.schedule().iter();
    let begun = schedule.filter(has_begun);
    Json(begun.map(|pairing| summary(&state, pairing)).collect())
}

/// `/api/schedule`: all games.
pub async fn schedule(Extract(shared): Extract<Shared>) -> Json<Vec<Summary>> {
    let state = shared.state();
    let schedule = state.view.results.schedule().iter();
    Json(schedule.map(|pairing| summary(&state, pairing)).collect())
}

/// `/api/games/N`: a game with its moves.
pub async fn game(Extract(shared): Extract<Shared>, Path(number): Path<usize>) -> Response {
    match shared.state().game(number) {
        Some(game) => Json(game).into_response(),
        None => (StatusCode::NOT_FOUND, "no such game has begun\n").into_response(),
    }
}

/// `/api/standings`.
pub async fn standings(Extract(shared): Extract<Shared>) -> Json<Standings> {
    Json(shared.state().view.standings())
}

fn summary(state: &State, pairing: &Pairing) -> Summary {
    let view: &EventView = &state.view;
    let game = view.games.get(&pairing.number);
    let name = |player: usize| view.names.get(player).cloned().unwrap_or_default();
    let opening = state.archive.opening(pairing.number);
    Summary {
        game: pairing.number,
        round: pairing.round_tag().to_string(),
        white: name(pairing.white),
        black: name(pairing.black),
        opening: match game {
            Some(game) => game.game.opening.clone(),
            None => opening.map(str::to_owned),
        },
        running: game.map(|game| Running {
            position: game.position.to_string(),
            plies: game.game.opening_moves.len() + game.game.moves.len(),
            last_move: game.game.moves.last().map(|last| last.san.clone()),
            clocks_ms: game.game.clocks_ms,
            turn_ms: game.game.turn_ms,
            is_paused: game.game.is_paused,
            at: game.at.clone(),
        }),
        end: view.ends.get(&pairing.number).cloned(),
    }
}
