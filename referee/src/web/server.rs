//! Connections of viewers: their limits, and which path is answered by what.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State as Extract};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use jiff::{SignedDuration, Timestamp};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

use super::shared::Shared;
use super::{api, pages, pgn, sse};

/// The most connections of viewers at the same time.
pub const MAX_SOCKETS: usize = 2048;
/// How long a client may take to send the head of a request, or to ask for more on an open connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// A client that takes nothing for so long is disconnected.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// The most that the head of a request may have, in bytes.
const MAX_HEAD: usize = 16 << 10;
/// The referee gives a sign of life every second.
const MAX_SILENCE: SignedDuration = SignedDuration::from_secs(10);

/// Headers of all answers. Scripts, styles and pictures come from here alone, and nothing is inline.
const HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    // All of it is public, and can be shown on other sites.
    ("access-control-allow-origin", "*"),
];

/// Answers viewers until the task is aborted.
pub async fn serve(listener: std::net::TcpListener, shared: Shared) {
    let Ok(listener) = TcpListener::from_std(listener) else {
        return;
    };
    let service = router(shared.clone());
    let free = Arc::new(Semaphore::new(MAX_SOCKETS));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Most likely there are too many open files.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let Ok(permit) = Arc::clone(&free).try_acquire_owned() else {
            shared.state().metrics.turned_away += 1;
            // There is room for it in any socket; if not, the client learns less.
            let _ = stream.try_write(
                b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 30\r\ncontent-length: 0\r\n\
                  connection: close\r\n\r\n",
            );
            continue;
        };
        let (service, shared) = (service.clone(), shared.clone());
        tokio::spawn(async move {
            shared.state().metrics.connections += 1;
            // A client that breaks the protocol, or is too slow, is just disconnected.
            let _ = converse(stream, service).await;
            shared.state().metrics.connections -= 1;
            drop(permit);
        });
    }
}

async fn converse(stream: TcpStream, service: Router) -> hyper::Result<()> {
    // News should not wait for more of it.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(WRITE_TIMEOUT));
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MAX_HEAD)
        .serve_connection(
            TokioIo::new(Box::pin(stream)),
            TowerToHyperService::new(service),
        )
        .await
}

/// Which path is answered by what.
fn router(shared: Shared) -> Router {
    Router::new()
        .route("/", get(pages::overview))
        .route("/game/{number}", get(pages::game))
        .route("/fragment/event", get(pages::event_fragment))
        .route("/fragment/games", get(pages::games_fragment))
        .route("/fragment/game/{number}", get(pages::game_fragment))
        .route("/board/{name}", get(pages::board))
        .route("/icon.svg", get(pages::icon))
        .route("/page.css", get(pages::style))
        .route("/page.js", get(pages::script))
        .route("/api/event", get(api::event))
        .route("/api/games", get(api::games))
        .route("/api/games/{number}", get(api::game))
        .route("/api/standings", get(api::standings))
        .route("/api/schedule", get(api::schedule))
        .route("/api/rounds", get(api::rounds::rounds))
        .route("/api/bracket", get(api::rounds::bracket))
        .route("/api/stream", get(sse::stream))
        .route("/games.pgn", get(pgn::finished))
        .route("/live.pgn", get(pgn::live))
        .route("/games/{name}", get(pgn::one))
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .route("/{file}", get(file))
        .fallback(pages::not_found)
        .layer(axum::middleware::map_response(add_headers))
        .with_state(shared)
}

async fn add_headers(mut response: Response) -> Response {
    for (name, value) in HEADERS {
        let name = HeaderName::from_static(name);
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// `/round-N.pgn`.
async fn file(
    Extract(shared): Extract<Shared>,
    Path(name): Path<String>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let round = name.strip_prefix("round-");
    let round = round.and_then(|name| name.strip_suffix(".pgn")?.parse().ok());
    match round.map(|round| pgn::round(&shared, round, &headers)) {
        Some(Some(response)) => response,
        // Programs that poll it show the answer to nobody.
        Some(None) => (StatusCode::NOT_FOUND, "no game of this round has begun\n").into_response(),
        None => pages::not_found(Extract(shared.clone()), uri).await,
    }
}

/// `/health`: whether the referee is at work.
async fn health(Extract(shared): Extract<Shared>) -> Response {
    let state = shared.state();
    let silence = Timestamp::now().duration_since(state.alive);
    let trouble = match &state.waits {
        _ if silence >= MAX_SILENCE => {
            format!("the referee is silent for {} s\n", silence.as_secs())
        }
        Some(why) => format!("{why}\n"),
        None => return "ok\n".into_response(),
    };
    (StatusCode::SERVICE_UNAVAILABLE, trouble).into_response()
}

/// `/metrics`.
async fn metrics(Extract(shared): Extract<Shared>) -> Response {
    let text = shared.state().metrics.text();
    let content = [(
        axum::http::header::CONTENT_TYPE,
        "text/plain; version=0.0.4; charset=utf-8",
    )];
    (content, text).into_response()
}
