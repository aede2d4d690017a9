//! Orders of the supervisor: from standard input, and through a socket in the event's folder.

use std::io::{BufRead, Read, Write};
use std::path::Path;
use std::thread;
#[cfg(unix)]
use std::time::Duration;

use anyhow::Context;
use referee::server::Incoming;
use tokio::sync::mpsc::Sender;
use tokio::sync::oneshot;

const SOCKET: &str = "control.sock";
/// How long somebody may take to say an order.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(5);

/// Begins to take orders.
pub fn open(directory: &Path, events: &Sender<Incoming>) {
    let orders = events.clone();
    thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if let Some(answer) = order(&line, &orders)
                && !answer.is_empty()
            {
                super::say(&answer);
            }
        }
    });
    #[cfg(unix)]
    if let Err(error) = open_socket(directory, events) {
        eprintln!("epode-referee: no orders by `control`: {error:#}");
    }
}

/// Gives an order and waits for the answer; none if the referee is gone.
fn order(line: &str, events: &Sender<Incoming>) -> Option<String> {
    let (answer, answered) = oneshot::channel();
    events
        .blocking_send(Incoming::Ordered(line.to_owned(), answer))
        .ok()?;
    answered.blocking_recv().ok()
}

#[cfg(unix)]
fn open_socket(directory: &Path, events: &Sender<Incoming>) -> anyhow::Result<()> {
    use std::os::unix::net::UnixListener;
    let path = directory.join(SOCKET);
    // What a referee that was killed has left behind; nobody else is at work here.
    let _ = std::fs::remove_file(&path);
    let listener = UnixListener::bind(&path).with_context(|| path.display().to_string())?;
    let events = events.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let mut line = String::new();
            // Who says nothing must not keep others from giving orders.
            let _ = stream.set_read_timeout(Some(PATIENCE));
            let read = (&stream).take(4096).read_to_string(&mut line);
            if read.is_ok()
                && let Some(answer) = order(line.trim(), &events)
            {
                // Who asked may be gone.
                let _ = stream.write_all(answer.as_bytes());
            }
        }
    });
    Ok(())
}

/// Gives an order to the referee of a folder.
#[cfg(unix)]
pub fn ask(directory: &Path, order: &str) -> anyhow::Result<String> {
    use std::net::Shutdown;
    use std::os::unix::net::UnixStream;
    let path = directory.join(SOCKET);
    let stream = UnixStream::connect(&path);
    let mut stream =
        stream.with_context(|| format!("no referee is at work in {}", directory.display()))?;
    stream.write_all(order.as_bytes())?;
    stream.shutdown(Shutdown::Write)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer.trim_end().to_owned())
}

/// Gives an order to the referee of a folder.
#[cfg(not(unix))]
pub fn ask(_: &Path, _: &str) -> anyhow::Result<String> {
    anyhow::bail!("orders can be given on standard input only on this system")
}
