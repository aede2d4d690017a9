//! The stream of events from a referee's page, as server-sent events.

use std::io::{self, BufRead, BufReader};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use jiff::Timestamp;
use referee::event::Report;
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use super::feed::{Feed, read_event};

/// How long connecting, and the beginning of the answer, may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The referee sends something every 15 seconds.
const READ_TIMEOUT: Duration = Duration::from_secs(45);
/// The time between two attempts to connect.
const PAUSE: Duration = Duration::from_secs(1);
/// The longest line that is read, in bytes: a snapshot of a large event.
const MAX_LINE: u64 = 64 << 20;

/// The address of a page: `host:port`, or the beginning of a URL. None if a text is no such thing.
pub fn address(text: &str) -> Option<String> {
    if text.starts_with("http://") || text.starts_with("https://") {
        return Some(text.trim_end_matches('/').to_owned());
    }
    let (host, port) = text.rsplit_once(':')?;
    let is_address = !host.is_empty() && !host.contains('/') && port.parse::<u16>().is_ok();
    is_address.then(|| format!("http://{text}"))
}

/// Follows the stream of a page as long as what it tells is taken.
pub fn follow(address: &str, tell: &dyn Fn(Feed) -> bool) {
    let mut viewer = Viewer {
        address,
        last: None,
    };
    let agent = new_agent();
    loop {
        let why = match viewer.read(&agent, tell) {
            Ok(Ended::Left) => return,
            Ok(Ended::Closed) => "the referee has closed the connection".to_owned(),
            Err(error) => format!("{error:#}"),
        };
        if !tell(Feed::Waiting(why)) {
            return;
        }
        thread::sleep(PAUSE);
    }
}

fn new_agent() -> Agent {
    let roots = rustls_native_certs::load_native_certs().certs;
    let roots = roots
        .iter()
        .map(|root| Certificate::from_der(root.as_ref()).to_owned());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = TlsConfig::builder()
        .unversioned_rustls_crypto_provider(provider)
        .root_certs(RootCerts::Specific(Arc::new(roots.collect())))
        .build();
    let config = Agent::config_builder()
        .tls_config(tls)
        .timeout_connect(Some(CONNECT_TIMEOUT))
        .timeout_recv_response(Some(CONNECT_TIMEOUT))
        .timeout_per_read(Some(READ_TIMEOUT))
        .user_agent(concat!("epode-referee/", env!("CARGO_PKG_VERSION")));
    config.build().into()
}

/// How a connection ended.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    /// Nobody takes what is told any more.
    Left,
    /// The other side has ended it.
    Closed,
}

/// A viewer of a page.
struct Viewer<'a> {
    address: &'a str,
    /// The number of the last event: after a cut the stream goes on behind it.
    last: Option<String>,
}

impl Viewer<'_> {
    /// Reads the stream on one connection.
    fn read(&mut self, agent: &Agent, tell: &dyn Fn(Feed) -> bool) -> anyhow::Result<Ended> {
        let url = format!("{}/api/stream", self.address);
        let mut request = agent.get(&url).header("accept", "text/event-stream");
        if let Some(last) = &self.last {
            request = request.header("last-event-id", last);
        }
        let response = request.call().map_err(|error| anyhow!("{url}: {error}"))?;
        let kind = response.headers().get("content-type");
        let kind = kind
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or("nothing");
        if !kind.starts_with("text/event-stream") {
            bail!("{url} sends {kind}, expected a stream of events: is this a referee's page?");
        }
        let body = BufReader::new(response.into_body().into_reader());
        if !tell(Feed::Connected) {
            return Ok(Ended::Left);
        }
        self.read_events(body, tell)
            .with_context(|| format!("{} is lost", self.address))
    }

    fn read_events(
        &mut self,
        mut body: impl BufRead,
        tell: &dyn Fn(Feed) -> bool,
    ) -> io::Result<Ended> {
        let mut frame = Frame::default();
        let mut line = Vec::new();
        loop {
            line.clear();
            io::Read::take(&mut body, MAX_LINE).read_until(b'\n', &mut line)?;
            // What is torn off comes again.
            let Some(line) = line.strip_suffix(b"\n") else {
                return Ok(Ended::Closed);
            };
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if !line.is_empty() {
                frame.add(line);
                continue;
            }
            let frame = std::mem::take(&mut frame);
            if let Some(id) = frame.id {
                self.last = Some(id);
            }
            if !frame.data.is_empty() && !take_in(&frame.data, tell) {
                return Ok(Ended::Left);
            }
        }
    }
}

/// Tells an event.
fn take_in(data: &[u8], tell: &dyn Fn(Feed) -> bool) -> bool {
    match read_event(data) {
        Ok(None) => true,
        Ok(Some(event)) => {
            // A snapshot tells what the referee's clock shows now.
            let theirs: Option<Timestamp> = match event.report {
                Report::Snapshot(_) => event.at.parse().ok(),
                _ => None,
            };
            let ahead = theirs.map(|theirs| theirs.duration_since(Timestamp::now()));
            ahead.is_none_or(|ahead| tell(Feed::Ahead(ahead))) && tell(Feed::Events(vec![event]))
        }
        Err(why) => tell(Feed::Unreadable(why)),
    }
}

/// The fields of a server-sent event.
#[derive(Debug, Default)]
struct Frame {
    id: Option<String>,
    data: Vec<u8>,
}

impl Frame {
    /// Adds a line. Comments and other fields are left out.
    fn add(&mut self, line: &[u8]) {
        let Some(colon) = memchr::memchr(b':', line) else {
            return;
        };
        let value = &line[colon + 1..];
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match &line[..colon] {
            b"id" => self.id = String::from_utf8(value.to_vec()).ok(),
            b"data" => self.data.extend_from_slice(value),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::io::Write as _;
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn addresses_are_told_from_folders() {
        for (text, expected) in [
            ("127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("[::1]:8080", Some("http://[::1]:8080")),
            ("chess.example:80", Some("http://chess.example:80")),
            ("http://chess.example/", Some("http://chess.example")),
            (
                "https://chess.example/cup/",
                Some("https://chess.example/cup"),
            ),
            ("cup", None),
            ("a/b:80", None),
            (":80", None),
            ("cup:99999", None),
        ] {
            assert_eq!(address(text).as_deref(), expected, "{text}");
        }
    }

    /// What is told of a body, and the number of the last event.
    fn read(body: &str) -> (Vec<Feed>, Option<String>) {
        let feeds = RefCell::new(Vec::new());
        let tell = |feed| {
            feeds.borrow_mut().push(feed);
            true
        };
        let mut viewer = Viewer {
            address: "http://here",
            last: None,
        };
        let ended = viewer.read_events(body.as_bytes(), &tell);
        assert_eq!(ended.expect("read"), Ended::Closed);
        (feeds.take(), viewer.last)
    }

    #[test]
    fn frames_are_read() {
        let event = r#"{"seq":7,"event":"resumed","at":"2026-11-23T10:00:00.000Z"}"#;
        let (feeds, last) = read(&format!(
            "retry: 1000\n\n:\n\nid: 7\r\ndata: {event}\r\n\r\nid: 8\ndata: {event}\n"
        ));
        let [Feed::Events(events)] = &feeds[..] else {
            panic!("{feeds:?}");
        };
        assert_eq!(events[0].report, Report::Resumed);
        assert_eq!(last.as_deref(), Some("7"), "the eighth is torn");
        let (feeds, last) = read("id: 9\ndata: noise\n\n");
        assert!(matches!(&feeds[..], [Feed::Unreadable(_)]), "{feeds:?}");
        assert_eq!(
            last.as_deref(),
            Some("9"),
            "it would be no better the next time"
        );
    }

    /// A connection that breaks is said to be lost, and the next one goes on behind the last event.
    #[test]
    fn a_viewer_that_was_cut_off_misses_nothing() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let server = thread::spawn(move || {
            let mut asked = Vec::new();
            for number in 7..=8 {
                let (mut stream, _) = listener.accept().expect("a viewer");
                let lines = BufReader::new(stream.try_clone().expect("a copy")).lines();
                let lines = lines.map(|line| line.expect("a line").to_lowercase());
                let request: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
                asked.push(request.join("\n"));
                write!(
                    stream,
                    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nid: {number}\n\
                     data: {{\"seq\":{number},\"event\":\"paused\",\"why\":\"{number}\",\"at\":\"\"}}\n\n"
                )
                .expect("written");
            }
            asked
        });
        let feeds = RefCell::new(Vec::new());
        follow(&address, &|feed| {
            let is_last = format!("{feed:?}").contains("\"8\"");
            feeds.borrow_mut().push(feed);
            !is_last
        });
        let asked = server.join().expect("no complaints");
        assert!(
            asked[0].starts_with("get /api/stream http/1.1"),
            "{asked:?}"
        );
        assert!(!asked[0].contains("last-event-id"), "{asked:?}");
        assert!(asked[1].contains("last-event-id: 7"), "{asked:?}");
        let feeds = feeds.take();
        assert!(
            matches!(
                &feeds[..],
                [
                    Feed::Connected,
                    Feed::Events(_),
                    Feed::Waiting(_),
                    Feed::Connected,
                    Feed::Events(_)
                ]
            ),
            "{feeds:?}"
        );
    }
}
