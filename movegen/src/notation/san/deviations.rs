//! How a text that is understood deviates from exact SAN.

use std::fmt;

bitflags::bitflags! {
    /// How a text that [`parse_lenient`](super::parse_lenient) accepts deviates from exact SAN.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Deviations: u16 {
        /// A `+` or `#` is missing, wrong or written differently.
        const CHECK_SIGN = 1;
        /// The move is annotated with `!` or `?`.
        const ANNOTATION = 2;
        /// Castling is not written `O-O` or `O-O-O`.
        const CASTLING = 4;
        /// A promotion lacks its `=`, or has a lower-case letter or parentheses.
        const PROMOTION = 8;
        /// An `x` is missing, extra or written differently.
        const CAPTURE_SIGN = 16;
        /// The origin square or the letter `P` is written where it is not needed.
        const DISAMBIGUATION = 32;
        /// The move is in UCI notation.
        const UCI = 64;
        /// A suffix marks an en passant capture.
        const EN_PASSANT = 128;
    }
}

impl fmt::Display for Deviations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, deviation) in self.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            f.write_str(match deviation {
                Self::CHECK_SIGN => "check sign",
                Self::ANNOTATION => "annotation",
                Self::CASTLING => "spelling of castling",
                Self::PROMOTION => "spelling of the promotion",
                Self::CAPTURE_SIGN => "capture sign",
                Self::DISAMBIGUATION => "extra origin square",
                Self::UCI => "UCI notation",
                _ => "en passant suffix",
            })?;
        }
        Ok(())
    }
}
