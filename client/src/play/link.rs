//! The connection to a referee: TCP with or without TLS, named pipes, a serial line or standard streams (decision 4).

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use socket2::{SockRef, TcpKeepalive};

use super::{serial, tls};
use crate::cli::{Referee, Tls};

/// How long an address of the referee may take to answer.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long, if there is another referee to try.
pub const SHORT_CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// A referee that is cut off is noticed within about this time.
const PING: Duration = Duration::from_secs(6);

/// The input from a referee.
pub type Incoming = Box<dyn Read + Send>;

/// The output to a referee.
pub struct Outgoing {
    write: Box<dyn Write + Send>,
    socket: Option<TcpStream>,
}

impl Outgoing {
    /// Sends a line.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.write.write_all(line.as_bytes())?;
        self.write.flush()
    }

    /// Ends the connection, which also wakes the thread that reads from it.
    pub fn close(&self) {
        if let Some(socket) = &self.socket {
            // The other side may have closed it already.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}

/// Connects to a referee, which may take so long for each of its addresses.
pub fn open(referee: &Referee, limit: Duration) -> anyhow::Result<(Incoming, Outgoing)> {
    match referee {
        Referee::Tcp(address) => {
            tcp(address, None, limit).with_context(|| format!("cannot connect to {address}"))
        }
        Referee::Tls(address, tls) => {
            tcp(address, Some(tls), limit).with_context(|| format!("cannot connect to {address}"))
        }
        Referee::Fifo(base) => fifo(base),
        Referee::Serial(device, baud) => {
            serial(device, *baud).with_context(|| format!("cannot open {}", device.display()))
        }
        Referee::Standard => Ok(pair(io::stdin(), io::stdout())),
    }
}

fn pair(
    read: impl Read + Send + 'static,
    write: impl Write + Send + 'static,
) -> (Incoming, Outgoing) {
    let outgoing = Outgoing {
        write: Box::new(write),
        socket: None,
    };
    (Box::new(read), outgoing)
}

fn tcp(address: &str, tls: Option<&Tls>, limit: Duration) -> anyhow::Result<(Incoming, Outgoing)> {
    let stream = connect(address, limit)?;
    notice_silence(&stream)?;
    // The other side waits for every record.
    stream.set_nodelay(true)?;
    let (read, mut outgoing) = if let Some(tls) = tls {
        let (read, write) = tls::open(stream.try_clone()?, address, tls)?;
        pair(read, write)
    } else {
        let read = Plain {
            socket: stream.try_clone()?,
            is_new: true,
        };
        pair(read, stream.try_clone()?)
    };
    outgoing.socket = Some(stream);
    Ok((read, outgoing))
}

/// The input of a connection without TLS, which fails with [`io::ErrorKind::InvalidData`] if the other
/// side begins with a record of TLS.
struct Plain {
    socket: TcpStream,
    is_new: bool,
}

impl Read for Plain {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.socket.read(buffer)?;
        // An alert or a handshake. No line of EPD begins with such a character.
        if std::mem::take(&mut self.is_new) && matches!(buffer[..count], [0x15 | 0x16, ..]) {
            let why = "the referee uses TLS; connect with --tls";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(count)
    }
}

/// Tries the addresses of a host one after the other.
fn connect(address: &str, limit: Duration) -> io::Result<TcpStream> {
    let mut failure = None;
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, limit) {
            Ok(stream) => return Ok(stream),
            Err(error) => failure = Some(error),
        }
    }
    Err(failure.unwrap_or_else(|| io::ErrorKind::AddrNotAvailable.into()))
}

/// Makes the system check whether a silent referee is still there, and end the connection if it is not
/// (decision 10).
fn notice_silence(stream: &TcpStream) -> io::Result<()> {
    let socket = SockRef::from(stream);
    let keepalive = TcpKeepalive::new().with_time(PING / 3);
    #[cfg(any(
        target_os = "linux",
        target_os = "macos",
        target_os = "freebsd",
        windows
    ))]
    let keepalive = keepalive.with_interval(PING / 3);
    #[cfg(any(target_os = "linux", target_os = "macos", target_os = "freebsd"))]
    let keepalive = keepalive.with_retries(2);
    socket.set_tcp_keepalive(&keepalive)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(PING))?;
    Ok(())
}

/// The two named pipes, which the Duplex referee creates: `BASE.pc0` is written, `BASE.pc1` read.
fn fifo(base: &Path) -> anyhow::Result<(Incoming, Outgoing)> {
    let open = |end| {
        let mut name = base.as_os_str().to_owned();
        name.push(end);
        // Opened for reading and writing, a pipe does not block.
        let file = OpenOptions::new().read(true).write(true).open(&name);
        file.with_context(|| format!("cannot open {}", Path::new(&name).display()))
    };
    Ok(pair(open(".pc1")?, open(".pc0")?))
}

fn serial(device: &Path, baud: u32) -> anyhow::Result<(Incoming, Outgoing)> {
    let (read, write) = serial::open(device, baud)?;
    Ok(pair(read, write))
}
