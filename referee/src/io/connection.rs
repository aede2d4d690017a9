//! One TCP connection: a task reads lines into the server's queue; lines are written without waiting.

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

use crate::io::message::Incoming;

/// After this much silence the system checks whether the peer is still there (decision 10).
const KEEP_ALIVE: Duration = Duration::from_secs(30);
/// How long the rest of a rejected peer's input is read and dropped. Closing a socket with unread input
/// resets it, and the peer would lose our last record, which says why it was rejected.
const LINGER: Duration = Duration::from_secs(1);
/// At most this much of a rejected peer's input is read; see [`LINGER`].
const LINGER_BYTES: usize = 1 << 20;

/// The writing half of a connection. Dropping it closes the connection.
#[derive(Debug)]
pub struct Connection {
    write: OwnedWriteHalf,
    /// A write failed: nothing more can be sent.
    is_broken: bool,
    /// Dropping this tells the reading task to stop.
    _open: oneshot::Sender<()>,
    /// The peer's address.
    pub peer: String,
    /// When the connection was opened.
    pub since: Instant,
    /// The player's number, once it has signed on.
    pub player: Option<usize>,
    /// The number of invalid or unexpected records since the player's last move.
    pub strikes: u32,
}

impl Connection {
    /// Starts to read from a stream. Input goes into a bounded channel, so that a peer that sends too
    /// fast has to wait. The permit is released when the socket is closed.
    pub fn open(
        id: u64,
        stream: TcpStream,
        peer: String,
        events: Sender<Incoming>,
        permit: OwnedSemaphorePermit,
    ) -> io::Result<Self> {
        // The peer waits for every record: send it at once.
        stream.set_nodelay(true)?;
        SockRef::from(&stream).set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEP_ALIVE))?;
        let (read, write) = stream.into_split();
        let (open, closed) = oneshot::channel();
        tokio::spawn(async move {
            read_until(id, read, events, closed).await;
            drop(permit);
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

    /// Writes a line without waiting. It is an error if the socket's buffer is full because the peer
    /// does not read.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        if self.is_broken {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let written = self.write.try_write(line.as_bytes());
        // After half a line, another one would be garbage.
        self.is_broken = !matches!(written, Ok(count) if count == line.len());
        written?;
        if self.is_broken {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        Ok(())
    }
}

/// Reads until the peer or the server closes the connection.
async fn read_until(
    id: u64,
    mut read: OwnedReadHalf,
    events: Sender<Incoming>,
    closed: oneshot::Receiver<()>,
) {
    let closed_by_server = {
        let reading = pin!(read_lines(id, &mut read, events));
        tokio::select! {
            () = reading => false,
            _ = closed => true,
        }
    };
    if closed_by_server {
        // Then the socket is closed, even if the peer still sends.
        let _ = timeout(LINGER, drain(&mut read)).await;
    }
}

async fn read_lines(id: u64, read: &mut OwnedReadHalf, events: Sender<Incoming>) {
    let mut frames = Frames::default();
    let mut bytes = [0; 2048];
    let mut found: Vec<Frame> = Vec::new();
    while let Ok(count @ 1..) = read.read(&mut bytes).await {
        // The chess clock counts until this instant, however late the server handles the line.
        let now = Instant::now();
        frames.push(&bytes[..count], |frame| found.push(frame));
        for frame in found.drain(..) {
            if events.send(Incoming::Frame(id, frame, now)).await.is_err() {
                return;
            }
        }
    }
    // The server may have ended already.
    let _ = events.send(Incoming::Closed(id)).await;
}

async fn drain(read: &mut OwnedReadHalf) {
    let mut bytes = [0; 2048];
    let mut left = LINGER_BYTES;
    while let Ok(count @ 1..) = read.read(&mut bytes).await {
        left = left.saturating_sub(count);
        if left == 0 {
            return;
        }
    }
}
