//! What can be wrong with tables, and why a position cannot be probed.

use std::path::PathBuf;
use std::{fmt, io};

use crate::material::Material;

/// Why no tables were opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A folder of the list cannot be read.
    #[error("{}: {error}", folder.display())]
    Folder {
        /// The folder, as the list names it.
        folder: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The folders have no tables.
    #[error("no tablebases in {}: expected files such as KQvK.rtbw", .0.display())]
    NoTables(PathBuf),
}

/// The kind of a table file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Win, draw or loss.
    Wdl,
    /// Distance to zeroing: plies to the next capture or pawn move.
    Dtz,
}

impl Kind {
    pub(crate) const ALL: [Self; 2] = [Self::Wdl, Self::Dtz];

    /// The extension of the file.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        ["rtbw", "rtbz"][self as usize]
    }

    /// The first bytes of the file.
    pub(crate) const fn magic(self) -> [u8; 4] {
        [[0x71, 0xE8, 0x23, 0x5D], [0xD7, 0x66, 0x0C, 0xA5]][self as usize]
    }
}

/// Why a table file cannot be used. It is treated as missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct BadTable {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a table file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The system cannot read it.
    #[error("{0}")]
    Io(String),
    /// The size of a table file is 16 more than a multiple of 64.
    #[error("incomplete table: {0} bytes, expected 16 more than a multiple of 64")]
    Size(u64),
    /// The file does not begin as its name says.
    #[error("not a {} table: begins with {found:02x?}, expected {:02x?}", .kind.extension(), .kind.magic())]
    Magic {
        /// The kind that the name of the file says.
        kind: Kind,
        /// The first bytes.
        found: [u8; 4],
    },
    /// The checksum at the end is not that of the file.
    #[error("damaged table: the checksum does not match")]
    Checksum,
    /// A number in the file is impossible.
    #[error("damaged table: {0}")]
    Damaged(&'static str),
}

/// Why a position has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProbeError {
    /// Tables know nothing of castling.
    #[error("a position with castling rights is in no table")]
    Castling,
    /// A table is missing or damaged, that of the position or of one after captures.
    #[error("no table {0}")]
    Missing(TableName),
}

/// The name of a table file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableName {
    /// The pieces.
    pub material: Material,
    /// What it knows about them.
    pub kind: Kind,
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.material, self.kind.extension())
    }
}
