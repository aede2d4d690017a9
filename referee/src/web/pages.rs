//! The pages and the pieces of them that the script of the pages fetches. [`page`] renders them.

use std::sync::LazyLock;

use axum::extract::{Path, Query, State as Extract};
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use maud::Markup;
use movegen::Color;
use serde::Deserialize;

use super::page::{self, Look, Shown};
use super::shared::Shared;
use super::state::State;
use crate::core::broadcast::Delay;

/// How long a browser may keep the style sheet and the script, in seconds.
const KEEP: &str = "max-age=300";

static STYLE: LazyLock<String> = LazyLock::new(page::style);

/// `?ply=P&side=black`. What cannot be understood is as if it were absent.
#[derive(Debug, Default, Deserialize)]
pub struct LookQuery {
    ply: Option<String>,
    side: Option<String>,
}

impl LookQuery {
    fn look(&self) -> Look {
        Look {
            ply: self.ply.as_ref().and_then(|ply| ply.parse().ok()),
            side: match self.side.as_deref() {
                Some("black") => Color::Black,
                _ => Color::White,
            },
        }
    }
}

/// `?numbers=1,2,3`.
#[derive(Debug, Default, Deserialize)]
pub struct NumbersQuery {
    numbers: Option<String>,
}

/// What the pages show of a state.
fn shown(state: &State) -> Shown<'_> {
    let now = Timestamp::now();
    Shown {
        view: &state.view,
        finished: state.latest.as_slice(),
        now: match state.rules.delay {
            Delay::None => Some(now),
            Delay::Time(delay) => now.checked_sub(delay).ok(),
            // Nobody knows when the moves that are held back were made.
            Delay::Plies(_) => None,
        },
        seq: state.frames.last(),
    }
}

fn html(status: StatusCode, markup: Markup) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (status, headers, markup.into_string()).into_response()
}

/// `/`.
pub async fn overview(Extract(shared): Extract<Shared>) -> Response {
    let state = shared.state();
    html(StatusCode::OK, page::overview(&shown(&state)))
}

/// `/game/N`.
pub async fn game(
    Extract(shared): Extract<Shared>,
    Path(number): Path<String>,
    Query(query): Query<LookQuery>,
) -> Response {
    let state = shared.state();
    let game = number.parse().ok().and_then(|number| state.game(number));
    match game {
        Some(game) => html(
            StatusCode::OK,
            page::game(&shown(&state), &game, query.look()),
        ),
        None => missing(&state, &format!("Game {number}")),
    }
}

/// `/fragment/games`.
pub async fn games_fragment(
    Extract(shared): Extract<Shared>,
    Query(query): Query<NumbersQuery>,
) -> Response {
    let state = shared.state();
    let numbers = query.numbers.map(|numbers| {
        let numbers = numbers.split(',').filter_map(|number| number.parse().ok());
        numbers.collect::<Vec<usize>>()
    });
    let games = page::games_fragment(&shown(&state), numbers.as_deref());
    html(StatusCode::OK, games)
}

/// `/fragment/event`.
pub async fn event_fragment(Extract(shared): Extract<Shared>) -> Response {
    let state = shared.state();
    html(StatusCode::OK, page::event_fragment(&shown(&state)))
}

/// `/fragment/game/N`.
pub async fn game_fragment(
    Extract(shared): Extract<Shared>,
    Path(number): Path<usize>,
    Query(query): Query<LookQuery>,
) -> Response {
    let state = shared.state();
    match state.game(number) {
        Some(game) => {
            let game = page::game_fragment(&shown(&state), &game, query.look());
            html(StatusCode::OK, game)
        }
        None => (StatusCode::NOT_FOUND, "no such game has begun\n").into_response(),
    }
}

/// `/board/N.svg`.
pub async fn board(
    Extract(shared): Extract<Shared>,
    Path(name): Path<String>,
    Query(query): Query<LookQuery>,
) -> Response {
    let state = shared.state();
    let number = name.strip_suffix(".svg").and_then(|name| name.parse().ok());
    match number.and_then(|number: usize| state.game(number)) {
        Some(game) => {
            let headers = [
                (header::CONTENT_TYPE, "image/svg+xml"),
                (header::CACHE_CONTROL, "no-cache"),
            ];
            (headers, page::board_file(&game, query.look())).into_response()
        }
        None => (StatusCode::NOT_FOUND, "no such game has begun\n").into_response(),
    }
}

/// `/page.css`.
pub async fn style() -> Response {
    file("text/css; charset=utf-8", &STYLE)
}

/// `/page.js`.
pub async fn script() -> Response {
    file("text/javascript; charset=utf-8", page::SCRIPT)
}

/// `/icon.svg`.
pub async fn icon() -> Response {
    file("image/svg+xml", page::ICON)
}

/// A file that does not change while the referee runs.
fn file(content_type: &'static str, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, KEEP),
    ];
    (headers, text).into_response()
}

/// Any other address.
pub async fn not_found(Extract(shared): Extract<Shared>, uri: Uri) -> Response {
    let state = shared.state();
    missing(&state, uri.path())
}

fn missing(state: &State, what: &str) -> Response {
    html(StatusCode::NOT_FOUND, page::not_found(&shown(state), what))
}
