use std::sync::Arc;

use tokio::io::{DuplexStream, duplex, split};
use tokio::sync::Semaphore;

use super::*;

const LONG: Duration = Duration::from_mins(1);
const LINK: LinkId = 7;

/// A connection over a pipe that holds so many bytes, the peer's end of it, what the server gets, and
/// the permits.
fn connect(
    bytes: usize,
    patience: Duration,
) -> (Connection, DuplexStream, Receiver<Incoming>, Arc<Semaphore>) {
    let (here, there) = duplex(bytes);
    let (read, write) = split(here);
    let permits = Arc::new(Semaphore::new(1));
    let permit = Arc::clone(&permits).try_acquire_owned().expect("free");
    let (events, incoming) = channel(16);
    let stream = Stream::other(read, write, patience);
    let connection = Connection::open(
        LINK,
        stream,
        "peer".to_owned(),
        Inbox::for_player(events),
        permit,
    );
    (connection, there, incoming, permits)
}

#[tokio::test]
async fn lines_go_both_ways_over_any_stream() {
    let (mut connection, mut peer, mut incoming, permits) = connect(1 << 10, LONG);
    let before = Instant::now();
    let sent = connection.send("one\n", Some(1)).expect("queued");
    assert_eq!(sent, Sent::Queued);
    connection.send("two\n", None).expect("queued");
    connection.send("three\n", Some(3)).expect("queued");
    for expected in [1, 3] {
        let Some(Incoming::Sent(LINK, id, written)) = incoming.recv().await else {
            panic!("not written");
        };
        assert_eq!(id, expected);
        assert!(written >= before);
    }
    peer.write_all(b"answer\n").await.expect("open");
    let answer = incoming.recv().await;
    assert!(
        matches!(&answer, Some(Incoming::Frame(LINK, Frame::Line(line), _)) if line == "answer"),
        "{answer:?}"
    );
    // What was queued is written before the end.
    connection.send("last\n", None).expect("queued");
    drop(connection);
    let mut heard = String::new();
    peer.read_to_string(&mut heard).await.expect("text");
    assert_eq!(heard, "one\ntwo\nthree\nlast\n");
    drop(peer);
    let _free = permits.acquire().await.expect("a permit");
}

#[tokio::test]
async fn a_peer_that_takes_no_line_is_gone() {
    let patience = Duration::from_millis(20);
    let (mut connection, _peer, mut incoming, _) = connect(4, patience);
    connection.send("too long\n", Some(1)).expect("queued");
    let closed = incoming.recv().await;
    assert!(matches!(closed, Some(Incoming::Closed(LINK))), "{closed:?}");
    assert!(connection.send("more\n", None).is_err());
}

#[tokio::test]
async fn a_full_queue_breaks_the_connection() {
    let (mut connection, _peer, _incoming, _) = connect(4, LONG);
    for _ in 0..QUEUE_LENGTH {
        connection.send("line\n", None).expect("queued");
    }
    assert!(connection.send("line\n", None).is_err());
    let broken = connection.send("line\n", None).expect_err("broken");
    assert_eq!(broken.kind(), io::ErrorKind::BrokenPipe);
}
