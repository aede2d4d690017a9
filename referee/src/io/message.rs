//! What reaches the referee's task from connections, processes, the arbiter and signals.

use std::net::SocketAddr;
use std::time::Instant;

use epd::protocol::frame::Frame;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use crate::core::event::ProgramId;

/// An input of the server.
#[derive(Debug)]
pub enum Incoming {
    /// A peer connected.
    Opened(TcpStream, SocketAddr, OwnedSemaphorePermit),
    /// A connection received a line at this instant.
    Frame(u64, Frame, Instant),
    /// A connection received this many blank lines.
    Blank(u64, usize),
    /// A connection was closed.
    Closed(u64),
    /// A player that the referee started wrote these lines to its standard error.
    Stderr(ProgramId, String),
    /// A player that the referee started has ended, with this exit status.
    Exited(ProgramId, String),
    /// The arbiter gave an order; the answer goes back through the channel.
    Order(String, oneshot::Sender<Answer>),
    /// The referee was told to stop, by Ctrl-C for example.
    Shutdown,
}

/// The answer to an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The text.
    pub text: String,
    /// Whether the order was refused.
    pub is_refused: bool,
}
