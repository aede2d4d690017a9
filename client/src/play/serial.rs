//! A serial line to a referee: what the line damages is sent again ([`epd::protocol::serial`]).

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use epd::protocol::serial::End;
use serialport::SerialPort;

/// A line that does not go on for so long has ended.
const IDLE: Duration = Duration::from_millis(500);

/// Opens a device.
pub fn open(device: &Path, baud: u32) -> anyhow::Result<(Reader, Writer)> {
    let port = serialport::new(device.to_string_lossy(), baud);
    let port = port.timeout(IDLE).open()?;
    let shared = Shared {
        end: End::player(session()),
        port: port.try_clone()?,
    };
    let shared = Arc::new(Mutex::new(shared));
    let reader = Reader {
        port,
        shared: Arc::clone(&shared),
        ready: VecDeque::new(),
    };
    let writer = Writer {
        shared,
        unfinished: Vec::new(),
    };
    Ok((reader, writer))
}

/// A number for the session that the last ones on this line did not have.
fn session() -> u32 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(1, |now| (now.as_millis() % 1_000_000_000) as u32)
}

/// What the reading and the writing thread share.
struct Shared {
    end: End,
    port: Box<dyn SerialPort>,
}

impl Shared {
    /// Writes everything that is to be written.
    fn transmit(&mut self) -> io::Result<()> {
        while let Some(line) = self.end.transmit() {
            let mut rest = line.as_bytes();
            while !rest.is_empty() {
                match self.port.write(rest) {
                    Ok(count) => rest = &rest[count..],
                    // The line is slow.
                    Err(error) if error.kind() == io::ErrorKind::TimedOut => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }
}

/// Reads lines that have arrived whole.
pub struct Reader {
    port: Box<dyn SerialPort>,
    shared: Arc<Mutex<Shared>>,
    ready: VecDeque<u8>,
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut bytes = [0; 512];
        while self.ready.is_empty() {
            let count = match self.port.read(&mut bytes) {
                Ok(0) => return Ok(0),
                Ok(count) => Some(count),
                Err(error) if error.kind() == io::ErrorKind::TimedOut => None,
                Err(error) => return Err(error),
            };
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            match count {
                Some(count) => shared.end.push(&bytes[..count]),
                None => shared.end.idle(),
            }
            while let Some(line) = shared.end.receive() {
                self.ready.extend(line.bytes());
            }
            shared.transmit()?;
        }
        self.ready.read(buffer)
    }
}

/// Writes lines, and again if they did not arrive.
pub struct Writer {
    shared: Arc<Mutex<Shared>>,
    unfinished: Vec<u8>,
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unfinished.extend_from_slice(bytes);
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(end) = memchr::memchr(b'\n', &self.unfinished) {
            let line: Vec<u8> = self.unfinished.drain(..=end).collect();
            shared.end.send(&String::from_utf8_lossy(&line));
        }
        shared.transmit()?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
