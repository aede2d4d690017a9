//! Starts players as child processes (EPD 3.2, function 1).

use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, Command};
use tokio::sync::mpsc::Sender;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::core::config::{Player, Transport, replace_placeholders};
use crate::core::event::ProgramId;
use crate::io::message::Incoming;
use crate::io::stream::Stream;

/// The longest line of standard error that is kept, in bytes.
const MAX_LINE: usize = 4096;
/// The most of standard error that is kept in a second, in bytes: a program that writes without end
/// must not keep the referee busy.
const MAX_RATE: usize = 256 << 10;
/// How long a program may take to read a line from its standard input.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a program that is told to end may take before it is killed.
pub const TERMINATION_TIMEOUT: Duration = Duration::from_secs(1);

/// The program and arguments of a command, in which `{host}`, `{port}`, `{address}` and `{name}` are
/// replaced.
pub fn words(command: &str, name: &str, address: &str) -> anyhow::Result<Vec<String>> {
    let (host, port) = address.rsplit_once(':').unwrap_or((address, ""));
    let words =
        shell_words::split(command).with_context(|| format!("invalid command of player {name}"))?;
    let values = [host, port, address, name];
    let words = words.iter().map(|word| replace_placeholders(word, values));
    let words: Vec<_> = words.collect();
    if words.is_empty() {
        bail!("player {name} has an empty command");
    }
    Ok(words)
}

/// Files that players which the referee starts need to connect, each named by an environment variable.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The password of the event: `EPODE_PASSWORD_FILE`.
    pub password: Option<PathBuf>,
    /// The certificate of the event, if it uses TLS: `EPODE_TLS_CERTIFICATE`. The player is to trust this
    /// certificate alone, whatever its names and dates are.
    pub certificate: Option<PathBuf>,
}

impl Files {
    fn pass_to(&self, command: &mut Command) {
        let variables = [
            ("EPODE_PASSWORD_FILE", &self.password),
            ("EPODE_TLS_CERTIFICATE", &self.certificate),
        ];
        for (name, path) in variables {
            match path {
                Some(path) => command.env(name, path),
                None => command.env_remove(name),
            };
        }
    }
}

/// Starts a program of a player by its command's [`words`], in a process group of its own. Its standard error and
/// its exit are sent to `events`. The group is killed when the channel that this returns is used or
/// closed. The stream is its standard input and output, if the player is to be talked to that way.
pub fn start(
    program: ProgramId,
    player: &Player,
    words: &[String],
    files: &Files,
    events: &Sender<Incoming>,
) -> anyhow::Result<(oneshot::Sender<()>, Option<Stream>)> {
    let file = &words[0];
    let mut command = Command::new(file);
    files.pass_to(&mut command);
    // A player that lives on after this referee was killed would find its place taken by another one.
    command.env("EPODE_REFEREE_PROCESS", std::process::id().to_string());
    #[cfg(unix)]
    command.process_group(0);
    let stdio = || match player.transport() {
        Transport::Stdio => Stdio::piped(),
        Transport::Network | Transport::Fifo(_) | Transport::Serial(..) => Stdio::null(),
    };
    let mut child = command
        .args(&words[1..])
        .stdin(stdio())
        .stdout(stdio())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("cannot start player {}: {file}", player.name))?;
    let stream = child.stdout.take().zip(child.stdin.take());
    let stream = stream.map(|(read, write)| Stream::local(read, write, PATIENCE));
    if let Some(stderr) = child.stderr.take() {
        tokio::spawn(read_stderr(program, stderr, events.clone()));
    }
    let (kill, killed) = oneshot::channel();
    tokio::spawn(wait_for(program, child, killed, events.clone()));
    Ok((kill, stream))
}

/// Sends the standard error of a player to `events`, in whole lines. Lines that are too long are cut.
async fn read_stderr(program: ProgramId, mut stderr: ChildStderr, events: Sender<Incoming>) {
    let mut bytes = [0; 4096];
    let mut lines = Vec::new();
    // Where the last, incomplete line begins.
    let mut start = 0;
    let (mut second, mut kept) = (Instant::now(), 0);
    while let Ok(count @ 1..) = stderr.read(&mut bytes).await {
        if second.elapsed() >= Duration::from_secs(1) {
            (second, kept) = (Instant::now(), 0);
        }
        kept += count;
        if kept > MAX_RATE {
            continue;
        }
        for part in bytes[..count].split_inclusive(|&byte| byte == b'\n') {
            let room = (start + MAX_LINE).saturating_sub(lines.len());
            let (text, has_end) = match part {
                [text @ .., b'\n'] => (text, true),
                text => (text, false),
            };
            lines.extend_from_slice(&text[..text.len().min(room)]);
            if has_end {
                lines.push(b'\n');
                start = lines.len();
            }
        }
        if start > 0 && !forward(program, &lines[..start], &events).await {
            return;
        }
        lines.drain(..start);
        start = 0;
    }
    // The last line of a program that crashes may be incomplete.
    if !lines.is_empty() {
        forward(program, &lines, &events).await;
    }
}

/// Returns whether the server still runs.
async fn forward(program: ProgramId, lines: &[u8], events: &Sender<Incoming>) -> bool {
    let text = String::from_utf8_lossy(lines).trim_end().to_owned();
    events.send(Incoming::Stderr(program, text)).await.is_ok()
}

async fn wait_for(
    program: ProgramId,
    mut child: Child,
    killed: oneshot::Receiver<()>,
    events: Sender<Incoming>,
) {
    let id = child.id();
    let ended = tokio::select! {
        ended = child.wait() => ended,
        _ = killed => {
            signal(id, Signal::Terminate);
            let ended = timeout(TERMINATION_TIMEOUT, child.wait()).await;
            // What the program has started must go too, even if the program itself is gone.
            signal(id, Signal::Kill);
            if let Ok(ended) = ended {
                ended
            } else {
                // It may have ended just now.
                let _ = child.start_kill();
                child.wait().await
            }
        }
    };
    let status = match ended {
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    // The server may have ended already.
    let _ = events.send(Incoming::Exited(program, status)).await;
}

#[derive(Clone, Copy)]
enum Signal {
    Terminate,
    Kill,
}

/// Sends a signal to the process group that a program leads.
#[cfg(unix)]
fn signal(leader: Option<u32>, signal: Signal) {
    use rustix::process::{Pid, kill_process_group};
    let leader = leader.and_then(|id| Pid::from_raw(id.cast_signed()));
    let signal = match signal {
        Signal::Terminate => rustix::process::Signal::TERM,
        Signal::Kill => rustix::process::Signal::KILL,
    };
    if let Some(leader) = leader {
        // The group may be gone.
        let _ = kill_process_group(leader, signal);
    }
}

/// There are no process groups here.
#[cfg(not(unix))]
fn signal(_: Option<u32>, _: Signal) {}
