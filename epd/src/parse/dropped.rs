//! Castling rights that a reader dropped, for a message about them.

use std::fmt;

use movegen::{CastlingField, CastlingMode, Setup};

use super::repair::{Repair, RepairKind};

/// Castling rights that a [`Reader`](crate::Reader) dropped, because king and rook are not where they have
/// to be (decisions 48 and 122). It prints which, why, and what to write if they are meant as in Chess960.
///
/// ```
/// use epode_epd::Reader;
///
/// let line = "1r3k1r/p6p/8/8/8/8/P6P/1R3K1R w KQkq -";
/// let mut repairs = Vec::new();
/// let record = Reader::lenient().read(line, &mut repairs)?;
/// let dropped = repairs[0].dropped_rights(line, &record.setup).unwrap();
/// assert_eq!(
///     dropped.to_string(),
///     "castling rights KQkq dropped: no king and rook at home; for Chess960 write HBhb"
/// );
/// # Ok::<(), epode_epd::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DroppedRights {
    /// The letters that were dropped.
    pub letters: String,
    /// The whole field with the files of the rooks, if its letters mean castlings of Chess960.
    pub chess960: Option<String>,
    kind: RepairKind,
}

impl Repair {
    /// The castling rights that were dropped from a line with this position; `None` if this is another
    /// repair.
    #[must_use]
    pub fn dropped_rights(&self, line: &str, setup: &Setup) -> Option<DroppedRights> {
        let is_drop = matches!(
            self.kind,
            RepairKind::ImpossibleCastling
                | RepairKind::Chess960Castling
                | RepairKind::CastlingJunk
        );
        if !is_drop {
            return None;
        }
        let found = self.span.of(line);
        let modes = [CastlingMode::Standard, CastlingMode::Chess960];
        let fields = modes.map(|mode| CastlingField::read(found, setup, mode));
        let read = fields
            .into_iter()
            .find(|field| field.rights == setup.castling && field.mode == setup.castling_mode)?;
        let chess960 = (self.kind == RepairKind::Chess960Castling)
            .then(|| CastlingField::in_chess960(found, setup))
            .flatten();
        Some(DroppedRights {
            letters: read.dropped,
            chess960,
            kind: self.kind,
        })
    }
}

impl fmt::Display for DroppedRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = if self.letters.len() == 1 { "" } else { "s" };
        write!(f, "castling right{ending} {} dropped: ", self.letters)?;
        f.write_str(match self.kind {
            RepairKind::CastlingJunk => "no such king and rook, or repeated",
            _ => "no king and rook at home",
        })?;
        match &self.chess960 {
            Some(files) => write!(f, "; for Chess960 write {files}"),
            None => Ok(()),
        }
    }
}
