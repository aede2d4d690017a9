//! Players that the referee starts itself (EPD 3.2, function 1).

use std::process::Stdio;

use anyhow::{Context, bail};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, Command};
use tokio::sync::mpsc::Sender;

use crate::server::Incoming;

/// The bytes of a line on standard error that are kept.
const MAX_LINE: usize = 4096;

/// Starts a player by its command, in which `{host}`, `{port}`, `{address}` and `{name}` are
/// replaced. The process ends with the referee; what it says and that it ends is told.
pub fn start(
    player: usize,
    command: &str,
    name: &str,
    address: &str,
    events: &Sender<Incoming>,
) -> anyhow::Result<()> {
    let (host, port) = address.rsplit_once(':').unwrap_or((address, ""));
    let words = shell_words::split(command).with_context(|| format!("the command of {name}"))?;
    let words = words.into_iter().map(|word| {
        word.replace("{host}", host)
            .replace("{port}", port)
            .replace("{address}", address)
            .replace("{name}", name)
    });
    let words: Vec<_> = words.collect();
    let Some((program, arguments)) = words.split_first() else {
        bail!("the command of {name} is empty");
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("cannot start {name}: {program}"))?;
    if let Some(stderr) = child.stderr.take() {
        tokio::spawn(listen(player, stderr, events.clone()));
    }
    tokio::spawn(wait_for(player, child, events.clone()));
    Ok(())
}

/// Hands on what a player says, the whole lines of each read together. Of a line that is too long the
/// beginning is kept.
async fn listen(player: usize, mut stderr: ChildStderr, events: Sender<Incoming>) {
    let mut bytes = [0; 4096];
    let mut lines = Vec::new();
    // Where the last line of them begins.
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
        if start > 0 && !say(player, &lines[..start], &events).await {
            return;
        }
        lines.drain(..start);
        start = 0;
    }
    // The last words of a program that dies may have no end.
    if !lines.is_empty() {
        say(player, &lines, &events).await;
    }
}

/// Returns whether anybody listens.
async fn say(player: usize, lines: &[u8], events: &Sender<Incoming>) -> bool {
    let text = String::from_utf8_lossy(lines).trim_end().to_owned();
    events.send(Incoming::Said(player, text)).await.is_ok()
}

async fn wait_for(player: usize, mut child: Child, events: Sender<Incoming>) {
    let status = match child.wait().await {
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    // Nobody is left to tell when the referee is going.
    let _ = events.send(Incoming::Exited(player, status)).await;
}
