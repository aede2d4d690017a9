//! A connection over any stream: a task reads lines into the server's queue; lines are written without
//! waiting.

use std::io;
use std::pin::pin;
use std::time::{Duration, Instant};

use epd::protocol::frame::{Frame, Frames};
use tokio::io::{AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::time::timeout;

use crate::core::event::{LinkId, SendId};
use crate::core::fail;
use crate::io::inbox::Inbox;
use crate::io::message::Incoming;
use crate::io::stream::{Read, Stream, Write};
use crate::io::tls::{HELLO, Handshake, NO_TLS, Outcome};

/// How long the rest of a rejected peer's input is read and dropped, and how long writing the last
/// records may take.
const LINGER: Duration = Duration::from_secs(1);
/// At most this much of a rejected peer's input is read; see [`LINGER`].
const LINGER_BYTES: usize = 1 << 20;

/// How many lines may wait to be written to a stream that takes them one after the other: more than a
/// player needs who comes back to the longest game.
const QUEUE_LENGTH: usize = 4096;

/// The writing half of a connection. Dropping it closes the connection.
#[derive(Debug)]
pub struct Connection {
    writer: Writer,
    /// A write failed: nothing more can be sent.
    is_broken: bool,
    /// Dropping this tells the reading task to stop.
    _open: oneshot::Sender<()>,
    inbox: Inbox,
    who: String,
}

/// What takes lines without waiting.
#[derive(Debug)]
enum Writer {
    /// A socket, whose buffer takes whole lines.
    Socket(OwnedWriteHalf),
    /// A queue of lines for a task that writes them.
    Queue(Sender<Line>),
}

/// A line in the queue of a connection.
#[derive(Debug)]
struct Line {
    text: String,
    /// Its number, if the server is to learn when it was written.
    id: Option<SendId>,
}

/// What became of a line that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// It has been written.
    Written,
    /// It waits to be written; [`Incoming::Sent`] follows.
    Queued,
}

impl Connection {
    /// Starts to read from a stream. Input goes into a bounded channel, so that a peer that sends too
    /// fast has to wait. The permit is released when the stream is closed.
    #[must_use]
    pub fn open(
        link: LinkId,
        stream: Stream,
        who: String,
        inbox: Inbox,
        permit: OwnedSemaphorePermit,
    ) -> Self {
        let Stream {
            read,
            write,
            lingers,
        } = stream;
        let (open, closed) = oneshot::channel();
        let admitted = inbox.clone();
        let writer = match write {
            Write::Socket(socket) => {
                let reading = read_until(link, read, lingers, inbox.clone(), closed);
                run(link, inbox, permit, reading);
                Writer::Socket(socket)
            }
            Write::Other(write, patience) => {
                let (queue, lines) = channel(QUEUE_LENGTH);
                let writing = write_queued(link, write, patience, lines, inbox.clone());
                let reading = read_until(link, read, lingers, inbox.clone(), closed);
                run(link, inbox, permit, async {
                    tokio::join!(biased; writing, reading);
                });
                Writer::Queue(queue)
            }
        };
        Self {
            writer,
            is_broken: false,
            _open: open,
            inbox: admitted,
            who,
        }
    }

    /// Makes a handshake and then reads from the stream, as [`Connection::open`] does. Lines that are sent
    /// before wait in the queue.
    #[must_use]
    pub fn open_tls(
        link: LinkId,
        handshake: Handshake,
        who: String,
        inbox: Inbox,
        permit: OwnedSemaphorePermit,
    ) -> Self {
        let (open, mut closed) = oneshot::channel();
        let (queue, mut lines) = channel(QUEUE_LENGTH);
        let admitted = inbox.clone();
        run(link, inbox.clone(), permit, async move {
            let outcome = tokio::select! {
                outcome = handshake.complete() => outcome,
                _ = &mut closed => return,
            };
            let (incoming, stream) = match outcome {
                Outcome::Secured(stream) => (None, Some(stream)),
                Outcome::Refused(why, stream) => (Some(Incoming::Unfit(link, why)), stream),
                Outcome::Gone => (Some(Incoming::Closed(link)), None),
            };
            if stream.is_none() {
                // Nothing can be sent.
                lines.close();
            }
            if let Some(incoming) = incoming {
                // The server may have ended already.
                let _ = inbox.send(incoming).await;
            }
            if let Some(Stream {
                read,
                write: Write::Other(write, patience),
                lingers,
            }) = stream
            {
                let writing = write_queued(link, write, patience, lines, inbox.clone());
                let reading = read_until(link, read, lingers, inbox, closed);
                tokio::join!(biased; writing, reading);
            }
        });
        Self {
            writer: Writer::Queue(queue),
            is_broken: false,
            _open: open,
            inbox: admitted,
            who,
        }
    }

    /// Lets lines wait in a queue that is longer than the socket's buffer, each for at most `patience` once it
    /// is its turn.
    pub fn queue(&mut self, link: LinkId, patience: Duration) {
        let (queue, lines) = channel(QUEUE_LENGTH);
        if let Writer::Socket(_) = self.writer
            && let Writer::Socket(socket) =
                std::mem::replace(&mut self.writer, Writer::Queue(queue))
        {
            let socket = Box::new(socket);
            let writing = write_queued(link, socket, patience, lines, self.inbox.clone());
            tokio::spawn(writing);
        }
    }

    /// The peer has signed on as this player.
    pub fn admit(&mut self, name: String) {
        self.who = name;
        self.inbox.admit();
    }

    /// Whether the peer has signed on.
    #[must_use]
    pub fn is_admitted(&self) -> bool {
        self.inbox.is_admitted()
    }

    /// What logs call it: the peer's address, then the player's name.
    #[must_use]
    pub fn who(&self) -> &str {
        &self.who
    }

    /// Writes a line without waiting, or puts it into the queue. It is an error if the socket's buffer or
    /// the queue is full because the peer does not read. The server learns when a line with a number
    /// was written.
    pub fn send(&mut self, line: &str, id: Option<SendId>) -> io::Result<Sent> {
        if self.is_broken {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let sent = match &self.writer {
            Writer::Socket(socket) => match socket.try_write(line.as_bytes()) {
                Ok(count) if count == line.len() => Ok(Sent::Written),
                // After half a line, another one would be garbage.
                Ok(_) => Err(io::ErrorKind::WouldBlock.into()),
                Err(error) => Err(error),
            },
            Writer::Queue(queue) => {
                let text = line.to_owned();
                let queued = queue.try_send(Line { text, id });
                queued
                    .map(|()| Sent::Queued)
                    .map_err(|_| io::ErrorKind::WouldBlock.into())
            }
        };
        self.is_broken = sent.is_err();
        sent
    }
}

/// Writes lines until the server closes the connection, and tells when each was written. A peer that does
/// not take a line within `patience` counts as gone.
async fn write_queued(
    link: LinkId,
    mut write: Box<dyn AsyncWrite + Send + Unpin>,
    patience: Duration,
    mut lines: Receiver<Line>,
    inbox: Inbox,
) {
    while let Some(Line { text, id }) = lines.recv().await {
        let written = timeout(patience, async {
            write.write_all(text.as_bytes()).await?;
            write.flush().await
        });
        if !matches!(written.await, Ok(Ok(()))) {
            // The server may have ended already.
            let _ = inbox.send(Incoming::Closed(link)).await;
            return;
        }
        if let Some(id) = id {
            let _ = inbox.send(Incoming::Sent(link, id, Instant::now())).await;
        }
    }
    let _ = timeout(LINGER, write.shutdown()).await;
}

/// Runs the task of a connection. If it panics, that costs this connection alone.
fn run(
    link: LinkId,
    inbox: Inbox,
    permit: OwnedSemaphorePermit,
    task: impl Future<Output = ()> + Send + 'static,
) {
    tokio::spawn(async move {
        if tokio::spawn(task).await.is_err() {
            // The server may have ended already.
            let _ = inbox.send(Incoming::Closed(link)).await;
        }
        drop(permit);
    });
}

/// Reads until the peer or the server closes the connection.
async fn read_until(
    link: LinkId,
    mut read: Read,
    lingers: bool,
    inbox: Inbox,
    closed: oneshot::Receiver<()>,
) {
    let closed_by_server = {
        let reading = pin!(read_lines(link, &mut read, inbox));
        tokio::select! {
            () = reading => false,
            _ = closed => true,
        }
    };
    if closed_by_server && lingers {
        // Then the stream is closed, even if the peer still sends.
        let _ = timeout(LINGER, drain(&mut read)).await;
    }
}

async fn read_lines(link: LinkId, read: &mut Read, inbox: Inbox) {
    let mut frames = Frames::default();
    let mut bytes = [0; 2048];
    let mut found: Vec<Frame> = Vec::new();
    let mut is_new = true;
    while let Ok(count @ 1..) = read.read(&mut bytes).await {
        if std::mem::take(&mut is_new) && bytes[..count].starts_with(&HELLO) {
            let why = NO_TLS.to_owned();
            let _ = inbox.send(Incoming::Unfit(link, why)).await;
            // The server closes the connection.
            return std::future::pending().await;
        }
        fail::point("read");
        // The chess clock counts until this instant, however late the server handles the line.
        let now = Instant::now();
        frames.push(&bytes[..count], |frame| found.push(frame));
        let ends = memchr::memchr_iter(b'\n', &bytes[..count]).count();
        // Each line has one end; the end of a line that is too long comes after it was found.
        let blank = ends.saturating_sub(found.len());
        if blank > 0 && inbox.send(Incoming::Blank(link, blank)).await.is_err() {
            return;
        }
        for frame in found.drain(..) {
            if inbox.send(Incoming::Frame(link, frame, now)).await.is_err() {
                return;
            }
        }
    }
    // The server may have ended already.
    let _ = inbox.send(Incoming::Closed(link)).await;
}

async fn drain(read: &mut Read) {
    let mut bytes = [0; 2048];
    let mut left = LINGER_BYTES;
    while let Ok(count @ 1..) = read.read(&mut bytes).await {
        left = left.saturating_sub(count);
        if left == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
