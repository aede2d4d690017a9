//! Reads numbers from the header of a table.

use crate::error::Fault;

/// A place in the header.
pub(crate) struct Cursor<'h> {
    bytes: &'h [u8],
    /// The place, from the beginning of the file.
    pub at: usize,
}

impl<'h> Cursor<'h> {
    pub const fn new(bytes: &'h [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub fn byte(&mut self) -> Result<u8, Fault> {
        let byte = self.bytes.get(self.at);
        self.at += 1;
        byte.copied().ok_or(Fault::Damaged("its header has no end"))
    }

    /// A number of 16 bits, little-endian.
    pub fn word(&mut self) -> Result<u16, Fault> {
        Ok(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }

    /// Skips a byte if the place is odd.
    pub fn align(&mut self) {
        self.at = self.at.next_multiple_of(2);
    }
}
