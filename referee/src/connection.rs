//! A connection as the referee sees it: a line in, a line out, and nothing that could be waited for.

use std::io;
use std::time::Instant;

use epd::protocol::frame::{Frame, Frames};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc::Sender;
use tokio::task::AbortHandle;

use crate::server::Incoming;

/// The way to a peer. The connection ends with this value.
#[derive(Debug)]
pub struct Connection {
    write: OwnedWriteHalf,
    reader: AbortHandle,
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
    /// too fast waits.
    pub fn open(
        id: u64,
        stream: TcpStream,
        peer: String,
        events: Sender<Incoming>,
    ) -> io::Result<Self> {
        // Every record is awaited on the other side.
        stream.set_nodelay(true)?;
        let (read, write) = stream.into_split();
        let reader = tokio::spawn(read_lines(id, read, events)).abort_handle();
        Ok(Self {
            write,
            reader,
            peer,
            since: Instant::now(),
            player: None,
            strikes: 0,
        })
    }

    /// Writes a line at once. A peer that does not read, so that there is no room, is an error: it
    /// cannot be waited for.
    pub fn send(&self, line: &str) -> io::Result<()> {
        let written = self.write.try_write(line.as_bytes())?;
        if written < line.len() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        Ok(())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

async fn read_lines(id: u64, mut read: OwnedReadHalf, events: Sender<Incoming>) {
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
