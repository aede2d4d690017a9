//! Orders of the arbiter: from standard input, and through a socket in the event's folder
//! (`epode-referee control`). What comes back through the socket begins with `+`, or with `-` if the
//! order was refused.

use std::fs::File;
use std::io::BufRead as _;
#[cfg(unix)]
use std::io::{Read as _, Write as _};
use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::Context;
#[cfg(unix)]
use anyhow::bail;
use referee::event::{GivenOrder, Order};
use referee::message::{Answer, Incoming};
use referee::storage;
use tokio::sync::mpsc::{Receiver, Sender, WeakSender, channel};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::exit_status::ExitStatus;

#[cfg(unix)]
const SOCKET: &str = "control.sock";
/// How long a client of the socket may take to send its order.
#[cfg(unix)]
const READ_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest line that is read from the socket, in bytes.
#[cfg(unix)]
const MAX_LINE: u64 = 1 << 16;
/// How long the referee waits at its end until answers have been written.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// What a client is told whose order came too late.
#[cfg(unix)]
const TOO_LATE: &str = "-the event has ended: the order was not carried out";

/// The ways in which orders arrive. The referee must not end before every answer has been written.
pub struct Control {
    /// A clone of it exists as long as an order is not answered.
    busy: Sender<()>,
    idle: Receiver<()>,
    #[cfg(unix)]
    socket: PathBuf,
}

impl Control {
    /// Starts to accept orders.
    pub fn open(directory: &Path, events: &Sender<Incoming>) -> Self {
        let (busy, idle) = channel(1);
        let orders = Orders {
            events: events.clone(),
            busy: busy.downgrade(),
        };
        let console = orders.clone();
        thread::spawn(move || console.read_standard_input());
        #[cfg(unix)]
        if let Err(error) = open_socket(directory, orders) {
            eprintln!("epode-referee: `control` will not work: {error:#}");
        }
        Self {
            busy,
            idle,
            #[cfg(unix)]
            socket: directory.join(SOCKET),
        }
    }

    /// Removes the socket. The folder must still be locked: otherwise this could be the socket of the next referee.
    pub fn remove_socket(&self) {
        #[cfg(unix)]
        let _ = std::fs::remove_file(&self.socket);
    }

    /// Accepts no more orders, and waits until the answers to all others have been written. The server must
    /// be gone: it has answered all orders then, or never will.
    pub async fn close(mut self) {
        drop(self.busy);
        // A client that does not read its answer is not waited for.
        let _ = timeout(CLOSE_TIMEOUT, self.idle.recv()).await;
    }
}

/// Gives orders to the server.
#[derive(Clone)]
struct Orders {
    events: Sender<Incoming>,
    busy: WeakSender<()>,
}

impl Orders {
    /// Keeps the referee from ending; `None` if it is about to.
    fn begin(&self) -> Option<Sender<()>> {
        self.busy.upgrade()
    }

    /// Gives an order and waits for the answer; `None` if the server has ended.
    fn give(&self, line: &str) -> Option<Answer> {
        let (answer, answered) = oneshot::channel();
        self.events
            .blocking_send(Incoming::Order(line.to_owned(), answer))
            .ok()?;
        answered.blocking_recv().ok()
    }

    fn read_standard_input(&self) {
        for line in std::io::stdin().lock().split(b'\n').map_while(Result::ok) {
            let Some(_busy) = self.begin() else { return };
            let Ok(line) = String::from_utf8(line) else {
                super::print::print("the order is not valid UTF-8");
                continue;
            };
            if let Some(answer) = self.give(&signed(line.trim_end()))
                && !answer.text.is_empty()
            {
                super::print::print(&answer.text);
            }
        }
    }
}

/// A line typed on standard input, with the name of the user.
fn signed(line: &str) -> String {
    match line.parse::<GivenOrder>() {
        Ok(given) => sign(given).to_string(),
        // The server says what is wrong with it.
        Err(_) => line.to_owned(),
    }
}

/// An order with the name of the user who gives it, if it does not say who does.
fn sign(mut given: GivenOrder) -> GivenOrder {
    let mut names = ["USER", "LOGNAME", "USERNAME"].into_iter();
    given.by = given
        .by
        .or_else(|| names.find_map(|name| std::env::var(name).ok()))
        .filter(|name| !name.is_empty());
    given
}

#[cfg(unix)]
fn open_socket(directory: &Path, orders: Orders) -> anyhow::Result<()> {
    use std::os::unix::net::UnixListener;
    let path = directory.join(SOCKET);
    // A killed referee leaves its socket behind. No other one can be running: the folder is locked.
    let _ = std::fs::remove_file(&path);
    let listener = UnixListener::bind(&path).with_context(|| path.display().to_string())?;
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let mut line = String::new();
            // A silent client must not keep others from giving commands.
            let _ = stream.set_read_timeout(Some(READ_TIMEOUT));
            let read = (&stream).take(MAX_LINE).read_to_string(&mut line);
            if read.is_err() {
                continue;
            }
            let busy = orders.begin();
            let answer = busy.as_ref().and_then(|_| orders.give(line.trim()));
            let answer = answer.map_or_else(
                || TOO_LATE.to_owned(),
                |answer| {
                    let sign = if answer.is_refused { '-' } else { '+' };
                    format!("{sign}{}", answer.text)
                },
            );
            // The client may have closed the socket.
            let _ = stream.write_all(answer.as_bytes());
            drop(busy);
        }
    });
    Ok(())
}

/// Sends an order to the referee that runs in a folder, and returns its answer. It is an error if the
/// referee refuses the order.
#[cfg(unix)]
pub fn ask(directory: &Path, given: GivenOrder) -> anyhow::Result<String> {
    use std::net::Shutdown;
    use std::os::unix::net::UnixStream;
    let path = directory.join(SOCKET);
    let stream = UnixStream::connect(&path);
    let mut stream =
        stream.with_context(|| format!("no referee is running in {}", directory.display()))?;
    stream.write_all(sign(given).to_string().as_bytes())?;
    stream.shutdown(Shutdown::Write)?;
    let mut answer = String::new();
    let read = stream.read_to_string(&mut answer);
    let answer = answer.trim_end();
    match answer.split_at_checked(1) {
        Some(("-", why)) => bail!("{why}"),
        Some((_, answer)) if read.is_ok() => Ok(answer.to_owned()),
        _ => bail!("the referee ended before it answered: see its output and its journal"),
    }
}

/// Sends an order to the referee that runs in a folder, and returns its answer.
#[cfg(not(unix))]
pub fn ask(_: &Path, _: GivenOrder) -> anyhow::Result<String> {
    anyhow::bail!("this system has no control socket: type orders on the referee's standard input")
}

/// Whether a referee runs in a folder.
#[cfg(unix)]
pub fn is_running(directory: &Path) -> bool {
    // An order without a word is answered by nothing.
    std::os::unix::net::UnixStream::connect(directory.join(SOCKET)).is_ok()
}

/// Whether a referee runs in a folder: this system cannot tell.
#[cfg(not(unix))]
pub fn is_running(_: &Path) -> bool {
    true
}

/// Stops the referee that runs in a folder, and waits until it has ended.
pub fn stop(directory: &Path) -> anyhow::Result<ExitStatus> {
    let given = GivenOrder {
        order: Order::Quit,
        reason: None,
        by: None,
    };
    ask(directory, given)?;
    // The folder is locked as long as the referee runs.
    let path = directory.join(storage::LOCK);
    let lock = File::open(&path).with_context(|| path.display().to_string())?;
    lock.lock()
        .with_context(|| format!("cannot lock {}", path.display()))?;
    super::print::print("stopped");
    Ok(ExitStatus::Finished)
}
