//! A seat: whether its player is connected, in a game, or free for one.

use std::time::{Duration, Instant};

use movegen::{Color, Position};

use crate::core::ending::Absence;
use crate::core::equipment::Equipment;
use crate::core::event::interface::{LinkId, ProgramId, SendId};

/// How far a player has been informed of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatState {
    /// It has been sent a reset command, or is not connected.
    Reset,
    /// It knows the tags and all moves.
    Playing,
}

/// Who ended the connection of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// The player, or the network.
    Player,
    /// An order of the arbiter.
    Arbiter,
}

/// The program of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Process {
    /// The player connects by itself.
    None,
    /// The referee has started it.
    Running,
    /// It is being killed.
    Killed,
    /// It is being killed by order of the arbiter, and is started again at once.
    Restarting,
    /// It has ended and is started again for the next game.
    Ended,
    /// It could not be started, or ended too often.
    GivenUp,
}

/// How a player connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerKind {
    /// Through the network, where a connection may be cut off without notice.
    Network,
    /// By a pipe, a serial line or standard streams.
    Local,
    /// The same, and it was built with the standard author's EPD Kit.
    Kit,
}

/// A place of a player.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The player.
    pub player: usize,
    /// Its connection, if it is connected.
    pub link: Option<LinkId>,
    /// The number of the game that it plays, and its side.
    pub game: Option<(usize, Color)>,
    /// How far it has been informed of that game.
    pub state: SeatState,
    /// The end of the pause after a reset or a conclude command (decision 28).
    pub ready: Instant,
    /// Its program.
    pub process: Process,
    /// The number of that program. Programs of one player may change places: which of them a connection
    /// comes from is not known for certain.
    pub program: ProgramId,
    /// How often its program was started again since its last game without a forfeit.
    pub restarts: usize,
    /// Until when its program, which has just been started, holds back the games that come after its own.
    pub expected_until: Option<Instant>,
    /// Whether it has signed on since its program was last started.
    pub has_come: bool,
    /// The time between reading its last reply and handling it.
    pub lag: Duration,
    /// The position of the respond command that it has not answered yet.
    pub asked: Option<Position>,
    /// The respond command that has not been written yet: its clock starts when it is.
    pub asking: Option<SendId>,
    /// A position of a finished game, to which a late reply may still arrive (decision 8).
    pub stale: Option<Position>,
    /// Since when it has been disconnected.
    pub absent_since: Option<Instant>,
    /// When it was last heard of or sent something.
    pub active: Instant,
    /// When it was last heard of.
    pub heard: Instant,
    /// Whether its player answers pings, as it said when it signed on.
    pub answers_pings: bool,
    /// When it was sent a ping, if nothing has been heard of it since.
    pub pinged: Option<Instant>,
    /// How many answers to pings may still arrive.
    pub pongs_due: u32,
    /// How its player connects.
    pub peer: PeerKind,
    /// What its player runs on, as it said when it last signed on.
    pub equipment: Equipment,
    /// The number of questions that it has not answered yet. A player of the kit answers each of them,
    /// even after a reset command.
    pub owed: usize,
}

impl Seat {
    /// A seat whose player has not connected yet.
    pub const fn new(player: usize, process: Process, program: ProgramId, now: Instant) -> Self {
        Self {
            player,
            link: None,
            game: None,
            state: SeatState::Reset,
            ready: now,
            process,
            program,
            restarts: 0,
            expected_until: None,
            has_come: false,
            lag: Duration::ZERO,
            asked: None,
            asking: None,
            stale: None,
            absent_since: None,
            active: now,
            heard: now,
            answers_pings: false,
            pinged: None,
            pongs_due: 0,
            peer: PeerKind::Network,
            equipment: Equipment {
                machine: None,
                speed: None,
            },
            owed: 0,
        }
    }

    /// Whether a game can begin on this seat at once.
    pub fn is_ready(&self, now: Instant) -> bool {
        self.game.is_none()
            && self.link.is_some()
            && self.ready <= now
            && !matches!(self.process, Process::Killed | Process::Restarting)
    }

    /// Whether its program has just been started, so that its player is about to be ready for a game.
    pub fn is_expected(&self, now: Instant) -> bool {
        self.game.is_none()
            && (self.link.is_some() || self.process == Process::Running)
            && self.expected_until.is_some_and(|until| now < until)
            && !self.is_ready(now)
    }

    /// Whether its player may be informed of something at any time: it is in a game, and knows its tags.
    pub fn is_informed(&self) -> bool {
        self.game.is_some() && self.link.is_some() && self.state == SeatState::Playing
    }

    /// Notes that its player is there.
    pub const fn hear(&mut self, now: Instant) {
        self.active = now;
        self.heard = now;
        self.pinged = None;
    }

    /// When a ping is due, or else the answer to it.
    pub fn ping_deadline(&self, ping: Duration) -> Option<Instant> {
        self.link.filter(|_| self.peer == PeerKind::Network)?;
        match self.pinged {
            Some(pinged) => Some(pinged + ping * 4 / 5),
            None if self.answers_pings => Some(self.heard + ping),
            None => self.is_informed().then(|| self.active + ping),
        }
    }

    /// Whether nobody is to be expected on this seat: a game that begins here is forfeited, unless the
    /// player comes within the reconnect timeout (decision 22).
    pub fn is_deserted(&self, now: Instant, reconnect_timeout: Duration) -> bool {
        self.game.is_none()
            && self.link.is_none()
            && (self.is_gone_for_good()
                || self
                    .absent_since
                    .is_some_and(|since| since + reconnect_timeout <= now))
    }

    /// Whether it is not connected and its program has ended, so that it cannot come back by itself.
    pub const fn is_gone_for_good(&self) -> bool {
        self.link.is_none() && matches!(self.process, Process::Ended | Process::GivenUp)
    }

    /// Why it is not there.
    pub const fn absence(&self) -> Absence {
        match (self.has_come, self.process) {
            (false, _) => Absence::NeverCame,
            (true, Process::Ended | Process::GivenUp) => Absence::Crash,
            (true, Process::None | Process::Running | Process::Killed | Process::Restarting) => {
                Absence::Disconnect
            }
        }
    }

    /// The first instant after this one at which it becomes ready for something.
    pub fn deadline(&self, after: Instant, reconnect_timeout: Duration) -> Option<Instant> {
        let absent = self.absent_since.filter(|_| self.game.is_none());
        let deadlines = [
            Some(self.ready),
            absent.map(|since| since + reconnect_timeout),
            self.expected_until,
        ];
        let deadlines = deadlines.into_iter().flatten();
        deadlines.filter(|&deadline| deadline > after).min()
    }

    /// Whether the player is connected and fully informed of this game.
    pub fn is_playing(&self, number: usize) -> bool {
        self.game.is_some_and(|(game, _)| game == number)
            && self.state == SeatState::Playing
            && self.link.is_some()
    }

    /// Ends the player's part in its game; it is free again from `ready` on.
    pub fn leave_game(&mut self, ready: Instant) {
        self.game = None;
        self.state = SeatState::Reset;
        self.ready = ready;
        self.asking = None;
        self.stale = self.asked.take().or(self.stale);
    }
}
