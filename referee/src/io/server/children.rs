//! The programs of players that the referee started.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc::Sender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::core::config::Player;
use crate::core::event::ProgramId;
use crate::io::message::Incoming;
use crate::io::spawn::{self, Files};
use crate::io::stream::Stream;

/// The programs that run, by program.
pub struct Children {
    events: Sender<Incoming>,
    /// The files that the programs may need.
    files: Files,
    /// What kills each of them; gone if that has been done.
    running: HashMap<ProgramId, Option<oneshot::Sender<()>>>,
}

impl Children {
    pub fn new(events: Sender<Incoming>) -> Self {
        Self {
            events,
            files: Files::default(),
            running: HashMap::new(),
        }
    }

    /// Lets programs that are started from now on read the password of the event from this file.
    pub fn pass_password_file(&mut self, path: PathBuf) {
        self.files.password = Some(path);
    }

    /// Lets programs that are started from now on connect by TLS to the owner of this certificate.
    pub fn pass_certificate(&mut self, path: PathBuf) {
        self.files.certificate = Some(path);
    }

    /// Starts a program of a player. Returns its standard input and output if the player is to be talked
    /// to that way.
    pub fn start(
        &mut self,
        program: ProgramId,
        player: &Player,
        address: &str,
    ) -> anyhow::Result<Option<(Stream, OwnedSemaphorePermit)>> {
        let command = player.command.as_deref().unwrap_or_default();
        let words = spawn::words(command, &player.name, address)?;
        let (kill, stream) = spawn::start(program, player, &words, &self.files, &self.events)?;
        self.running.insert(program, Some(kill));
        Ok(stream.zip(Arc::new(Semaphore::new(1)).try_acquire_owned().ok()))
    }

    /// A program has ended.
    pub fn exited(&mut self, program: ProgramId) {
        self.running.remove(&program);
    }

    /// Kills a program, with all that it has started.
    pub fn kill(&mut self, program: ProgramId) {
        if let Some(kill) = self.running.get_mut(&program).and_then(Option::take) {
            // It may have ended by itself.
            let _ = kill.send(());
        }
    }

    /// Kills all programs that still run.
    pub fn kill_all(&mut self) {
        for kill in self.running.values_mut().filter_map(Option::take) {
            // It may have ended by itself.
            let _ = kill.send(());
        }
    }

    /// Whether any program runs.
    pub fn are_running(&self) -> bool {
        !self.running.is_empty()
    }
}
