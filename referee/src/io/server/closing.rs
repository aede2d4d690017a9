//! The referee shuts down: everyone is told, and the last files are written.

use std::time::{Duration, Instant};

use epd::protocol::frame::line_of;
use tokio::time::timeout;

use super::{CHECK_PAUSE, Server, say};
use crate::core::event::stream::OVER;
use crate::core::event::{Order, Report};
use crate::io::message::Incoming;
use crate::io::spawn::TERMINATION_TIMEOUT;

/// How long peers and local players have to end when the referee shuts down.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);
/// How long the transports of players may take to write the last records when the referee shuts down: a serial
/// line is slow.
const TRANSPORTS_TIMEOUT: Duration = Duration::from_secs(10);

/// The answer to orders then.
const AFTER_THE_EVENT: &str = "the event is over, and only its page is still there; `epode-referee standings` prints the \
     standings, and `quit` ends the page";

impl Server {
    /// Disconnects all players and writes the last standings.
    pub(super) async fn close(&mut self, has_failed: bool) {
        self.drop_held();
        let why = if self.event.ledger().is_over() {
            OVER
        } else {
            "the referee is shutting down"
        };
        for (id, command) in self.event.farewells(why) {
            // An observer takes over from a referee that has failed.
            if has_failed && self.replicator.is_observer(id) {
                continue;
            }
            if let Some(connection) = self.connections.get_mut(&id) {
                let line = line_of(&command.record());
                // A peer that does not take it is disconnected anyway.
                let _ = connection.send(&line, None);
                self.storage.log('>', connection.who(), &line);
            }
        }
        self.connections.clear();
        // Wait until all sockets are closed; peers that do not close theirs are not waited for longer.
        let _ = timeout(
            SHUTDOWN_TIMEOUT,
            self.free_sockets.acquire_many(self.max_sockets as u32),
        )
        .await;
        let _ = timeout(TRANSPORTS_TIMEOUT, self.transports.close()).await;
        let _ = timeout(SHUTDOWN_TIMEOUT, self.wait_for_exits()).await;
        // They need a moment to end what they have started themselves.
        self.children.kill_all();
        let patience = TERMINATION_TIMEOUT + SHUTDOWN_TIMEOUT;
        let _ = timeout(patience, self.wait_for_exits()).await;
        self.storage.event(&Report::End {
            why: why.to_owned(),
        });
        if let Err(error) = self.storage.standings(&self.event.ledger().standings()) {
            say(&format!("{error:#}"));
        }
        self.storage.flush();
    }

    /// Stays after the event for this long, so that viewers see its end, or until it is told to stop.
    pub async fn linger(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end {
            self.storage.sign_of_life();
            let wake = end.min(Instant::now() + CHECK_PAUSE);
            let incoming = tokio::select! {
                incoming = self.incoming.recv() => incoming,
                () = tokio::time::sleep_until(wake.into()) => continue,
            };
            match incoming {
                Some(Incoming::Order(line, asker)) => {
                    let Some(given) = self.order(&line, asker) else {
                        continue;
                    };
                    let quits = given.order == Order::Quit;
                    let text = if quits { "" } else { AFTER_THE_EVENT };
                    self.answer(text.to_owned(), !quits);
                    if quits {
                        return;
                    }
                }
                Some(Incoming::Shutdown) | None => return,
                Some(_) => {}
            }
        }
    }

    /// Waits until the players that the referee started have exited.
    async fn wait_for_exits(&mut self) {
        while self.children.are_running() {
            match self.incoming.recv().await {
                Some(Incoming::Exited(program, _)) => self.children.exited(program),
                Some(Incoming::Stderr(program, lines)) => self.log_stderr(program, &lines),
                Some(_) => {}
                None => return,
            }
        }
    }
}
