//! The checksum at the end of a table file: `CityHash` of version 1.0, in the variants `CityHashCrc256`
//! for each chunk of 16 MiB and `CityHashCrc128` for the results of all chunks.
//!
//! The reference generator has this in `src/checksum.c` (<https://github.com/syzygy1/tb>). The hash
//! functions follow `CityHash`:
//!
//! > Copyright (c) 2011 Google, Inc.
//! >
//! > Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
//! > associated documentation files (the "Software"), to deal in the Software without restriction,
//! > including without limitation the rights to use, copy, modify, merge, publish, distribute,
//! > sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
//! > furnished to do so, subject to the following conditions:
//! >
//! > The above copyright notice and this permission notice shall be included in all copies or
//! > substantial portions of the Software.
//! >
//! > THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
//! > NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
//! > NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
//! > DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT
//! > OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

#![allow(
    clippy::many_single_char_names,
    reason = "the names of the reference, for comparison"
)]

const K0: u64 = 0xC3A5_C85C_97CB_3127;
const K1: u64 = 0xB492_B66F_BE98_F273;
const K3: u64 = 0xC949_D7C7_509E_6557;

const CHUNK: usize = 1 << 24;
/// `CityHashCrc256` takes this many bytes a round, and pads shorter input.
const ROUND: usize = 240;

/// The greatest size of a file, without its checksum, that [`of`] can hash: up to four chunks,
/// `CityHashCrc128` is `CityMurmur`.
pub(crate) const LIMIT: usize = 4 * CHUNK;

/// The checksum of the bytes of a file, up to 64 MiB of them.
pub fn of(bytes: &[u8]) -> [u8; 16] {
    debug_assert!(bytes.len() <= LIMIT, "too many chunks");
    let results = bytes.chunks(CHUNK).flat_map(crc256);
    let results: Vec<u8> = results.flat_map(u64::to_le_bytes).collect();
    let (low, high) = hash128(&results);
    let mut sum = [0; 16];
    sum[..8].copy_from_slice(&low.to_le_bytes());
    sum[8..].copy_from_slice(&high.to_le_bytes());
    sum
}

fn fetch(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8]
        .iter()
        .rev()
        .fold(0, |word, &byte| word << 8 | u64::from(byte))
}

fn shift_mix(value: u64) -> u64 {
    value ^ value >> 47
}

fn hash_16(u: u64, v: u64) -> u64 {
    const MULTIPLIER: u64 = 0x9DDF_EA08_EB38_2D69;
    let a = shift_mix((u ^ v).wrapping_mul(MULTIPLIER));
    let b = shift_mix((v ^ a).wrapping_mul(MULTIPLIER));
    b.wrapping_mul(MULTIPLIER)
}

/// `CityHash128` of 32 to 143 bytes.
fn hash128(bytes: &[u8]) -> (u64, u64) {
    let seed = (fetch(bytes, 0) ^ K3, fetch(bytes, 8));
    murmur(&bytes[16..], seed)
}

/// `CityMurmur` of 16 bytes or more, in steps of 16.
fn murmur(bytes: &[u8], (mut a, mut b): (u64, u64)) -> (u64, u64) {
    let len = bytes.len();
    let mix = |word: u64| shift_mix(word.wrapping_mul(K1)).wrapping_mul(K1);
    let (mut c, mut d);
    if len <= 16 {
        a = mix(a);
        let last = fetch(bytes, len - 8);
        let rotated = last.wrapping_add(len as u64).rotate_right(len as u32);
        let short = hash_16(fetch(bytes, 0), rotated) ^ last;
        c = b.wrapping_mul(K1).wrapping_add(short);
        d = shift_mix(a.wrapping_add(fetch(bytes, 0)));
    } else {
        c = hash_16(fetch(bytes, len - 8).wrapping_add(K1), a);
        d = hash_16(
            b.wrapping_add(len as u64),
            c.wrapping_add(fetch(bytes, len - 16)),
        );
        a = a.wrapping_add(d);
        for at in (0..len).step_by(16) {
            a = (a ^ mix(fetch(bytes, at))).wrapping_mul(K1);
            b ^= a;
            c = (c ^ mix(fetch(bytes, at + 8))).wrapping_mul(K1);
            d ^= c;
        }
    }
    a = hash_16(a, c);
    b = hash_16(d, b);
    (a ^ b, hash_16(b, a))
}

/// CRC-32C of single bytes, followed by 0 to 7 zero bytes.
static CRC_TABLES: [[u32; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ ((crc & 1) * 0x82F6_3B78);
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut zeros = 1;
    while zeros < 8 {
        let mut byte = 0;
        while byte < 256 {
            let crc = tables[zeros - 1][byte];
            tables[zeros][byte] = crc >> 8 ^ tables[0][(crc & 0xFF) as usize];
            byte += 1;
        }
        zeros += 1;
    }
    tables
};

/// What the instruction `crc32` of SSE 4.2 computes.
fn crc(crc: u64, word: u64) -> u64 {
    let bytes = (word ^ crc & 0xFFFF_FFFF).to_le_bytes();
    let terms = bytes.iter().zip(CRC_TABLES.iter().rev());
    u64::from(terms.fold(0, |sum, (&byte, table)| sum ^ table[usize::from(byte)]))
}

fn crc256(bytes: &[u8]) -> [u64; 4] {
    if bytes.len() >= ROUND {
        return crc256_long(bytes, 0);
    }
    let mut padded = [0; ROUND];
    padded[..bytes.len()].copy_from_slice(bytes);
    crc256_long(&padded, !(bytes.len() as u32))
}

/// The state of `CityHashCrc256`.
struct State {
    words: [u64; 6],
    crcs: [u64; 5],
}

impl State {
    /// Takes 40 bytes. `odd` changes the rotations.
    fn take(&mut self, bytes: &[u8], multiplier: u64, odd: u32) {
        let [a, b, c, d, e, t] = self.words;
        let step = |word: u64, rotation: u32, at: usize| {
            let rotated = word.rotate_right(rotation ^ odd);
            rotated
                .wrapping_mul(multiplier)
                .wrapping_add(fetch(bytes, at))
        };
        self.words = [
            step(b, 41, 0),
            step(c, 27, 8),
            step(d, 41, 16),
            step(e, 33, 24),
            step(t, 25, 32),
            a,
        ];
        for (sum, &word) in self.crcs.iter_mut().zip(&self.words) {
            *sum = crc(*sum, word);
        }
    }
}

fn crc256_long(bytes: &[u8], seed: u32) -> [u64; 4] {
    let seed = u64::from(seed);
    let len = bytes.len();
    let b = fetch(bytes, 96).wrapping_add(K0);
    let c = hash_16(b, len as u64);
    let d = fetch(bytes, 120).wrapping_mul(K0).wrapping_add(len as u64);
    let mut state = State {
        words: [
            fetch(bytes, 56).wrapping_add(K0),
            b,
            c,
            d,
            fetch(bytes, 184).wrapping_add(seed),
            c.wrapping_add(d),
        ],
        crcs: [seed, 0, 0, 0, 0],
    };
    let rounds = bytes.chunks_exact(ROUND);
    let rest = rounds.remainder();
    for round in rounds {
        for pair in round.chunks_exact(80) {
            state.take(&pair[..40], 1, 1);
            state.take(&pair[40..], K0, 0);
        }
    }
    let parts = rest.chunks_exact(40);
    let is_over = parts.remainder().is_empty();
    for part in parts {
        state.take(part, K0, 0);
    }
    if !is_over {
        state.take(&bytes[len - 40..], K0, 0);
    }
    finish(&state, c, d)
}

/// Mixes the state into the hash; `first` and `second` are what the hash began with.
fn finish(state: &State, first: u64, second: u64) -> [u64; 4] {
    let [mut a, mut b, mut c, mut d, mut e, t] = state.words;
    let [mut f, mut g, mut h, mut i, mut j] = state.crcs;
    j = j.wrapping_add(i << 32);
    a = hash_16(a, j);
    h = h.wrapping_add(g << 32);
    b = b.wrapping_add(h);
    c = hash_16(c, f).wrapping_add(i);
    d = hash_16(d, e.wrapping_add(first));
    j = j.wrapping_add(e);
    i = i.wrapping_add(hash_16(h, t));
    e = hash_16(a, d).wrapping_add(j);
    f = hash_16(b, c).wrapping_add(a);
    g = hash_16(j, i).wrapping_add(c);
    let mix = |word: u64, by: u64| {
        shift_mix(word.wrapping_mul(K0))
            .wrapping_mul(K0)
            .wrapping_add(by)
    };
    let first = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    a = mix(a.wrapping_add(g), b);
    let second = second.wrapping_add(a.wrapping_add(first));
    a = mix(a, c);
    let third = a.wrapping_add(second);
    let fourth = mix(a.wrapping_add(e), third);
    [first, second, third, fourth]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value of CRC-32C, computed eight bytes at a time.
    #[test]
    fn crc_is_crc_32c() {
        let mut sum = 0xFFFF_FFFF;
        sum = crc(sum, u64::from_le_bytes(*b"12345678"));
        let last = CRC_TABLES[0][((sum ^ u64::from(b'9')) & 0xFF) as usize];
        assert_eq!(!(sum as u32 >> 8 ^ last), 0xE306_9283);
    }

    #[test]
    fn checksums_of_the_tables_agree() {
        let tables: [&[u8]; 4] = [
            include_bytes!("../tables/KBvK.rtbw"),
            include_bytes!("../tables/KQvK.rtbw"),
            include_bytes!("../tables/KQvK.rtbz"),
            include_bytes!("../tables/KPvK.rtbw"),
        ];
        for table in tables {
            let (bytes, sum) = table.split_at(table.len() - 16);
            assert_eq!(of(bytes), sum);
        }
    }
}
