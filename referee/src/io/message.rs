//! What reaches the referee's task from connections, processes, the arbiter and signals.

use std::time::Instant;

use epd::protocol::Term;
use epd::protocol::frame::Frame;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use crate::core::event::{LinkId, Peer, ProgramId, SendId};
use crate::io::stream::Stream;
use crate::io::tls::Handshake;

/// An input of the server.
#[derive(Debug)]
pub enum Incoming {
    /// A peer connected.
    Opened(Stream, Peer, OwnedSemaphorePermit),
    /// A peer connected that has to make a handshake first.
    OpenedTls(Handshake, Peer, OwnedSemaphorePermit),
    /// A peer cannot take part for this reason, such as a failed handshake.
    Unfit(LinkId, String),
    /// A connection received a line at this instant.
    Frame(LinkId, Frame, Instant),
    /// A connection received this many blank lines.
    Blank(LinkId, usize),
    /// A connection was closed.
    Closed(LinkId),
    /// A connection wrote a line from its queue at this instant.
    Sent(LinkId, SendId, Instant),
    /// A message about the transport of a player.
    Transport(String),
    /// A player that the referee started wrote these lines to its standard error.
    Stderr(ProgramId, String),
    /// A player that the referee started has ended, with this exit status.
    Exited(ProgramId, String),
    /// What an observer gets first has been read from the files, or could not be.
    Prepared(LinkId, anyhow::Result<Prepared>),
    /// A later referee of the event has answered (its term and the proof).
    Superseded(Term),
    /// The arbiter gave an order; the answer goes back through the channel.
    Order(String, oneshot::Sender<Answer>),
    /// The input of a peer that has not signed on, and its turn; see [`Inbox`](crate::io::inbox::Inbox).
    Stranger(Box<Incoming>, OwnedSemaphorePermit),
    /// The referee was told to stop, by Ctrl-C for example.
    Shutdown,
}

/// What an observer gets first.
#[derive(Debug)]
pub struct Prepared {
    /// From where on it gets the journal.
    pub from: u64,
    /// Whole lines, in their order.
    pub lines: Vec<String>,
}

/// The answer to an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The text.
    pub text: String,
    /// Whether the order was refused.
    pub is_refused: bool,
}
