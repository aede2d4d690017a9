//! A connection as the referee sees it: a line in, a line out, and nothing that could be waited for.

use std::io;
use std::pin::pin;
use std::time::{Duration, Instant};

use epd::protocol::frame::{Frame, Frames};
use socket2::{SockRef, TcpKeepalive};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc::Sender;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::time::timeout;

use crate::server::Incoming;

/// After so much silence the system asks whether the peer is still there (decision 10).
const KEEP_ALIVE: Duration = Duration::from_secs(30);
/// How long, and how much, a peer that is turned away may go on sending: a socket that is closed with
/// something unread takes the last record sent, which says why, away from the peer.
const LINGER: Duration = Duration::from_secs(1);
/// See [`LINGER`].
const LINGER_BYTES: usize = 1 << 20;

/// The way to a peer. The connection ends with this value.
#[derive(Debug)]
pub struct Connection {
    write: OwnedWriteHalf,
    /// Nothing more can be sent.
    is_broken: bool,
    /// The reading task learns from the end of this that the connection is given up.
    _open: oneshot::Sender<()>,
    /// Where it comes from.
    pub peer: String,
    /// When it was opened.
    pub since: Instant,
    /// The player that it is, once it has signed on.
    pub player: Option<usize>,
    /// Records that made no sense or were not asked for.
    pub strikes: u32,
}

impl Connection {
    /// Begins to read from a stream. What comes goes into a channel that has little room: who sends
    /// too fast waits. The place is given back when the socket is closed.
    pub fn open(
        id: u64,
        stream: TcpStream,
        peer: String,
        events: Sender<Incoming>,
        place: OwnedSemaphorePermit,
    ) -> io::Result<Self> {
        // Every record is awaited on the other side.
        stream.set_nodelay(true)?;
        SockRef::from(&stream).set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEP_ALIVE))?;
        let (read, write) = stream.into_split();
        let (open, closed) = oneshot::channel();
        tokio::spawn(async move {
            read_until(id, read, events, closed).await;
            drop(place);
        });
        Ok(Self {
            write,
            is_broken: false,
            _open: open,
            peer,
            since: Instant::now(),
            player: None,
            strikes: 0,
        })
    }

    /// Writes a line at once. A peer that does not read, so that there is no room, is an error: it
    /// cannot be waited for.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        if self.is_broken {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let written = self.write.try_write(line.as_bytes());
        // Half a line must not be followed by another one.
        self.is_broken = !matches!(written, Ok(count) if count == line.len());
        written?;
        if self.is_broken {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        Ok(())
    }
}

/// Reads until the peer or the referee gives the connection up.
async fn read_until(
    id: u64,
    mut read: OwnedReadHalf,
    events: Sender<Incoming>,
    closed: oneshot::Receiver<()>,
) {
    let given_up = {
        let reading = pin!(read_lines(id, &mut read, events));
        tokio::select! {
            () = reading => false,
            _ = closed => true,
        }
    };
    if given_up {
        // Who goes on for too long is cut off.
        let _ = timeout(LINGER, pass_over(&mut read)).await;
    }
}

async fn read_lines(id: u64, read: &mut OwnedReadHalf, events: Sender<Incoming>) {
    let mut frames = Frames::default();
    let mut bytes = [0; 2048];
    let mut found: Vec<Frame> = Vec::new();
    while let Ok(count @ 1..) = read.read(&mut bytes).await {
        // This instant counts for the clock, whenever the referee gets round to the line.
        let now = Instant::now();
        frames.push(&bytes[..count], |frame| found.push(frame));
        for frame in found.drain(..) {
            if events.send(Incoming::Came(id, frame, now)).await.is_err() {
                return;
            }
        }
    }
    // Nobody is left to tell when the referee is going.
    let _ = events.send(Incoming::Closed(id)).await;
}

async fn pass_over(read: &mut OwnedReadHalf) {
    let mut bytes = [0; 2048];
    let mut left = LINGER_BYTES;
    while let Ok(count @ 1..) = read.read(&mut bytes).await {
        left = left.saturating_sub(count);
        if left == 0 {
            return;
        }
    }
}
