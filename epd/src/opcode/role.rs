//! What opcodes do in the protocol between a referee and its players (EPD 8).

use strum::{Display, EnumString, IntoStaticStr, VariantNames};

bitflags::bitflags! {
    /// What a player does besides making a move.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct PlayerActions: u8 {
        /// `draw_accept`
        const ACCEPT_DRAW = 1;
        /// `draw_claim`
        const CLAIM_DRAW = 2;
        /// `draw_offer`
        const OFFER_DRAW = 4;
        /// `draw_reject`
        const REJECT_DRAW = 8;
        /// `resign`
        const RESIGN = 16;
    }
}

/// What an opcode does in the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Describes the position, the game or the analysis.
    #[default]
    Data,
    /// Describes the analysis behind a reply; the referee logs it (decision 56).
    Analysis,
    /// Is an action of the player.
    Action(PlayerActions),
    /// Makes the record a message; the operand says which one.
    Message,
}

/// The operand of `refcom`: what the referee tells a player (EPD 8.1).
///
/// ```
/// use epode_epd::opcode::CommandKind;
///
/// assert_eq!("respond".parse(), Ok(CommandKind::Respond));
/// assert_eq!(CommandKind::Reset.to_string(), "reset");
/// ```
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr, VariantNames,
)]
#[strum(serialize_all = "snake_case")]
pub enum CommandKind {
    /// The game is over (EPD 8.1.1).
    Conclude,
    /// The referee leaves (EPD 8.1.2).
    Disconnect,
    /// Play a move without a reply (EPD 8.1.3).
    Execute,
    /// Something is wrong (EPD 8.1.4).
    Fault,
    /// PGN tags (EPD 8.1.5).
    Inform,
    /// A game begins (EPD 8.1.6).
    Reset,
    /// Reply with a move (EPD 8.1.7).
    Respond,
}

/// The operand of `refreq`: what a player tells the referee (EPD 8.2).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr, VariantNames,
)]
#[strum(serialize_all = "snake_case")]
pub enum RequestKind {
    /// Something is wrong (EPD 8.2.1).
    Fault,
    /// The reply to `respond` (EPD 8.2.2).
    Reply,
    /// The player leaves (EPD 8.2.3).
    SignOff,
    /// The player arrives (EPD 8.2.4).
    SignOn,
}

impl CommandKind {
    /// Whether the command means nothing without a legal position (decision 29).
    #[must_use]
    pub const fn needs_position(self) -> bool {
        matches!(self, Self::Execute | Self::Reset | Self::Respond)
    }
}

impl RequestKind {
    /// Whether the request means nothing without a legal position (decision 29).
    #[must_use]
    pub const fn needs_position(self) -> bool {
        matches!(self, Self::Reply)
    }
}
