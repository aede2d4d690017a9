//! Plays on one connection, from the sign-on to the end.

use std::io;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Instant;

use anyhow::{Context, bail};
use epd::Operation;
use epd::protocol::Request;
use epd::protocol::frame::{Frame, line_of};

use super::ClientLoop;
use super::draw_resign_policy::{DrawResignPolicy, Streak};
use super::link::{Incoming, Outgoing};
use super::session::{Action, Session};
use super::silence::{Patience, Silence};
use super::threads::{Event, Job, reading_thread};
use crate::cli::Client;
use crate::engines::Effort;

/// Why a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Disconnect {
    /// The referee said so.
    Closed,
    /// The referee stops, but its event is not over and may be resumed.
    Stopped,
    /// The referee said so without ever letting us in.
    Refused,
    /// It turned us away, but may let us in later.
    Busy,
    /// It broke.
    Lost,
    /// The operator left.
    Left,
}

impl ClientLoop<'_> {
    /// Plays until the connection ends.
    pub(super) fn play(
        &mut self,
        incoming: Incoming,
        mut outgoing: Outgoing,
    ) -> anyhow::Result<Disconnect> {
        self.connection += 1;
        self.admitted = false;
        reading_thread(self.connection, incoming, self.events.clone());
        let mut session = Session::new(&self.args.name, policy(self.args), self.args.analysis)
            .running_on(self.equipment.clone());
        let end = self.converse(&mut session, &mut outgoing);
        let known = self.term.as_ref().map_or(0, |term| term.number);
        let newer = session.term().filter(|term| term.number > known);
        self.term = newer.cloned().or(self.term.take());
        self.abort();
        outgoing.close();
        // A game that is left or cut off is over for this player.
        if let Some(played) = session.leave_game() {
            self.log.game(played)?;
        }
        end
    }

    fn converse(
        &mut self,
        session: &mut Session,
        outgoing: &mut Outgoing,
    ) -> anyhow::Result<Disconnect> {
        if self.sign_on(session, outgoing)?.is_err() {
            return Ok(Disconnect::Lost);
        }
        let mut silence = Silence::new(Instant::now());
        loop {
            let Some(event) = self.next_event(session, &mut silence)? else {
                return Ok(Disconnect::Lost);
            };
            let actions = match event {
                Event::Received(connection, frame, at) if connection == self.connection => {
                    silence.end(Instant::now());
                    if let Frame::Line(line) = &frame {
                        self.log.record('<', line)?;
                    }
                    session.receive(&frame, at)
                }
                Event::Disconnected(connection, why) if connection == self.connection => {
                    let Some(why) = why else {
                        return Ok(Disconnect::Lost);
                    };
                    eprintln!("epode: {why}");
                    return Ok(Disconnect::Refused);
                }
                Event::Searched(id, result) if id == self.job || id == 0 => match result {
                    Ok(result) => session.answer(&result, Instant::now()),
                    Err(error) => {
                        // Without an engine there are no more moves: tell the referee.
                        let fault = session.engine_fault(&error);
                        let _ = self.send(&fault, outgoing);
                        return Err(error);
                    }
                },
                Event::Told(text) => {
                    self.note(&text)?;
                    continue;
                }
                Event::Interrupted => {
                    // The connection may be closed already.
                    let _ = self.send(&session.sign_off(), outgoing);
                    return Ok(Disconnect::Left);
                }
                Event::Received(..) | Event::Disconnected(..) | Event::Searched(..) => continue,
            };
            for action in actions {
                if let Some(end) = self.act(&action, session, outgoing)? {
                    return Ok(end);
                }
            }
        }
    }

    /// Sends the first request; the inner result is that of the connection.
    fn sign_on(
        &mut self,
        session: &Session,
        outgoing: &mut Outgoing,
    ) -> anyhow::Result<io::Result<()>> {
        let mut sign_on = session.sign_on().record();
        self.log.record('>', &sign_on.to_string())?;
        if let Some(password) = &self.password {
            // The password is a private operation, which is never logged (decision 11).
            sign_on.set(Operation::new("Auth").string(password));
        }
        if let Some(term) = &self.term {
            // A referee that has been replaced without noticing it stops when it reads this.
            sign_on.set(term.operation());
        }
        Ok(outgoing.send(&line_of(&sign_on)))
    }

    /// The next event; none if the referee has been silent for too long.
    fn next_event(
        &mut self,
        session: &Session,
        silence: &mut Silence,
    ) -> anyhow::Result<Option<Event>> {
        let patience = self.patience(session);
        loop {
            let received = match silence.deadline(patience) {
                None => self.received.recv().map_err(RecvTimeoutError::from),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    self.received.recv_timeout(left)
                }
            };
            match received {
                Ok(event) => return Ok(Some(event)),
                Err(RecvTimeoutError::Disconnected) => bail!("nobody is left to play"),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(complaint) = silence.complaint(patience, Instant::now()) {
                self.note(&complaint)?;
                return Ok(None);
            }
        }
    }

    /// How long the referee may be silent. On other transports than TCP somebody may start it later than its
    /// players. Without a way back, leaving a connection that may come to life again is of no use.
    fn patience(&self, session: &Session) -> Patience {
        let is_tcp = self.args.address.is_some();
        Patience {
            sign_on: is_tcp.then_some(self.args.sign_on_timeout),
            ping: session.ping().filter(|_| self.args.reconnect),
        }
    }

    /// Performs an action of the session; returns how the connection ended, if it did.
    fn act(
        &mut self,
        action: &Action,
        session: &Session,
        outgoing: &mut Outgoing,
    ) -> anyhow::Result<Option<Disconnect>> {
        match action {
            Action::Send(request) => {
                if self.send(request, outgoing).is_err() {
                    return Ok(Some(Disconnect::Lost));
                }
            }
            Action::Abort => self.abort(),
            Action::Think => {
                let offered = session.is_draw_offered();
                self.think(session.game(), self.effort(session), offered);
            }
            Action::Ponder if self.args.ponder => {
                self.think(session.game(), Effort::Endless, false);
            }
            Action::NewGame => {
                // The first one answers our sign_on (EPD 8, point 6).
                self.admitted = true;
                let job = self.jobs.send(Job::NewGame);
                job.context("the player has ended")?;
            }
            Action::Ponder => {}
            Action::GameOver(played) => self.log.game(played.clone())?,
            Action::Print(text) => eprintln!("epode: {text}"),
            Action::Close if self.admitted && session.event_may_be_resumed() => {
                return Ok(Some(Disconnect::Stopped));
            }
            Action::Close if session.may_try_again() => return Ok(Some(Disconnect::Busy)),
            Action::Close if self.admitted => return Ok(Some(Disconnect::Closed)),
            Action::Close => {
                if !session.has_farewell() {
                    self.note("the referee refuses the sign-on without a reason")?;
                }
                return Ok(Some(Disconnect::Refused));
            }
        }
        Ok(None)
    }

    fn send(&mut self, request: &Request, outgoing: &mut Outgoing) -> anyhow::Result<()> {
        let line = line_of(&request.record());
        outgoing.send(&line)?;
        self.log.record('>', line.trim_end())
    }
}

fn policy(args: &Client) -> DrawResignPolicy {
    let streak = |score: Option<i32>, moves| score.map(|score| Streak { score, moves });
    DrawResignPolicy::new(
        streak(args.resign_score.map(|score| -score), args.resign_moves),
        streak(args.draw_score, args.draw_moves),
        2 * args.draw_after as usize,
        args.contempt,
    )
}
