//! The journal cannot be written, on a full disk for example: all games wait until it can.

use std::time::{Duration, Instant};

use anyhow::bail;
use epd::protocol::frame::line_of;

use super::{Server, say};
use crate::io::message::Incoming;

/// How often to try whether the journal can be written again.
const JOURNAL_RETRY: Duration = Duration::from_secs(1);
/// How many inputs are kept while the journal cannot be written.
const MAX_BACKLOG: usize = 10_000;

impl Server {
    /// The journal cannot be written: nothing goes on, and nobody loses time. Tells the players, and
    /// waits before the next attempt.
    pub(super) async fn wait_for_journal(&mut self, error: &anyhow::Error) -> anyhow::Result<()> {
        self.storage.check()?;
        let now = Instant::now();
        let is_new = self.storage.journal_failed();
        if is_new {
            say(&format!(
                "{error:#}; all games wait until it can be written"
            ));
        }
        // Players leave a referee that is silent for long.
        if is_new || self.next_notice <= now {
            self.next_notice = now + self.event.ledger().config().rules.ping;
            self.notify("the referee cannot write its journal");
        }
        let retry = tokio::time::sleep(JOURNAL_RETRY);
        tokio::pin!(retry);
        loop {
            tokio::select! {
                () = &mut retry => return Ok(()),
                incoming = self.incoming.recv(), if self.backlog.len() < MAX_BACKLOG => match incoming {
                    Some(Incoming::Shutdown) => bail!("stopped while the journal could not be written"),
                    Some(incoming) => self.backlog.push_back(incoming),
                    None => {}
                },
            }
        }
    }

    /// Tells the players why nothing happens.
    pub(super) fn notify(&mut self, why: &str) {
        for (link, command) in self.event.notices(why) {
            if let Some(connection) = self.connections.get_mut(&link) {
                // A connection that fails is noticed when the games go on.
                let _ = connection.send(&line_of(&command.record()), None);
            }
        }
    }
}
