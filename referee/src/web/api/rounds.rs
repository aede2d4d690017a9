//! The rounds and the bracket of an event whose schedule grows, as JSON.

use axum::Json;
use axum::extract::State as Extract;
use serde::Serialize;

use crate::core::event::view::EventView;
use crate::core::event::view::rounds::{Board, BoardGame, GameState, Knockouts};
use crate::core::schedule::Format;
use crate::core::schedule::knockout::{Decision, Match};
use crate::core::schedule::swiss::rounds_paired;
use crate::web::shared::Shared;

/// How many rounds there are, in `/api/event`.
#[derive(Debug, Serialize)]
pub struct Count {
    paired: usize,
    /// The number of all rounds; null in a ladder.
    of: Option<usize>,
}

/// A round of `/api/rounds`.
#[derive(Debug, Serialize)]
pub struct PairedRound {
    round: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    meetings: Vec<Meeting>,
    byes: Vec<Bye>,
    absent: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Meeting {
    white: String,
    black: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    points_before: Option<[f64; 2]>,
    points: [f64; 2],
    games: Vec<MeetingGame>,
    is_over: bool,
}

#[derive(Debug, Serialize)]
struct Bye {
    player: String,
    points: f64,
}

/// A game of a meeting. `result` is missing before its end.
#[derive(Debug, Serialize)]
struct MeetingGame {
    game: usize,
    is_running: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
}

/// `/api/bracket`.
#[derive(Debug, Serialize)]
pub struct Bracket {
    rounds: Vec<BracketRound>,
    third_place: Option<BracketMatch>,
}

#[derive(Debug, Serialize)]
struct BracketRound {
    name: String,
    matches: Vec<BracketMatch>,
}

#[derive(Debug, Serialize)]
struct BracketMatch {
    /// Who plays; null if that is not known yet, or nobody does.
    players: [Option<Player>; 2],
    games: Vec<MeetingGame>,
    winner: Option<String>,
    /// `points`, `bye`, `withdrawal` or `seed`; null before the end.
    decided_by: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Player {
    name: String,
    seed: Option<usize>,
    points: f64,
}

/// The name of the format, if the schedule grows.
pub fn format(view: &EventView) -> Option<&'static str> {
    match view.growing_format()? {
        Format::Swiss(_) => Some("swiss"),
        Format::Knockout(_) => Some("knockout"),
        Format::Ladder(_) => Some("ladder"),
        Format::RoundRobin { .. } | Format::Gauntlet { .. } | Format::Match => None,
    }
}

/// How many rounds there are, if the schedule grows.
pub fn count(view: &EventView) -> Option<Count> {
    let of = match view.growing_format()? {
        Format::Swiss(swiss) => Some(swiss.rounds),
        Format::Knockout(_) => view
            .knockout()
            .map(|knockout| knockout.bracket.rounds.len()),
        _ => None,
    };
    Some(Count {
        paired: rounds_paired(view.results.meetings()),
        of,
    })
}

/// `/api/rounds`: what has been paired, if the schedule grows; otherwise empty.
pub async fn rounds(Extract(shared): Extract<Shared>) -> Json<Vec<PairedRound>> {
    let state = shared.state();
    let view = &state.view;
    let knockout = view.knockout();
    let rounds = view.rounds().into_iter().map(|round| PairedRound {
        round: round.number,
        name: knockout
            .as_ref()
            .map(|knockout| knockout.bracket.round_name(round.number)),
        meetings: round
            .boards
            .iter()
            .map(|board| meeting(view, board))
            .collect(),
        byes: round
            .byes
            .iter()
            .map(|&(player, points)| Bye {
                player: name(view, player),
                points,
            })
            .collect(),
        absent: round
            .absent
            .iter()
            .map(|&player| name(view, player))
            .collect(),
    });
    Json(rounds.collect())
}

/// `/api/bracket`: null if there is none, or not yet.
pub async fn bracket(Extract(shared): Extract<Shared>) -> Json<Option<Bracket>> {
    let state = shared.state();
    let view = &state.view;
    let bracket = view.knockout().map(|knockout| {
        let of = |one: &Match| bracket_match(view, &knockout, one);
        let bracket = &knockout.bracket;
        let rounds = (1..)
            .zip(&bracket.rounds)
            .map(|(round, matches)| BracketRound {
                name: bracket.round_name(round),
                matches: matches.iter().map(of).collect(),
            });
        Bracket {
            rounds: rounds.collect(),
            third_place: bracket.third_place.as_ref().map(of),
        }
    });
    Json(bracket)
}

fn name(view: &EventView, player: usize) -> String {
    view.names.get(player).cloned().unwrap_or_default()
}

fn meeting(view: &EventView, board: &Board) -> Meeting {
    let [white, black] = board.players.map(|player| name(view, player));
    Meeting {
        white,
        black,
        points_before: board.before,
        points: board.points,
        games: board.games.iter().map(game).collect(),
        is_over: board.is_over(),
    }
}

fn game(game: &BoardGame) -> MeetingGame {
    let result = match game.state {
        GameState::Over(Some(result)) => Some(result.to_string()),
        GameState::Over(None) => Some("*".to_owned()),
        GameState::Running | GameState::ToCome => None,
    };
    MeetingGame {
        game: game.number,
        is_running: game.state == GameState::Running,
        result,
    }
}

fn bracket_match(view: &EventView, knockout: &Knockouts, one: &Match) -> BracketMatch {
    let player = |side: usize| {
        let number = one.players[side]?;
        Some(Player {
            name: name(view, number),
            seed: knockout.seed(number),
            points: one.half_points[side] as f64 / 2.0,
        })
    };
    BracketMatch {
        players: [player(0), player(1)],
        games: view.games_of_match(one).iter().map(game).collect(),
        winner: one.winner.map(|winner| name(view, winner)),
        decided_by: one.winner.map(|_| match one.how {
            None => "points",
            Some(Decision::Bye) => "bye",
            Some(Decision::Withdrawal) => "withdrawal",
            Some(Decision::Seed) => "seed",
        }),
    }
}
