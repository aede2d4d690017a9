//! What a session wants its caller to do.

use epd::protocol::Request;

use super::played::Played;

/// An action for the caller to perform.
#[derive(Clone, Debug, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "there are only a few actions at a time"
)]
pub enum Action {
    /// Send this.
    Send(Request),
    /// Stop searching and pondering, and discard the result.
    Abort,
    /// Search the position; the clock is running.
    Think,
    /// Ponder.
    Ponder,
    /// A new game begins.
    NewGame,
    /// The game has ended, or will not go on.
    GameOver(Played),
    /// Print a message for the user.
    Print(String),
    /// The referee closes the connection.
    Close,
}
