//! Starts players as child processes (EPD 3.2, function 1).

use std::process::Stdio;

use anyhow::{Context, bail};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, Command};
use tokio::sync::mpsc::Sender;

use crate::io::message::Incoming;

/// The longest line of standard error that is kept, in bytes.
const MAX_LINE: usize = 4096;

/// Starts a player by its command, in which `{host}`, `{port}`, `{address}` and `{name}` are replaced.
/// Its standard error and its exit are sent to `events`. The process is killed when the referee ends.
pub fn start(
    player: usize,
    command: &str,
    name: &str,
    address: &str,
    events: &Sender<Incoming>,
) -> anyhow::Result<()> {
    let (host, port) = address.rsplit_once(':').unwrap_or((address, ""));
    let words =
        shell_words::split(command).with_context(|| format!("invalid command of player {name}"))?;
    let words = words.into_iter().map(|word| {
        word.replace("{host}", host)
            .replace("{port}", port)
            .replace("{address}", address)
            .replace("{name}", name)
    });
    let words: Vec<_> = words.collect();
    let Some((program, arguments)) = words.split_first() else {
        bail!("player {name} has an empty command");
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("cannot start player {name}: {program}"))?;
    if let Some(stderr) = child.stderr.take() {
        tokio::spawn(read_stderr(player, stderr, events.clone()));
    }
    tokio::spawn(wait_for(player, child, events.clone()));
    Ok(())
}

/// Sends the standard error of a player to `events`, in whole lines. Lines that are too long are cut.
async fn read_stderr(player: usize, mut stderr: ChildStderr, events: Sender<Incoming>) {
    let mut bytes = [0; 4096];
    let mut lines = Vec::new();
    // Where the last, incomplete line begins.
    let mut start = 0;
    while let Ok(count @ 1..) = stderr.read(&mut bytes).await {
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
        if start > 0 && !forward(player, &lines[..start], &events).await {
            return;
        }
        lines.drain(..start);
        start = 0;
    }
    // The last line of a program that crashes may be incomplete.
    if !lines.is_empty() {
        forward(player, &lines, &events).await;
    }
}

/// Returns whether the server still runs.
async fn forward(player: usize, lines: &[u8], events: &Sender<Incoming>) -> bool {
    let text = String::from_utf8_lossy(lines).trim_end().to_owned();
    events.send(Incoming::Stderr(player, text)).await.is_ok()
}

async fn wait_for(player: usize, mut child: Child, events: Sender<Incoming>) {
    let status = match child.wait().await {
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    // The server may have ended already.
    let _ = events.send(Incoming::Exited(player, status)).await;
}
