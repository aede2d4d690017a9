//! The byte streams that a connection can run over.

use std::fmt;
use std::io;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;

/// The reading half of a stream.
pub type Read = Box<dyn AsyncRead + Send + Unpin>;

/// The writing half of a stream.
pub enum Write {
    /// A socket, whose buffer takes whole lines without waiting.
    Socket(OwnedWriteHalf),
    /// Anything else, and the longest time that it may take for a line.
    Other(Box<dyn AsyncWrite + Send + Unpin>, Duration),
}

/// A byte stream in both directions.
pub struct Stream {
    /// The reading half.
    pub read: Read,
    /// The writing half.
    pub write: Write,
    /// Whether what the peer sends is read for a while after the end: closing a socket with unread input
    /// resets it, and the peer would lose our last record.
    pub lingers: bool,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}

impl Stream {
    /// A plain TCP connection. Call [`set_options`] first.
    pub fn tcp(stream: TcpStream) -> Self {
        let (read, write) = stream.into_split();
        Self {
            read: Box::new(read),
            write: Write::Socket(write),
            lingers: true,
        }
    }

    /// Any other socket. The peer counts as gone when it does not take a line within `patience`.
    pub fn other(
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
        patience: Duration,
    ) -> Self {
        Self {
            read: Box::new(read),
            write: Write::Other(Box::new(write), patience),
            lingers: true,
        }
    }

    /// A stream that is not a socket: what the peer sends after the end is left to whoever opens it next.
    pub fn local(
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
        patience: Duration,
    ) -> Self {
        Self {
            lingers: false,
            ..Self::other(read, write, patience)
        }
    }
}

/// Makes a TCP connection send every record at once, because the peer waits for it, and end when the peer
/// has been cut off for about the time of `ping`.
pub fn set_options(stream: &TcpStream, ping: Duration) -> io::Result<()> {
    stream.set_nodelay(true)?;
    notice_silence(stream, ping)
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
