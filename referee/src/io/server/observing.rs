//! The referee's side of replication: the journal goes to the observer as it is written, and what players are
//! told waits until the observer has it, if it must.

use std::time::{Duration, Instant};

use epd::protocol::Term;
use epd::protocol::frame::{Frame, line_of};

use super::preparation::Preparation;
use super::replicating::{Held, Observer};
use super::{Server, say};
use crate::core::event::{Effect, Input, LinkId, Order};
use crate::core::journal::Entry;
use crate::core::observer::{self, SignOn};
use crate::core::replication::Decision;
use crate::io::connection::Connection;
use crate::io::message::{Incoming, Prepared};

/// The shortest and the longest pause between two records for an observer.
const BEATS: [Duration; 2] = [Duration::from_millis(10), Duration::from_secs(5)];
/// How long an observer may take to take a line.
const PATIENCE: Duration = Duration::from_secs(10);

impl Server {
    /// Carries out an effect, or lets it wait for the observer.
    pub(super) async fn dispatch(
        &mut self,
        effect: Effect,
        follows_entry: bool,
    ) -> anyhow::Result<()> {
        if let Effect::Journal(entry) = effect {
            return self.write_entry(&entry).await;
        }
        let is_player = |link| {
            let connection = self.connections.get(&link);
            connection.is_some_and(Connection::is_admitted)
        };
        let is_look = matches!(effect, Effect::Answer { .. }) && !follows_entry;
        if is_look || !self.replicator.must_hold(&effect, is_player) {
            self.carry_out(effect);
            return Ok(());
        }
        let asker = match effect {
            Effect::Answer { .. } => self.asker.take(),
            _ => None,
        };
        self.replicator.held.push_back(Held {
            after: self.storage.journal_length(),
            effect,
            asker,
        });
        Ok(())
    }

    /// Writes an entry of the journal, and sends it to the observer.
    async fn write_entry(&mut self, entry: &Entry) -> anyhow::Result<()> {
        let line = entry.line();
        let mut waited = false;
        while let Err(error) = self.storage.journal_line(&line) {
            self.wait_for_journal(&error).await?;
            waited = true;
        }
        if waited {
            self.journal_is_back();
        }
        let now = Instant::now();
        let length = self.storage.journal_length();
        self.replicator.state.journaled(length, now);
        if let Entry::Ordered { given, .. } = entry
            && given.order == Order::Alone
        {
            self.replicator.state.go_alone();
            self.tell_observer(&line);
            self.dismiss_observer();
        } else {
            self.tell_observer(&line);
        }
        Ok(())
    }

    /// Sends the observer lines of the journal, at once or after those that it has not got yet.
    fn tell_observer(&mut self, lines: &str) {
        let Some(observer) = &mut self.replicator.observer else {
            return;
        };
        if !observer.is_fed {
            observer.recent.push_str(lines);
            return;
        }
        let link = observer.link;
        self.send_to_observer(link, lines);
    }

    fn send_to_observer(&mut self, link: LinkId, lines: &str) {
        let connection = self.connections.get_mut(&link);
        let sent = connection.map(|connection| connection.send(lines, None));
        if !matches!(sent, Some(Ok(_))) {
            self.lose_observer();
        }
    }

    /// The observer is gone, or does not take what it is sent.
    fn lose_observer(&mut self) {
        if let Some(observer) = self.replicator.observer.take() {
            let closed = Input::Closed(observer.link);
            self.inputs.push_back((closed, Instant::now()));
        }
    }

    /// An observer has signed on: what it lacks is read by a thread of its own, because it may be much.
    pub(super) fn begin_to_observe(&mut self, link: LinkId, sign_on: SignOn) {
        let now = Instant::now();
        let settings = self.event.ledger().config().observer.as_ref();
        let takeover = settings.map_or(BEATS[1], |settings| settings.takeover);
        let beat = sign_on.beat.min(takeover / 10);
        if let Some(connection) = self.connections.get_mut(&link) {
            connection.queue(link, PATIENCE);
        }
        self.replicator.observer = Some(Observer {
            link,
            beat: beat.clamp(BEATS[0], BEATS[1]),
            next_beat: now,
            is_fed: false,
            recent: String::new(),
        });
        let preparation = Preparation {
            directory: self.storage.directory().to_owned(),
            length: self.storage.journal_length(),
            term: self.event.ledger().term(),
            sign_on,
        };
        let sender = self.sender.clone();
        tokio::task::spawn_blocking(move || {
            let prepared = preparation.read();
            // The server may have ended already.
            let _ = sender.blocking_send(Incoming::Prepared(link, prepared));
        });
    }

    /// What an observer gets first has been read.
    pub(super) fn feed_observer(&mut self, link: LinkId, prepared: anyhow::Result<Prepared>) {
        let now = Instant::now();
        let replicator = &mut self.replicator;
        let observer = replicator.observer.as_mut();
        let Some(observer) = observer.filter(|observer| observer.link == link) else {
            return;
        };
        let prepared = match prepared {
            Ok(prepared) => prepared,
            Err(error) => {
                say(&format!("the observer gets no copy: {error:#}"));
                self.lose_observer();
                return;
            }
        };
        observer.is_fed = true;
        let recent = std::mem::take(&mut observer.recent);
        replicator.state.follows(prepared.from, now);
        for lines in prepared.lines.into_iter().chain([recent]) {
            if self.replicator.is_observer(link) && !lines.is_empty() {
                self.send_to_observer(link, &lines);
            }
        }
    }

    /// The observer said something: how much of the journal it has.
    pub(super) async fn heed_observer(&mut self, frame: &Frame) -> anyhow::Result<()> {
        let now = Instant::now();
        let length = match frame {
            Frame::Line(line) => observer::replica_length(line),
            Frame::Oversize => None,
        };
        let copied = match length {
            Some(length) => {
                let copied = self.replicator.state.copied(length, now);
                copied.map_err(|error| error.to_string())
            }
            None => Err("the observer says what is not understood".to_owned()),
        };
        match copied {
            Ok(true) => {
                say("the observer has a complete copy of the journal");
                self.tell_observer(&observer::complete_line());
            }
            Ok(false) => {}
            Err(why) => {
                say(&why);
                self.lose_observer();
            }
        }
        self.release();
        self.feed_inputs().await
    }

    /// Carries out what has waited for the observer and need not any more.
    pub(super) fn release(&mut self) {
        while let Some(held) = self.replicator.held.front()
            && self.replicator.state.is_settled(held.after)
            && let Some(held) = self.replicator.held.pop_front()
        {
            self.carry_out_held(held);
        }
        if let Some(Decision::GoOn) = self.decide_after_copy() {
            self.inputs.push_back((Input::GoOn, Instant::now()));
        }
    }

    fn decide_after_copy(&mut self) -> Option<Decision> {
        let state = &mut self.replicator.state;
        (state.stands_still() && !state.holds())
            .then(|| state.decide(Instant::now()))
            .flatten()
    }

    fn carry_out_held(&mut self, held: Held) {
        let before = std::mem::replace(&mut self.asker, held.asker);
        self.carry_out(held.effect);
        self.asker = before;
    }

    /// Does what is due because of the observer.
    pub(super) async fn replicate(&mut self, now: Instant) -> anyhow::Result<()> {
        let beat = self.replicator.observer.as_mut().and_then(|observer| {
            let is_due = observer.next_beat <= now;
            is_due.then(|| {
                observer.next_beat = now + observer.beat;
                (observer.link, observer.is_fed)
            })
        });
        if let Some((link, true)) = beat {
            self.send_to_observer(link, &observer::beat_line());
        }
        match self.replicator.state.decide(now) {
            Some(Decision::GoAlone) => {
                say(
                    "no observer has a copy of the journal: the referee goes on without, until one has caught up",
                );
                self.dismiss_observer();
            }
            Some(Decision::StandStill) => {
                self.replicator.drop_questions();
                self.replicator.next_notice = now;
                self.inputs.push_back((Input::StandStill, now));
            }
            Some(Decision::GoOn) => self.inputs.push_back((Input::GoOn, now)),
            None => {}
        }
        if self.replicator.state.stands_still() && self.replicator.next_notice <= now {
            self.replicator.next_notice = now + self.event.ledger().config().rules.ping;
            self.notify("the referee waits for its observer");
        }
        self.release();
        self.feed_inputs().await
    }

    /// Ends the connection of an observer that players do not wait for. It may come back.
    fn dismiss_observer(&mut self) {
        let Some(observer) = &self.replicator.observer else {
            return;
        };
        let link = observer.link;
        for (id, command) in self.event.farewells(observer::GOES_ON_ALONE) {
            if id == link {
                self.send_to_observer(link, &line_of(&command.record()));
            }
        }
        self.lose_observer();
    }

    /// What still waits when the referee ends: nobody is told of it, but the files are made complete, if they
    /// are those of the event's referee.
    pub(super) fn drop_held(&mut self) {
        let is_referee = self.event.superseded().is_none();
        for held in std::mem::take(&mut self.replicator.held) {
            let is_kept = match held.effect {
                Effect::Answer { .. } => true,
                Effect::Report(_) | Effect::Pgn(_) | Effect::RebuildGames | Effect::Standings => {
                    is_referee
                }
                _ => false,
            };
            if is_kept {
                self.carry_out_held(held);
            }
        }
    }

    /// A later referee of the event has answered.
    pub(super) fn meet(&self, term: &Term) -> Option<Input> {
        let settings = self.event.ledger().config().observer.as_ref()?;
        let is_proven = settings.token.proves(term.number, &term.proof);
        is_proven.then_some(Input::Superseded(term.number))
    }
}
