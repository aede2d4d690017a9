//! Orders of the arbiter: from standard input, and through a socket in the event's folder
//! (`epode-referee control`). What comes back through the socket begins with `+`, or with `-` if the
//! order was refused.

use std::fs::File;
use std::io::{BufRead, Read, Write};
use std::path::Path;
use std::thread;
#[cfg(unix)]
use std::time::Duration;

use anyhow::{Context, bail};
use referee::message::{Answer, Incoming};
use referee::storage;
use tokio::sync::mpsc::Sender;
use tokio::sync::oneshot;

use crate::exit_status::ExitStatus;

const SOCKET: &str = "control.sock";
/// How long a client of the socket may take to send its command.
#[cfg(unix)]
const READ_TIMEOUT: Duration = Duration::from_secs(5);

/// Starts to accept commands.
pub fn open(directory: &Path, events: &Sender<Incoming>) {
    let commands = events.clone();
    thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if let Some(answer) = run(&line, &commands)
                && !answer.text.is_empty()
            {
                super::print::print(&answer.text);
            }
        }
    });
    #[cfg(unix)]
    if let Err(error) = open_socket(directory, events) {
        eprintln!("epode-referee: `control` will not work: {error:#}");
    }
}

/// Gives an order and waits for the answer; `None` if the server has ended.
fn run(line: &str, events: &Sender<Incoming>) -> Option<Answer> {
    let (answer, answered) = oneshot::channel();
    events
        .blocking_send(Incoming::Order(line.to_owned(), answer))
        .ok()?;
    answered.blocking_recv().ok()
}

#[cfg(unix)]
fn open_socket(directory: &Path, events: &Sender<Incoming>) -> anyhow::Result<()> {
    use std::os::unix::net::UnixListener;
    let path = directory.join(SOCKET);
    // A killed referee leaves its socket behind. No other one can be running: the folder is locked.
    let _ = std::fs::remove_file(&path);
    let listener = UnixListener::bind(&path).with_context(|| path.display().to_string())?;
    let events = events.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let mut line = String::new();
            // A silent client must not keep others from giving commands.
            let _ = stream.set_read_timeout(Some(READ_TIMEOUT));
            let read = (&stream).take(4096).read_to_string(&mut line);
            if read.is_ok()
                && let Some(answer) = run(line.trim(), &events)
            {
                let sign = if answer.is_refused { '-' } else { '+' };
                // The client may have closed the socket.
                let _ = stream.write_all(format!("{sign}{}", answer.text).as_bytes());
            }
        }
    });
    Ok(())
}

/// Sends an order to the referee that runs in a folder, and returns its answer. It is an error if the
/// referee refuses the order.
#[cfg(unix)]
pub fn ask(directory: &Path, command: &str) -> anyhow::Result<String> {
    use std::net::Shutdown;
    use std::os::unix::net::UnixStream;
    let path = directory.join(SOCKET);
    let stream = UnixStream::connect(&path);
    let mut stream =
        stream.with_context(|| format!("no referee is running in {}", directory.display()))?;
    stream.write_all(command.as_bytes())?;
    stream.shutdown(Shutdown::Write)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let answer = answer.trim_end();
    match answer.split_at_checked(1) {
        Some(("-", why)) => bail!("{why}"),
        Some((_, answer)) => Ok(answer.to_owned()),
        // After `quit` it may end before it answers.
        None => Ok("the referee has ended".to_owned()),
    }
}

/// Sends a command to the referee that runs in a folder, and returns its answer.
#[cfg(not(unix))]
pub fn ask(_: &Path, _: &str) -> anyhow::Result<String> {
    anyhow::bail!(
        "this system has no control socket: type commands on the referee's standard input"
    )
}

/// Stops the referee that runs in a folder, and waits until it has ended.
pub fn stop(directory: &Path) -> anyhow::Result<ExitStatus> {
    ask(directory, "quit")?;
    // The folder is locked as long as the referee runs.
    let path = directory.join(storage::LOCK);
    let lock = File::open(&path).with_context(|| path.display().to_string())?;
    lock.lock()
        .with_context(|| format!("cannot lock {}", path.display()))?;
    super::print::print("stopped");
    Ok(ExitStatus::Finished)
}
