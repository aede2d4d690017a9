//! TLS to a referee: the handshake, then a reader and a writer for two threads.
//!
//! The state of the connection is behind a lock that nobody holds while waiting for the network: the
//! reader reads from the socket first, and the writer takes the encrypted bytes out before it writes
//! them.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use rustls::{ClientConnection, Error};

use crate::cli::Tls;

/// How long the handshake may take.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// A failure that another attempt would only repeat.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Final(String);

/// Whether an error is one that another attempt would only repeat.
pub fn is_final(error: &anyhow::Error) -> bool {
    error.is::<Final>()
}

/// Makes the handshake on a socket that is connected to `address`.
pub fn open(mut socket: TcpStream, address: &str, tls: &Tls) -> anyhow::Result<(Reader, Writer)> {
    let config = trust::config(&tls.trust).map_err(|error| Final(format!("{error:#}")))?;
    let name = trust::server_name(address, tls.server_name.as_deref())
        .map_err(|error| Final(error.to_string()))?;
    let mut connection = ClientConnection::new(Arc::new(config), name)?;
    shake_hands(&mut connection, &mut socket, tls)?;
    let reading = socket.try_clone()?;
    let shared = Arc::new(Shared {
        connection: Mutex::new(connection),
        socket: Mutex::new(socket),
    });
    let reader = Reader {
        shared: Arc::clone(&shared),
        socket: reading,
    };
    Ok((reader, Writer(shared)))
}

fn shake_hands(
    connection: &mut ClientConnection,
    socket: &mut TcpStream,
    tls: &Tls,
) -> anyhow::Result<()> {
    let begin = Instant::now();
    loop {
        while connection.wants_write() {
            connection.write_tls(socket)?;
        }
        if !connection.is_handshaking() {
            break;
        }
        let left = HANDSHAKE_TIMEOUT.saturating_sub(begin.elapsed());
        if left.is_zero() {
            return Err(too_late());
        }
        socket.set_read_timeout(Some(left))?;
        match connection.read_tls(socket) {
            Ok(0) => {
                return Err(anyhow!(
                    "the referee closed the connection in the TLS handshake"
                ));
            }
            Ok(_) => {}
            Err(error) if is_timeout(&error) => return Err(too_late()),
            Err(error) => return Err(error).context("TLS handshake"),
        }
        if let Err(error) = connection.process_new_packets() {
            // The alert tells the referee why; it may be gone already.
            let _ = connection.write_tls(socket);
            return Err(Final(explain(&error, tls)).into());
        }
    }
    socket.set_read_timeout(None)?;
    Ok(())
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

fn too_late() -> anyhow::Error {
    let limit = HANDSHAKE_TIMEOUT.as_secs();
    anyhow!("no TLS handshake within {limit} s; perhaps the referee does not use TLS")
}

fn explain(error: &Error, tls: &Tls) -> String {
    match error {
        Error::InvalidCertificate(error) => trust::explain(error, &tls.trust),
        Error::InvalidMessage(_) => {
            "the referee does not use TLS; connect without --tls, or add `tls` to its event file"
                .to_owned()
        }
        other => format!("TLS handshake: {other}"),
    }
}

/// What the reader and the writer share.
struct Shared {
    connection: Mutex<ClientConnection>,
    /// Locked by whoever writes, and always before the connection.
    socket: Mutex<TcpStream>,
}

/// A thread that panicked while it held the lock has told its user.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Writes all that waits to be sent. What the reader adds meanwhile is written too: the socket is given
    /// up only while nothing waits.
    fn flush(&self, mut socket: MutexGuard<'_, TcpStream>) -> io::Result<()> {
        loop {
            let mut encrypted = Vec::new();
            let mut connection = lock(&self.connection);
            while connection.wants_write() {
                connection.write_tls(&mut encrypted)?;
            }
            if encrypted.is_empty() {
                // In this order, see `decrypt`.
                drop(socket);
                drop(connection);
                return Ok(());
            }
            drop(connection);
            socket.write_all(&encrypted)?;
        }
    }

    /// Decrypts what was read from the socket.
    fn decrypt(&self, mut encrypted: &[u8]) -> io::Result<()> {
        let mut connection = lock(&self.connection);
        let mut result = Ok(());
        while !encrypted.is_empty() && result.is_ok() {
            connection.read_tls(&mut encrypted)?;
            let processed = connection.process_new_packets();
            result = processed.map(|_| ()).map_err(io::Error::other);
        }
        // A new key must be acknowledged, a bad record is answered by an alert.
        let must_answer = connection.wants_write();
        drop(connection);
        // The reader does not wait for a writer, who may wait until the referee reads, which may wait until
        // we read. Such a writer looks for the answer before it gives up the socket.
        if must_answer && let Ok(socket) = self.socket.try_lock() {
            self.flush(socket)?;
        }
        result
    }
}

/// What the referee sends, decrypted.
pub struct Reader {
    shared: Arc<Shared>,
    socket: TcpStream,
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut encrypted = [0; 4096];
        loop {
            match lock(&self.shared.connection).reader().read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
            match self.socket.read(&mut encrypted)? {
                0 => return Ok(0),
                count => self.shared.decrypt(&encrypted[..count])?,
            }
        }
    }
}

/// Encrypts what is sent to the referee.
pub struct Writer(Arc<Shared>);

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0.connection).writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush(lock(&self.0.socket))
    }
}

#[cfg(test)]
mod tests;
