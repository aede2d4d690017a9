//! Players that the referee starts itself (EPD 3.2, function 1).

use std::process::Stdio;

use anyhow::{Context, bail};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc::Sender;

use crate::server::Incoming;

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
        let events = events.clone();
        tokio::spawn(async move {
            let mut lines = BufReader::new(stderr).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                if events.send(Incoming::Said(player, line)).await.is_err() {
                    return;
                }
            }
        });
    }
    tokio::spawn(wait_for(player, child, events.clone()));
    Ok(())
}

async fn wait_for(player: usize, mut child: Child, events: Sender<Incoming>) {
    let status = match child.wait().await {
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    // Nobody is left to tell when the referee is going.
    let _ = events.send(Incoming::Exited(player, status)).await;
}
