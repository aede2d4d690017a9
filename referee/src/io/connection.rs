//! One TCP connection: a task reads lines into the server's queue; lines are written without waiting.

use std::io;
use std::net::SocketAddr;
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

use crate::core::fail;
use crate::io::message::Incoming;

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
    /// What logs call it: the peer's address, then the player's name.
    pub who: String,
}

impl Connection {
    /// Starts to read from a stream. Input goes into a bounded channel, so that a peer that sends too
    /// fast has to wait. The permit is released when the socket is closed. A peer that is cut off counts
    /// as gone after about the time of `ping`.
    pub fn open(
        id: u64,
        stream: TcpStream,
        peer: SocketAddr,
        ping: Duration,
        events: Sender<Incoming>,
        permit: OwnedSemaphorePermit,
    ) -> io::Result<Self> {
        // The peer waits for every record: send it at once.
        stream.set_nodelay(true)?;
        notice_silence(&stream, ping)?;
        let (read, write) = stream.into_split();
        let (open, closed) = oneshot::channel();
        tokio::spawn(async move {
            let reading = tokio::spawn(read_until(id, read, events.clone(), closed));
            if reading.await.is_err() {
                // It has panicked, which costs this connection alone. The server may have ended already.
                let _ = events.send(Incoming::Closed(id)).await;
            }
            drop(permit);
        });
        Ok(Self {
            write,
            is_broken: false,
            _open: open,
            who: peer.to_string(),
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

/// Makes the system notice a peer that is cut off within about the `ping` of the event (decision 10): it
/// probes a silent peer after each third of that time, and closes the connection if nothing has been
/// acknowledged for the whole of it.
fn notice_silence(stream: &TcpStream, ping: Duration) -> io::Result<()> {
    let socket = SockRef::from(stream);
    // The system counts whole seconds.
    let third = (ping / 3).max(Duration::from_secs(1));
    let keepalive = TcpKeepalive::new().with_time(third);
    #[cfg(any(
        target_os = "linux",
        target_os = "macos",
        target_os = "freebsd",
        windows
    ))]
    let keepalive = keepalive.with_interval(third);
    #[cfg(any(target_os = "linux", target_os = "macos", target_os = "freebsd"))]
    let keepalive = keepalive.with_retries(2);
    socket.set_tcp_keepalive(&keepalive)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(ping))?;
    Ok(())
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
        fail::point("read");
        // The chess clock counts until this instant, however late the server handles the line.
        let now = Instant::now();
        frames.push(&bytes[..count], |frame| found.push(frame));
        let ends = memchr::memchr_iter(b'\n', &bytes[..count]).count();
        // Each line has one end; the end of a line that is too long comes after it was found.
        let blank = ends.saturating_sub(found.len());
        if blank > 0 && events.send(Incoming::Blank(id, blank)).await.is_err() {
            return;
        }
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
