//! What goes into an event and what comes out of it.

use std::net::SocketAddr;
use std::time::Instant;

use epd::protocol::Command;
use epd::protocol::frame::Frame;

use crate::core::event::order::GivenOrder;
use crate::core::event::stream::Report;
use crate::core::journal::Entry;
use crate::core::observer::SignOn;

/// A connection, numbered by the caller.
pub type LinkId = u64;
/// A command that was sent, numbered by the event.
pub type SendId = u64;
/// A place of a player: a player has one for each game that it can play at the same time.
pub type SeatId = usize;
/// A program that the referee starts: there is one for each seat of its player.
pub type ProgramId = usize;

/// Where a connection comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// An address of the network.
    Address(SocketAddr),
    /// A dedicated connection: its transport says who the player is.
    Dedicated {
        /// The player.
        player: usize,
        /// It is known to be there already, though the referee was started after it.
        is_there: bool,
    },
    /// Standard input and output of a program.
    Program(ProgramId),
}

impl From<SocketAddr> for Peer {
    fn from(address: SocketAddr) -> Self {
        Self::Address(address)
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// The event begins, or goes on, on this date.
    Begin {
        /// The date for PGN.
        date: String,
    },
    /// A new date.
    Date(String),
    /// A peer connected.
    Opened(LinkId, Peer),
    /// The peer of a connection cannot take part for this reason, such as a failed handshake.
    Unfit(LinkId, String),
    /// A connection received a line.
    Received {
        /// The connection.
        link: LinkId,
        /// The line.
        frame: Frame,
        /// When it was read. Clocks count up to this instant, however late the line is handled.
        read: Instant,
    },
    /// A connection received this many blank lines.
    Blank(LinkId, usize),
    /// A connection was closed or is broken.
    Closed(LinkId),
    /// A command has been written, at the instant that goes with this input.
    Sent(LinkId, SendId),
    /// A program could not be started.
    NotStarted(ProgramId, String),
    /// A program has ended, with this exit status.
    Exited(ProgramId, String),
    /// The arbiter gave an order.
    Order {
        /// The order.
        given: GivenOrder,
        /// The time of day for the journal, as RFC 3339 has it.
        at: String,
    },
    /// The handling of an input has panicked.
    Panicked,
    /// What is sent to players is held back, so that nobody can answer a ping.
    PostponePings,
    /// The observer has no copy of the journal: all games stop with their clocks.
    StandStill,
    /// The games go on after [`Input::StandStill`].
    GoOn,
    /// Another referee has taken over the event, with this term.
    Superseded(u64),
    /// Nothing but time went by.
    Tick,
    /// The referee is told to stop, by Ctrl-C for example.
    Stop,
}

/// Something that the caller has to do. Effects are carried out in their order.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Write this entry to the journal. Nothing that follows may be done before.
    Journal(Entry),
    /// Send a command, and then hand in [`Input::Sent`] with the instant at which it was written, or
    /// [`Input::Closed`].
    Send {
        /// The connection.
        link: LinkId,
        /// The number for [`Input::Sent`].
        id: SendId,
        /// The command, in a box because effects are moved about.
        command: Box<Command>,
        /// Whether the records log has a place for it.
        is_logged: bool,
    },
    /// The logs are to call a connection by this name.
    Name(LinkId, String),
    /// An observer has signed on: send it the journal.
    Observe(LinkId, SignOn),
    /// Log a record that a connection received.
    Log(LinkId, String),
    /// Close a connection once everything sent has been written.
    Close(LinkId),
    /// Start a program.
    Start(ProgramId),
    /// Kill a program with its process group, if it still runs.
    Kill(ProgramId),
    /// Add a finished game to the file of games.
    Pgn(String),
    /// A result was withdrawn: write the file of games again, from the journal.
    RebuildGames,
    /// The standings have changed.
    Standings,
    /// Print a line for the arbiter.
    Say(String),
    /// Add a line to the stream of events.
    Report(Report),
    /// Answer the order that was given.
    Answer {
        /// The answer.
        text: String,
        /// Whether the order was refused.
        is_refused: bool,
    },
}
