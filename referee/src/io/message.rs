//! What reaches the referee's task from connections, processes, the arbiter and signals.

use std::net::SocketAddr;
use std::time::Instant;

use epd::protocol::frame::Frame;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// An input of the server.
#[derive(Debug)]
pub enum Incoming {
    /// A peer connected.
    Opened(TcpStream, SocketAddr, OwnedSemaphorePermit),
    /// A connection received a line at this instant.
    Frame(u64, Frame, Instant),
    /// A connection was closed.
    Closed(u64),
    /// A player that the referee started wrote these lines to its standard error.
    Stderr(usize, String),
    /// A player that the referee started has ended, with this exit status.
    Exited(usize, String),
    /// The arbiter gave a command; the answer goes back through the channel.
    Command(String, oneshot::Sender<String>),
    /// The referee was told to stop, by Ctrl-C for example.
    Shutdown,
}
