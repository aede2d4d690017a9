//! Connects to a referee, and again after the connection has ended.

use std::time::{Duration, Instant};

use anyhow::Context;

use super::ClientLoop;
use super::conversation::Disconnect;
use super::link::{self, Incoming, Outgoing};
use super::threads::Event;
use super::{starter, tls};
use crate::exit_status::ExitStatus;

/// The first and the longest pause before another attempt to connect.
const BACK_OFF: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(30)];

/// The longest pause if there are several referees: the second one takes over within seconds.
const MAX_PAUSE_OF_SEVERAL: Duration = Duration::from_secs(1);

impl ClientLoop<'_> {
    /// Connects and plays, again and again with `--reconnect`.
    pub(super) fn run(&mut self) -> anyhow::Result<ExitStatus> {
        let mut pause = BACK_OFF[0];
        loop {
            match self.connect() {
                Ok((incoming, outgoing)) => {
                    let end = self.play(incoming, outgoing)?;
                    if self.admitted {
                        pause = BACK_OFF[0];
                    } else {
                        // Another one may have more to say.
                        self.turn += 1;
                    }
                    match end {
                        Disconnect::Stopped if self.args.reconnect => {
                            eprintln!("epode: waiting until the event is resumed");
                        }
                        Disconnect::Closed | Disconnect::Stopped | Disconnect::Left => {
                            return Ok(ExitStatus::Success);
                        }
                        Disconnect::Busy if self.args.reconnect => {
                            eprintln!("epode: trying again");
                        }
                        Disconnect::Refused | Disconnect::Busy => return Ok(ExitStatus::Failed),
                        Disconnect::Lost if !self.args.reconnect => {
                            eprintln!("epode: connection lost");
                            return Ok(ExitStatus::Failed);
                        }
                        Disconnect::Lost => {
                            eprintln!("epode: connection lost; reconnecting");
                        }
                    }
                }
                Err(error) if self.args.reconnect && !tls::is_final(&error) => {
                    eprintln!("epode: {error:#}; reconnecting");
                }
                Err(error) => return Err(error),
            }
            if starter::is_gone() {
                eprintln!("epode: the referee that started this player has ended");
                return Ok(ExitStatus::Failed);
            }
            if self.pauses(pause)? {
                return Ok(ExitStatus::Success);
            }
            pause = (pause * 2).min(match self.referees.len() {
                1 => BACK_OFF[1],
                _ => MAX_PAUSE_OF_SEVERAL,
            });
        }
    }

    /// Connects to the first referee that answers. The error is that of the last one, and final only if all
    /// errors are.
    fn connect(&mut self) -> anyhow::Result<(Incoming, Outgoing)> {
        let count = self.referees.len();
        if count == 1 {
            return link::open(&self.referees[0], link::CONNECT_TIMEOUT);
        }
        let mut failure = None;
        for attempt in 1..=count {
            self.turn %= count;
            match link::open(&self.referees[self.turn], link::SHORT_CONNECT_TIMEOUT) {
                Ok(opened) => return Ok(opened),
                Err(error) => {
                    self.turn += 1;
                    if attempt < count {
                        eprintln!("epode: {error:#}; trying the next address");
                    }
                    let was_passing = failure.is_some_and(|before| !tls::is_final(&before));
                    failure = Some(if tls::is_final(&error) && was_passing {
                        anyhow::anyhow!("{error:#}")
                    } else {
                        error
                    });
                }
            }
        }
        Err(failure.context("no address of a referee")?)
    }

    /// Waits before the next attempt to connect; true if the user interrupts.
    fn pauses(&mut self, pause: Duration) -> anyhow::Result<bool> {
        let until = Instant::now() + pause;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.received.recv_timeout(left) {
                Ok(Event::Interrupted) => return Ok(true),
                Ok(Event::Told(text)) => self.note(&text)?,
                Ok(_) => {}
                Err(_) => return Ok(false),
            }
        }
    }
}
