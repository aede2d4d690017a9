//! The stream of events for viewers, as server-sent events.
//!
//! A viewer that says which event it has had last (`Last-Event-ID`, or `?after=N`) gets all that came later;
//! any other, and one that has missed more than is kept, begins with a snapshot. A viewer that reads slowly
//! gets larger pieces less often, and costs no memory.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Query, State as Extract};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use jiff::Timestamp;
use serde::Deserialize;

use super::frames::frame;
use super::shared::Shared;
use crate::core::event::Report;

/// Proxies close connections on which nothing passes.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// What a viewer's browser is to wait before it comes back, and a comment that keeps the connection.
const RETRY: &str = "retry: 1000\n\n";
const COMMENT: &str = ":\n\n";

/// Where a viewer begins.
#[derive(Debug, Deserialize)]
pub struct Begin {
    after: Option<u64>,
}

/// A viewer that follows the stream.
struct Viewer {
    shared: Shared,
    /// The last event that it got; `None` if it needs a snapshot.
    last: Option<u64>,
    has_begun: bool,
}

/// `/api/stream`.
pub async fn stream(
    Extract(shared): Extract<Shared>,
    Query(begin): Query<Begin>,
    headers: HeaderMap,
) -> Response {
    let last = headers
        .get("last-event-id")
        .and_then(number)
        .or(begin.after);
    let viewer = Viewer {
        shared,
        last,
        has_begun: false,
    };
    viewer.shared.state().metrics.streams += 1;
    let pieces = stream::unfold(viewer, |mut viewer| async move {
        let piece = viewer.next().await;
        piece.map(|piece| (Ok::<_, Infallible>(piece), viewer))
    });
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let mut response = (headers, Body::from_stream(pieces)).into_response();
    // Proxies such as nginx must not hold events back.
    let no = HeaderValue::from_static("no");
    response.headers_mut().insert("x-accel-buffering", no);
    response
}

fn number(value: &HeaderValue) -> Option<u64> {
    value.to_str().ok()?.trim().parse().ok()
}

impl Viewer {
    /// The next piece of the stream; `None` when the referee has ended.
    async fn next(&mut self) -> Option<Bytes> {
        if !std::mem::replace(&mut self.has_begun, true) {
            return Some(RETRY.into());
        }
        loop {
            let piece = self.piece();
            if !piece.is_empty() {
                return Some(piece);
            }
            match tokio::time::timeout(KEEP_ALIVE, self.shared.news.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return None,
                Err(_) => return Some(COMMENT.into()),
            }
        }
    }

    /// What the viewer lacks; empty if nothing.
    fn piece(&mut self) -> Bytes {
        // What comes from now on is news.
        self.shared.news.mark_unchanged();
        let state = self.shared.state();
        if let Some((piece, last)) = self.last.and_then(|last| state.frames.after(last)) {
            self.last = Some(last);
            return piece.into();
        }
        if !state.is_ready {
            return Bytes::new();
        }
        let last = state.frames.last();
        self.last = Some(last);
        let snapshot = Report::Snapshot(Box::new(state.view.snapshot()));
        frame(last, &snapshot, &format!("{:.3}", Timestamp::now()))
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.shared.state().metrics.streams -= 1;
    }
}
