//! Games as PGN, for programs that ask again and again: an answer says by which tag and time it can be asked
//! whether anything has changed.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State as Extract};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use jiff::Timestamp;

use super::archive::{Range, Texts};
use super::shared::Shared;
use super::state::{Change, State};

/// Games that are read from the archive at once.
const GAMES_PER_PIECE: usize = 64;

/// A game of an answer.
enum Game {
    /// It is in progress.
    Text(Bytes),
    /// It is in the archive.
    Archived(Range),
}

/// `/games.pgn`: the finished games, in the order in which they ended.
pub async fn finished(Extract(shared): Extract<Shared>, headers: HeaderMap) -> Response {
    let state = shared.state();
    answer(&state, state.finished, &headers, |state| {
        let games = state.view.finished().iter();
        games.filter_map(|&number| game(state, number)).collect()
    })
}

/// `/live.pgn`: the games in progress, by number.
pub async fn live(Extract(shared): Extract<Shared>, headers: HeaderMap) -> Response {
    let state = shared.state();
    answer(&state, state.live, &headers, |state| {
        let games = state.view.games.keys();
        games.filter_map(|&number| game(state, number)).collect()
    })
}

/// `/round-N.pgn`: the games of a round that have begun, by number.
pub fn round(shared: &Shared, round: usize, headers: &HeaderMap) -> Option<Response> {
    let state = shared.state();
    let change = state.round(round)?;
    Some(answer(&state, change, headers, |state| {
        let games = state.view.results.schedule().iter();
        let games = games.filter(|pairing| pairing.round == round);
        games
            .filter_map(|pairing| game(state, pairing.number))
            .collect()
    }))
}

/// `/games/N.pgn`: one game.
pub async fn one(
    Extract(shared): Extract<Shared>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let state = shared.state();
    let number = name.strip_suffix(".pgn").and_then(|name| name.parse().ok());
    let found = number.and_then(|number: usize| Some((number, state.change_of(number)?)));
    match found {
        Some((number, change)) => answer(&state, change, &headers, |state| {
            game(state, number).into_iter().collect()
        }),
        None => (StatusCode::NOT_FOUND, "no such game has begun\n").into_response(),
    }
}

fn game(state: &State, number: usize) -> Option<Game> {
    if let Some(view) = state.view.games.get(&number) {
        let pgn = view.pgn(&state.event()).export().ok()?;
        return Some(Game::Text(pgn.into()));
    }
    state.archive.pgn(number).map(Game::Archived)
}

/// Answers with games, or that nothing has changed.
fn answer(
    state: &State,
    change: Change,
    headers: &HeaderMap,
    games: impl FnOnce(&State) -> Vec<Game>,
) -> Response {
    // What is shown depends on the rules as well as on the events.
    let thinking = if state.rules.show_thinking { "t" } else { "" };
    let tag = format!("\"{}{thinking}\"", change.id);
    let modified = last_modified(change, Timestamp::now());
    let mut response = if is_known(headers, &tag, modified.as_deref()) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let content = [(
            header::CONTENT_TYPE,
            "application/x-chess-pgn; charset=utf-8",
        )];
        let body = body(state.archive.texts(), games(state));
        (content, body).into_response()
    };
    let headers = response.headers_mut();
    let values = [
        (header::ETAG, Some(tag)),
        (header::LAST_MODIFIED, modified),
        // Ask again each time.
        (header::CACHE_CONTROL, Some("no-cache".to_owned())),
    ];
    for (name, value) in values {
        if let Some(value) = value.and_then(|value| value.parse().ok()) {
            headers.insert(name, value);
        }
    }
    response
}

/// Whether the client has what it would get. A tag counts more than a time.
fn is_known(headers: &HeaderMap, tag: &str, modified: Option<&str>) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(tags) = text(header::IF_NONE_MATCH) {
        return tags.split(',').any(|other| {
            let other = other.trim();
            other == "*" || other.strip_prefix("W/").unwrap_or(other) == tag
        });
    }
    let read = |time: &str| httpdate::parse_http_date(time).ok();
    let since = text(header::IF_MODIFIED_SINCE).and_then(read);
    let modified = modified.and_then(read);
    matches!((since, modified), (Some(since), Some(modified)) if modified <= since)
}

/// The time of a change. Such times are in whole seconds: as long as the second has not passed, something more may
/// change within it, so there is none.
fn last_modified(change: Change, now: Timestamp) -> Option<String> {
    let at = change.at?;
    (at.as_second() < now.as_second()).then(|| httpdate::fmt_http_date(at.into()))
}

/// The text of games, read from the archive while it is sent.
fn body(texts: Texts, games: Vec<Game>) -> Body {
    let games = games.into_iter();
    Body::from_stream(stream::unfold((texts, games), |(texts, mut games)| async {
        let mut piece = Vec::new();
        for game in games.by_ref().take(GAMES_PER_PIECE) {
            match game {
                Game::Text(text) => piece.extend_from_slice(&text),
                // The archive's file is open: what was written can be read.
                Game::Archived(range) => piece.extend(texts.read(range).unwrap_or_default()),
            }
        }
        (!piece.is_empty()).then(|| (Ok::<_, Infallible>(Bytes::from(piece)), (texts, games)))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An answer that may change within its second has no time, so that nobody takes it for a later one.
    #[test]
    fn times_are_of_seconds_that_have_passed() {
        let at: Timestamp = "2026-11-23T10:00:00.250Z".parse().expect("a time");
        let change = Change {
            id: 1,
            at: Some(at),
        };
        let later: Timestamp = "2026-11-23T10:00:00.900Z".parse().expect("a time");
        assert_eq!(last_modified(change, later), None);
        let later: Timestamp = "2026-11-23T10:00:01Z".parse().expect("a time");
        let time = last_modified(change, later);
        assert_eq!(time.as_deref(), Some("Mon, 23 Nov 2026 10:00:00 GMT"));
    }

    #[test]
    fn tags_count_more_than_times() {
        let time = "Mon, 23 Nov 2026 10:00:00 GMT";
        let later = "Mon, 23 Nov 2026 10:00:01 GMT";
        let known = |tags: Option<&str>, since: Option<&str>| {
            let mut headers = HeaderMap::new();
            for (name, value) in [
                (header::IF_NONE_MATCH, tags),
                (header::IF_MODIFIED_SINCE, since),
            ] {
                if let Some(value) = value {
                    headers.insert(name, value.parse().expect("a value"));
                }
            }
            is_known(&headers, "\"7\"", Some(time))
        };
        assert!(known(Some("\"7\""), None));
        assert!(known(Some("\"6\", W/\"7\""), None));
        assert!(known(Some("*"), None));
        assert!(!known(Some("\"6\""), Some(time)));
        assert!(known(None, Some(time)));
        assert!(known(None, Some(later)));
        assert!(!known(None, Some("Mon, 23 Nov 2026 09:59:59 GMT")));
        assert!(!known(None, Some("yesterday")));
        assert!(!known(None, None));
    }
}
