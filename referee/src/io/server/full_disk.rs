//! The journal cannot be written, on a full disk for example: all games wait until it can.

use std::time::{Duration, Instant};

use anyhow::bail;
use epd::protocol::frame::line_of;
use tokio::sync::oneshot;

use super::receiving::read_order;
use super::{Server, say};
use crate::core::event::{Order, Report};
use crate::core::text::shown;
use crate::io::message::{Answer, Incoming};

/// How often to try whether the journal can be written again.
const JOURNAL_RETRY: Duration = Duration::from_secs(1);
/// How many inputs are kept while the journal cannot be written.
const MAX_BACKLOG: usize = 10_000;
const STOPPED: &str = "stopped while the journal could not be written";

impl Server {
    /// The journal cannot be written: nothing goes on, and nobody loses time. Tells the players, and
    /// waits before the next attempt.
    pub(super) async fn wait_for_journal(&mut self, error: &anyhow::Error) -> anyhow::Result<()> {
        self.storage.check()?;
        let now = Instant::now();
        let why = format!("all games wait: {error:#}");
        let is_new = self.storage.journal_failed(&why);
        if is_new {
            say(&format!(
                "{error:#}; all games wait until it can be written"
            ));
            self.storage.event(&Report::Paused { why: why.clone() });
        }
        // The order whose entry it is.
        if let Some(asker) = self.asker.take() {
            let text = format!("{why}; the order is carried out when it can be written");
            tell(asker, text, false);
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
                    Some(Incoming::Shutdown) => bail!(STOPPED),
                    Some(Incoming::Order(line, asker)) => self.order_in_vain(&line, asker, &why)?,
                    Some(incoming) => self.backlog.push_back(incoming),
                    None => {}
                },
            }
        }
    }

    /// Answers an order while the journal cannot be written: what changes nothing is answered, the referee can be
    /// stopped, and everything else is refused.
    fn order_in_vain(
        &self,
        line: &str,
        asker: oneshot::Sender<Answer>,
        why: &str,
    ) -> anyhow::Result<()> {
        let given = match read_order(line) {
            Ok(given) => given,
            Err(answer) => {
                tell(asker, answer.text, answer.is_refused);
                return Ok(());
            }
        };
        if given.order == Order::Quit {
            tell(asker, "shutting down".to_owned(), false);
            bail!(STOPPED);
        }
        match self.event.look(&given.order, Instant::now()) {
            Some(seen) => tell(asker, format!("{why}\n{seen}"), false),
            None => tell(asker, format!("{why}; give the order again then"), true),
        }
        Ok(())
    }

    /// The journal can be written again.
    pub(super) fn journal_is_back(&mut self) {
        say("the journal can be written again: the games go on");
        // Viewers are told again of a pause that lasts.
        let report = match self.event.why_paused() {
            Some(why) => Report::Paused { why: shown(why) },
            None => Report::Resumed,
        };
        self.storage.event(&report);
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

/// Answers whoever gave an order, who may have gone.
fn tell(asker: oneshot::Sender<Answer>, text: String, is_refused: bool) {
    let _ = asker.send(Answer { text, is_refused });
}
