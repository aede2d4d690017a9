//! The header of a frame.

use crc::{CRC_32_ISO_HDLC, Crc};

pub const MAGIC: [u8; 8] = *b"\x89EPGAME\n";
pub const HEADER: usize = 40;
const VERSION: u16 = 1;
/// A header with a longer payload is damaged: 64 games take about 30 kB.
const LONGEST: u32 = 1 << 26;

/// The number of games and of the data points in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Data points.
    pub positions: u64,
}

/// The kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Settings,
    Games,
}

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub kind: Kind,
    pub first: u64,
    pub games: u32,
    pub positions: u32,
    pub length: u32,
    pub checksum: u32,
}

/// CRC-32 of bytes.
pub fn checksum(bytes: &[u8]) -> u32 {
    static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
    CRC.checksum(bytes)
}

impl Header {
    pub fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let kind = match self.kind {
            Kind::Settings => 0_u16,
            Kind::Games => 1,
        };
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10..12].copy_from_slice(&kind.to_le_bytes());
        bytes[12..20].copy_from_slice(&self.first.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.games.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.positions.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.length.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.checksum.to_le_bytes());
        let own = checksum(&bytes[..36]);
        bytes[36..].copy_from_slice(&own.to_le_bytes());
        bytes
    }

    /// Reads a header; `None` if the bytes are not a valid one.
    pub fn from_bytes(bytes: &[u8; HEADER]) -> Option<Self> {
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let word = |at: usize| u32::from(short(at)) | u32::from(short(at + 2)) << 16;
        let sound = bytes[..8] == MAGIC && checksum(&bytes[..36]) == word(36);
        let kind = match short(10) {
            0 => Kind::Settings,
            1 => Kind::Games,
            _ => return None,
        };
        let header = Self {
            kind,
            first: u64::from(word(12)) | u64::from(word(16)) << 32,
            games: word(20),
            positions: word(24),
            length: word(28),
            checksum: word(32),
        };
        (sound && short(8) == VERSION && header.length <= LONGEST).then_some(header)
    }
}
