//! Random numbers for openings and side lines.

/// Random numbers that no library update changes (`SplitMix64`,
/// <https://prng.di.unimi.it/splitmix64.c>): the games of a seed stay the same.
pub struct Dice(u64);

impl Dice {
    /// The dice of a game: its seed and number.
    pub fn new(seed: u64, number: u64) -> Self {
        // The seed is mixed before the number is added, so that neighbouring seeds and numbers give
        // unrelated sequences.
        let mixed = Self(seed).next();
        Self(mixed ^ Self(!number).next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number from 0 up to and excluding `count`.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }
}
