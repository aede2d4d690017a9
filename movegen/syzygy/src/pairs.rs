//! The compressed values of one part of a table: recursive pairing, then a canonical Huffman code.
//!
//! A symbol stands for one value or for a pair of symbols. The codes of the symbols are cut into blocks
//! of a fixed size. Two lists tell where an index is: how many values each block has, and for every
//! so many indices the block and the place in it.

use crate::error::Fault;
use crate::file::TableFile;
use crate::header::Cursor;

/// The bytes of an entry of the list of places.
const PLACE: u64 = 6;
/// The second symbol of a symbol that stands for a value.
const NO_SYMBOL: u16 = 0xFFF;
/// No table has larger blocks; the reference generator writes at most 2^15 bytes.
const MAX_BLOCK_BITS: u8 = 20;

/// The compressed values of one part of a table.
pub(crate) struct Pairs {
    /// The bits of the part's first byte. Those of DTZ are in [`crate::table`].
    pub flags: u8,
    content: Content,
}

enum Content {
    /// All values are the same.
    Constant(u16),
    Coded(Coded),
}

struct Coded {
    block_bits: u8,
    place_bits: u8,
    /// The length of the shortest code.
    min_len: u32,
    /// For each length from the shortest: the lowest code, aligned to the left, and its symbol.
    codes: Vec<(u64, u16)>,
    symbols: Vec<Symbol>,
    /// The number of blocks that have a number of values, and of those that have data.
    counted_blocks: u64,
    blocks: u64,
    /// Where the lists and the data begin.
    places_at: u64,
    counts_at: u64,
    data_at: u64,
}

#[derive(Clone, Copy)]
struct Symbol {
    left: u16,
    right: u16,
    /// The number of values, less one.
    extra: u8,
}

impl Pairs {
    const CONSTANT: u8 = 0x80;

    /// Reads the header of the values with `size` indices.
    pub fn read(cursor: &mut Cursor<'_>, indices: u64) -> Result<Self, Fault> {
        let flags = cursor.byte()?;
        if flags & Self::CONSTANT != 0 {
            let content = Content::Constant(cursor.byte()?.into());
            return Ok(Self { flags, content });
        }
        let block_bits = cursor.byte()?;
        let place_bits = cursor.byte()?;
        let padding = cursor.byte()?;
        let blocks = u64::from(cursor.word()?) | u64::from(cursor.word()?) << 16;
        let (max_len, min_len) = (cursor.byte()?, cursor.byte()?);
        if block_bits > MAX_BLOCK_BITS || !(1..=32).contains(&place_bits) {
            return Err(Fault::Damaged("impossible block size"));
        }
        if min_len == 0 || max_len < min_len || max_len > 32 {
            return Err(Fault::Damaged("impossible code lengths"));
        }
        let lengths = usize::from(max_len - min_len) + 1;
        let first: Vec<u16> = (0..lengths)
            .map(|_| cursor.word())
            .collect::<Result<_, _>>()?;
        let symbols = read_symbols(cursor)?;
        let coded = Coded {
            block_bits,
            place_bits,
            min_len: min_len.into(),
            codes: lowest_codes(&first, min_len.into())?,
            symbols,
            counted_blocks: blocks + u64::from(padding),
            blocks,
            places_at: indices.div_ceil(1 << place_bits),
            counts_at: 0,
            data_at: 0,
        };
        let content = Content::Coded(coded);
        Ok(Self { flags, content })
    }

    /// Sets where the list of places begins, and returns where it ends.
    pub fn locate_places(&mut self, at: u64) -> u64 {
        let Content::Coded(coded) = &mut self.content else {
            return at;
        };
        // Until now it was the number of entries.
        let entries = std::mem::replace(&mut coded.places_at, at);
        at + PLACE * entries
    }

    /// Sets where the numbers of values begin, and returns where they end.
    pub fn locate_counts(&mut self, at: u64) -> u64 {
        let Content::Coded(coded) = &mut self.content else {
            return at;
        };
        coded.counts_at = at;
        at + 2 * coded.counted_blocks
    }

    /// Sets where the data begin, and returns where they end.
    pub fn locate_data(&mut self, at: u64) -> u64 {
        let Content::Coded(coded) = &mut self.content else {
            return at;
        };
        coded.data_at = at.next_multiple_of(64);
        coded.data_at + (coded.blocks << coded.block_bits)
    }

    /// The value at an index.
    pub fn value(&self, file: &TableFile, index: u64) -> Result<u16, Fault> {
        match &self.content {
            Content::Constant(value) => Ok(*value),
            Content::Coded(coded) => {
                let (block, offset) = coded.block_of(file, index)?;
                coded.decode(file, block, offset)
            }
        }
    }
}

/// Reads the symbols, and how many values each has.
fn read_symbols(cursor: &mut Cursor<'_>) -> Result<Vec<Symbol>, Fault> {
    let count = cursor.word()?;
    let mut symbols = Vec::with_capacity(count.into());
    for _ in 0..count {
        let [low, middle, high] = [cursor.byte()?, cursor.byte()?, cursor.byte()?].map(u16::from);
        symbols.push(Symbol {
            left: low | (middle & 0xF) << 8,
            right: middle >> 4 | high << 4,
            extra: 0,
        });
    }
    if count % 2 == 1 {
        cursor.byte()?;
    }
    // None while it is not known.
    let mut values: Vec<Option<u8>> = vec![None; symbols.len()];
    for root in 0..symbols.len() {
        let mut path = vec![root];
        while let Some(&at) = path.last() {
            let Symbol { left, right, .. } = symbols[at];
            let children = if right == NO_SYMBOL {
                None
            } else {
                Some([left, right])
            };
            let mut extra = Some(0_u8);
            for child in children.into_iter().flatten().map(usize::from) {
                let known = values.get(child).ok_or(Fault::Damaged("unknown symbol"))?;
                let Some(known) = *known else {
                    extra = None;
                    // A path without a cycle is no longer than there are symbols.
                    if path.len() > symbols.len() {
                        return Err(Fault::Damaged("a symbol that contains itself"));
                    }
                    path.push(child);
                    break;
                };
                let sum = extra.and_then(|extra| extra.checked_add(known));
                extra = Some(sum.ok_or(Fault::Damaged("a symbol with too many values"))?);
            }
            if let Some(extra) = extra {
                let pair = u8::from(children.is_some());
                let sum = extra.checked_add(pair);
                let sum = sum.ok_or(Fault::Damaged("a symbol with too many values"))?;
                values[at] = Some(sum);
                symbols[at].extra = sum;
                path.pop();
            }
        }
    }
    Ok(symbols)
}

/// The lowest code of each length, aligned to the left, with its symbol.
fn lowest_codes(first: &[u16], min_len: u32) -> Result<Vec<(u64, u16)>, Fault> {
    let mut codes = vec![(0_u64, 0_u16); first.len()];
    let mut code: u64 = 0;
    for (i, &symbol) in first.iter().enumerate().rev() {
        if let Some(&longer) = first.get(i + 1) {
            let sum = code + u64::from(symbol);
            let used = sum.checked_sub(longer.into());
            code = used.ok_or(Fault::Damaged("impossible code"))? / 2;
        }
        let len = min_len + i as u32;
        if code >> len != 0 {
            return Err(Fault::Damaged("impossible code"));
        }
        codes[i] = (code << (64 - len), symbol);
    }
    Ok(codes)
}

impl Coded {
    fn count(&self, file: &TableFile, block: u64) -> Result<u64, Fault> {
        if block >= self.counted_blocks {
            return Err(Fault::Damaged("unknown block"));
        }
        let mut bytes = [0; 2];
        file.read(self.counts_at + 2 * block, &mut bytes)?;
        Ok(u64::from(u16::from_le_bytes(bytes)) + 1)
    }

    /// The block of an index, and how many values of the block come before it.
    fn block_of(&self, file: &TableFile, index: u64) -> Result<(u64, u64), Fault> {
        let mut place = [0; PLACE as usize];
        let slot = index >> self.place_bits;
        file.read(self.places_at + PLACE * slot, &mut place)?;
        let mut block = u64::from(u32::from_le_bytes([place[0], place[1], place[2], place[3]]));
        // The place is that of the middle one of its indices.
        let middle = 1 << (self.place_bits - 1);
        let mut offset = i64::from(u16::from_le_bytes([place[4], place[5]]))
            + (index & ((1 << self.place_bits) - 1)) as i64
            - middle;
        while offset < 0 {
            block = block
                .checked_sub(1)
                .ok_or(Fault::Damaged("unknown block"))?;
            offset += self.count(file, block)? as i64;
        }
        loop {
            let count = self.count(file, block)? as i64;
            if offset < count {
                return Ok((block, offset as u64));
            }
            offset -= count;
            block += 1;
        }
    }

    /// The value of a block after `offset` others.
    fn decode(&self, file: &TableFile, block: u64, mut offset: u64) -> Result<u16, Fault> {
        if block >= self.blocks {
            return Err(Fault::Damaged("unknown block"));
        }
        let size = 1_usize << self.block_bits;
        let mut short = [0; 1024];
        let mut long = Vec::new();
        let bytes = if let Some(bytes) = short.get_mut(..size) {
            bytes
        } else {
            long.resize(size, 0);
            &mut long
        };
        file.read(self.data_at + (block << self.block_bits), bytes)?;
        let mut codes = Codes::new(bytes);
        let mut symbol = self.symbol(self.next(&mut codes)?)?;
        while offset > u64::from(symbol.extra) {
            offset -= u64::from(symbol.extra) + 1;
            symbol = self.symbol(self.next(&mut codes)?)?;
        }
        while symbol.right != NO_SYMBOL {
            let left = self.symbol(symbol.left)?;
            symbol = if offset <= u64::from(left.extra) {
                left
            } else {
                offset -= u64::from(left.extra) + 1;
                self.symbol(symbol.right)?
            };
        }
        Ok(symbol.left)
    }

    fn symbol(&self, symbol: u16) -> Result<Symbol, Fault> {
        let known = self.symbols.get(usize::from(symbol));
        known.copied().ok_or(Fault::Damaged("unknown symbol"))
    }

    /// Reads the next code.
    fn next(&self, codes: &mut Codes<'_>) -> Result<u16, Fault> {
        let bits = codes.bits();
        let fits = self.codes.iter().position(|&(lowest, _)| bits >= lowest);
        let i = fits.ok_or(Fault::Damaged("unknown code"))?;
        let (lowest, first) = self.codes[i];
        let len = self.min_len + i as u32;
        codes.skip(len)?;
        let symbol = u64::from(first) + ((bits - lowest) >> (64 - len));
        u16::try_from(symbol).map_err(|_| Fault::Damaged("unknown symbol"))
    }
}

/// A block as bits, the highest of each byte first.
struct Codes<'b> {
    bytes: &'b [u8],
    /// The next bits, aligned to the left, and how many there are.
    window: u64,
    filled: u32,
}

impl<'b> Codes<'b> {
    const fn new(bytes: &'b [u8]) -> Self {
        Self {
            bytes,
            window: 0,
            filled: 0,
        }
    }

    /// At least the next 32 bits, aligned to the left; zeros after the end of the block.
    fn bits(&mut self) -> u64 {
        if self.filled < 32
            && let Some((word, rest)) = self.bytes.split_first_chunk::<4>()
        {
            self.window |= u64::from(u32::from_be_bytes(*word)) << (32 - self.filled);
            self.filled += 32;
            self.bytes = rest;
        }
        self.window
    }

    fn skip(&mut self, bits: u32) -> Result<(), Fault> {
        let filled = self.filled.checked_sub(bits);
        self.filled = filled.ok_or(Fault::Damaged("a block that ends early"))?;
        self.window <<= bits;
        Ok(())
    }
}
