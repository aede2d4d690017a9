//! Serial lines (EPD 3.2): what the line damages is repeated ([`epd::protocol::serial`]).

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use epd::protocol::serial::End;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, ReadHalf, duplex, split};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_serial::{SerialPortBuilderExt as _, SerialStream};

use crate::io::message::Incoming;
use crate::io::stream::Stream;

/// A line that does not go on for so long has ended.
const IDLE: Duration = Duration::from_millis(500);
/// How long the last records may still be asked for again.
const LINGER: Duration = Duration::from_secs(2);
/// How often to try whether a device that failed is there again.
const RETRY: Duration = Duration::from_secs(1);
/// How often at most the arbiter is told of damaged records.
const REPORT_PAUSE: Duration = Duration::from_mins(1);
/// What a connection may hold that the line has not taken: the moves of a long game.
const BUFFER: usize = 1 << 20;
/// Bits of a character with its start and stop bits.
const CHARACTER: f64 = 10.0;

/// Hands connections to the task that owns a device. The device stays open from one connection to the
/// next, so that nothing is lost between them.
#[derive(Clone)]
pub struct Line {
    connections: Sender<DuplexStream>,
    patience: Duration,
}

impl Line {
    /// Opens a device, and starts a task that owns it. A player that has signed on at an earlier referee
    /// is asked to do so again.
    pub fn open(
        device: &Path,
        baud: u32,
        is_resumed: bool,
        name: &str,
        events: &Sender<Incoming>,
    ) -> io::Result<(Self, JoinHandle<()>)> {
        let port = open(device, baud)?;
        let (connections, next) = channel(1);
        let mut end = End::referee();
        if is_resumed {
            end.ask_to_sign_on();
        }
        let pump = Pump {
            device: device.to_owned(),
            baud,
            end,
            free: Instant::now(),
            heard: Instant::now(),
            buffer: Vec::new(),
            reported: (None, 0),
            name: name.to_owned(),
            events: events.clone(),
        };
        let line = Self {
            connections,
            patience: IDLE,
        };
        Ok((line, tokio::spawn(pump.run(port, next))))
    }

    /// The next connection over the line.
    pub fn connect(&self) -> anyhow::Result<Stream> {
        let (near, far) = duplex(BUFFER);
        self.connections.try_send(far)?;
        let (read, write) = split(near);
        Ok(Stream::local(read, write, self.patience))
    }
}

fn open(device: &Path, baud: u32) -> io::Result<SerialStream> {
    Ok(tokio_serial::new(device.to_string_lossy(), baud).open_native_async()?)
}

/// Carries lines between a device and one connection after the other.
struct Pump {
    device: PathBuf,
    baud: u32,
    end: End,
    /// When the line has carried what was written.
    free: Instant,
    /// When something was last read or written.
    heard: Instant,
    /// A line of the connection whose end has not come yet.
    buffer: Vec<u8>,
    /// When the arbiter was last told of damaged records, and their number then.
    reported: (Option<Instant>, u64),
    name: String,
    events: Sender<Incoming>,
}

impl Pump {
    async fn run(mut self, mut port: SerialStream, mut connections: Receiver<DuplexStream>) {
        while let Some(connection) = connections.recv().await {
            if let Err(error) = self.serve(&mut port, connection).await {
                self.tell(&error.to_string()).await;
                port = self.reopen().await;
            }
        }
        // The referee ends: the last records may be damaged like any others.
        let (_open, connection) = duplex(BUFFER);
        let _ = timeout(LINGER, self.serve(&mut port, connection)).await;
    }

    /// Carries lines until the connection ends and all of it is written.
    async fn serve(&mut self, port: &mut SerialStream, connection: DuplexStream) -> io::Result<()> {
        let (mut read, mut write) = split(connection);
        let (mut is_open, mut from_port, mut from_near) = (true, [0; 512], [0; 4096]);
        loop {
            while let Some(line) = self.end.receive() {
                // The connection may have ended.
                let _ = write.write_all(line.as_bytes()).await;
            }
            let can_write = self.free <= Instant::now();
            if can_write && let Some(line) = self.end.transmit() {
                port.write_all(line.as_bytes()).await?;
                self.occupy(line.len());
                continue;
            }
            if can_write && !is_open {
                return Ok(());
            }
            let wake = if can_write {
                self.heard + IDLE
            } else {
                self.free
            };
            tokio::select! {
                count = port.read(&mut from_port) => {
                    let count = count?;
                    if count == 0 {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                    self.heard = Instant::now();
                    self.end.push(&from_port[..count]);
                    self.report_damage().await;
                }
                count = read_open(&mut read, &mut from_near, is_open) => {
                    is_open = count > 0;
                    self.take(&from_near[..count]);
                }
                () = tokio::time::sleep_until(wake.into()) => {
                    if can_write {
                        self.heard = Instant::now();
                        self.end.idle();
                    }
                }
            }
        }
    }

    /// The line is busy until it has carried so many characters: what is in the buffers of the system
    /// could not be taken back when a record before it is damaged.
    fn occupy(&mut self, characters: usize) {
        let seconds = characters as f64 * CHARACTER / f64::from(self.baud);
        self.free = Instant::now() + Duration::from_secs_f64(seconds);
        self.heard = self.free;
    }

    /// Takes bytes of the connection.
    fn take(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        while let Some(end) = memchr::memchr(b'\n', &self.buffer) {
            let line: Vec<u8> = self.buffer.drain(..=end).collect();
            self.end.send(&String::from_utf8_lossy(&line));
        }
    }

    async fn report_damage(&mut self) {
        let (at, count) = self.reported;
        let damaged = self.end.damaged();
        if damaged > count && at.is_none_or(|at| at.elapsed() >= REPORT_PAUSE) {
            self.reported = (Some(Instant::now()), damaged);
            let text = format!("{damaged} damaged records so far, which are sent again");
            self.tell(&text).await;
        }
    }

    async fn tell(&self, what: &str) {
        let text = format!("{}: {what}", self.name);
        // The server may have ended already.
        let _ = self.events.send(Incoming::Transport(text)).await;
    }

    async fn reopen(&mut self) -> SerialStream {
        loop {
            tokio::time::sleep(RETRY).await;
            if let Ok(port) = open(&self.device, self.baud) {
                return port;
            }
        }
    }
}

/// Reads from a connection; never returns once it has ended.
async fn read_open(read: &mut ReadHalf<DuplexStream>, bytes: &mut [u8], is_open: bool) -> usize {
    if is_open {
        read.read(bytes).await.unwrap_or(0)
    } else {
        std::future::pending().await
    }
}
