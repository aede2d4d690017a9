//! One table file: its parts and the value of a position.
//!
//! A WDL table has a part for each side to move (one if both sides have the same pieces), a DTZ table
//! for one side only. With pawns there are parts for each file a to d of the leading pawn. The header
//! names the pieces of each part in the order of its index, then describes the compressed values. After
//! the values of a DTZ table comes a map to distances, then come the lists of places of all parts, the
//! lists of numbers of values, and the values, each part from a multiple of 64 bytes on.

use std::path::Path;

use movegen::{Color, Position, Role};

use crate::error::{Fault, Kind};
use crate::file::TableFile;
use crate::header::Cursor;
use crate::index::{Encoding, Leading, Squares, lead_pawns};
use crate::material::{MAX_PIECES, Material, ROLES};
use crate::pairs::Pairs;
use crate::wdl::Wdl;

/// A piece in the header: 1 to 6 for a pawn, knight, bishop, rook, queen or king; 8 more for Black.
type PieceCode = u8;

/// Whether the table has a part for each side to move, and whether it has pawns.
const IS_SPLIT: u8 = 1;
const HAS_PAWNS: u8 = 2;

/// The flags of a part of a DTZ table: the side to move that it is for, whether its values are numbers
/// of a map, whether those for a win and a loss count plies (not moves), and whether the map has 16 bits.
const BLACK_TO_MOVE: u8 = 1;
const IS_MAPPED: u8 = 2;
const WIN_IN_PLIES: u8 = 4;
const LOSS_IN_PLIES: u8 = 8;
const WIDE_MAP: u8 = 16;

/// A table, for one kind of result.
pub(crate) struct Table {
    file: TableFile,
    material: Material,
    leading: Leading,
    /// For each file of the leading pawn (one without pawns): the part for White to move, and for Black.
    parts: Vec<Vec<Part>>,
}

/// The values for a side to move and a file of the leading pawn.
struct Part {
    pieces: Vec<PieceCode>,
    encoding: Encoding,
    pairs: Pairs,
    /// The map of a DTZ part: to the distances of a win, a loss, a cursed win and a blessed loss.
    map: Option<[Vec<u16>; 4]>,
}

/// The distance of a position in a DTZ table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Distance {
    /// In plies.
    Plies(u16),
    /// The table has only the other side to move.
    OtherSide,
}

impl Table {
    /// Opens a table, kept in memory up to a size, and checks its header.
    pub fn open(path: &Path, material: Material, kind: Kind, kept: u64) -> Result<Self, Fault> {
        let file = TableFile::open(path, kind, kept)?;
        let header = file.header()?;
        let mut cursor = Cursor::new(&header, 4);
        let flags = cursor.byte()?;
        let leading = leading(material);
        let (own, other) = match leading {
            Leading::Pawns(own, other) => (own, other),
            Leading::Kings | Leading::Three => (0, 0),
        };
        if (flags & HAS_PAWNS != 0) != (own > 0) {
            return Err(Fault::Damaged("its pawns are not those of its name"));
        }
        let sides = match kind {
            Kind::Wdl => 1 + usize::from(!material.is_symmetric()),
            Kind::Dtz => 1,
        };
        if kind == Kind::Wdl && (flags & IS_SPLIT != 0) != (sides == 2) {
            return Err(Fault::Damaged("its sides are not those of its name"));
        }
        let files = if own > 0 { 4 } else { 1 };
        let mut encodings = Vec::new();
        for pawn_file in 0..files {
            let orders = [
                cursor.byte()?,
                if other > 0 { cursor.byte()? } else { 0xFF },
            ];
            let codes = (0..material.pieces()).map(|_| cursor.byte());
            let codes: Vec<u8> = codes.collect::<Result<_, _>>()?;
            for side in 0..sides {
                let nibble = |byte: u8| byte >> (4 * side) & 0xF;
                let pieces: Vec<PieceCode> = codes.iter().copied().map(nibble).collect();
                check_pieces(&pieces, material, own)?;
                let encoding = Encoding::new(leading, &pieces, pawn_file, orders.map(nibble));
                let encoding = encoding.ok_or(Fault::Damaged("impossible order of pieces"))?;
                encodings.push((pieces, encoding));
            }
        }
        cursor.align();
        let mut parts = Vec::new();
        for (pieces, encoding) in encodings {
            parts.push(Part {
                pairs: Pairs::read(&mut cursor, encoding.size)?,
                pieces,
                encoding,
                map: None,
            });
        }
        if kind == Kind::Dtz {
            for part in &mut parts {
                part.map = read_map(&mut cursor, part.pairs.flags)?;
            }
            cursor.align();
        }
        locate(&mut parts, cursor.at as u64, file.len)?;
        let mut rest = parts.into_iter();
        let parts = (0..files)
            .map(|_| rest.by_ref().take(sides).collect())
            .collect();
        Ok(Self {
            file,
            material,
            leading,
            parts,
        })
    }

    /// The win, draw or loss of a position with the pieces of the table, captures aside.
    pub fn wdl(&self, position: &Position) -> Result<Wdl, Fault> {
        let (part, index, _) = self.look_up(position)?;
        let value = part.pairs.value(&self.file, index)?;
        Wdl::from_code(value).ok_or(Fault::Damaged("unknown value"))
    }

    /// The distance of a position that is won or lost.
    pub fn distance(&self, position: &Position, wdl: Wdl) -> Result<Distance, Fault> {
        let (part, index, side) = self.look_up(position)?;
        let flags = part.pairs.flags;
        let has_side = usize::from(flags & BLACK_TO_MOVE) == side;
        if !has_side && !self.material.is_symmetric() {
            return Ok(Distance::OtherSide);
        }
        let mut value = part.pairs.value(&self.file, index)?;
        if let Some(map) = &part.map {
            let map = &map[match wdl {
                Wdl::Loss => 1,
                Wdl::BlessedLoss => 3,
                Wdl::CursedWin => 2,
                Wdl::Draw | Wdl::Win => 0,
            }];
            let mapped = map.get(usize::from(value));
            value = *mapped.ok_or(Fault::Damaged("unknown value"))?;
        }
        let in_plies = match wdl {
            Wdl::Win => flags & WIN_IN_PLIES != 0,
            Wdl::Loss => flags & LOSS_IN_PLIES != 0,
            _ => false,
        };
        let plies = if in_plies {
            value
        } else {
            value.saturating_mul(2)
        };
        Ok(Distance::Plies(plies.saturating_add(1)))
    }

    /// The part and the index of a position, and its side to move: 0 if the table calls it White.
    fn look_up(&self, position: &Position) -> Result<(&Part, u64, usize), Fault> {
        let material = Material::of(position);
        let black_moves = position.turn() == Color::Black;
        // The table's White is the side with the pieces that its name lists first. If both sides have the
        // same, it is the side to move.
        let is_flipped = if self.material.is_symmetric() {
            black_moves
        } else {
            material != self.material
        };
        let side = usize::from(black_moves != is_flipped);
        let pawns = match self.leading {
            Leading::Pawns(own, _) => own,
            Leading::Kings | Leading::Three => 0,
        };
        let mut squares = Squares::new();
        let mut file = 0;
        if pawns > 0 {
            let code = self.parts[0][0].pieces[0];
            place(position, code, is_flipped, true, &mut squares);
            file = lead_pawns(&mut squares);
        }
        let sides = &self.parts[file];
        let part = &sides[side.min(sides.len() - 1)];
        while let Some(&code) = part.pieces.get(squares.len()) {
            place(position, code, is_flipped, pawns > 0, &mut squares);
        }
        let index = part.encoding.index(&mut squares);
        let index = index.ok_or(Fault::Damaged("impossible order of pieces"))?;
        Ok((part, index, side))
    }
}

/// Appends the squares of a piece. `is_flipped` exchanges the colors, and turns the board if there are
/// pawns.
fn place(
    position: &Position,
    code: PieceCode,
    is_flipped: bool,
    has_pawns: bool,
    squares: &mut Squares,
) {
    let mut color = color_of(code);
    let mut mirror = 0;
    if is_flipped {
        color = !color;
        mirror = if has_pawns { 0x38 } else { 0 };
    }
    for square in position.pieces(color, role_of(code)) {
        squares.push(square as u8 ^ mirror);
    }
}

const fn color_of(code: PieceCode) -> Color {
    if code < 8 { Color::White } else { Color::Black }
}

fn role_of(code: PieceCode) -> Role {
    Role::ALL[usize::from(code & 7).saturating_sub(1).min(5)]
}

/// Which pieces lead the tables of some material.
fn leading(material: Material) -> Leading {
    let [white, black] = Color::ALL.map(|color| material.count(color, Role::Pawn));
    match (white, black) {
        (0, 0) => {
            let counts = Color::ALL
                .into_iter()
                .flat_map(|color| ROLES.map(|role| material.count(color, role)));
            // The kings occur once, too.
            if counts.filter(|&count| count == 1).count() > 0 {
                Leading::Three
            } else {
                Leading::Kings
            }
        }
        (own, 0) | (0, own) => Leading::Pawns(own, 0),
        (white, black) => Leading::Pawns(white.min(black), white.max(black)),
    }
}

/// Checks that a part has the pieces of its material: equal ones in a row, the leading pawns first.
fn check_pieces(pieces: &[PieceCode], material: Material, pawns: usize) -> Result<(), Fault> {
    let mut known: u16 = 0;
    let mut at = 0;
    while let Some(&code) = pieces.get(at) {
        let run = pieces[at..]
            .iter()
            .take_while(|&&other| other == code)
            .count();
        let is_piece = (1..=6).contains(&(code & 7));
        if !is_piece
            || known >> code & 1 != 0
            || material.count(color_of(code), role_of(code)) != run
        {
            return Err(Fault::Damaged("its pieces are not those of its name"));
        }
        known |= 1 << code;
        at += run;
    }
    let leads = pawns == 0
        || role_of(pieces[0]) == Role::Pawn
            && material.count(color_of(pieces[0]), Role::Pawn) == pawns;
    if leads && at <= MAX_PIECES {
        Ok(())
    } else {
        Err(Fault::Damaged("its pieces are not those of its name"))
    }
}

/// Reads the map of a DTZ part.
fn read_map(cursor: &mut Cursor<'_>, flags: u8) -> Result<Option<[Vec<u16>; 4]>, Fault> {
    if flags & IS_MAPPED == 0 {
        return Ok(None);
    }
    let mut map: [Vec<u16>; 4] = Default::default();
    if flags & WIDE_MAP != 0 {
        cursor.align();
        for distances in &mut map {
            let count = cursor.word()?;
            *distances = (0..count)
                .map(|_| cursor.word())
                .collect::<Result<_, _>>()?;
        }
    } else {
        for distances in &mut map {
            let count = cursor.byte()?;
            let values = (0..count).map(|_| cursor.byte().map(u16::from));
            *distances = values.collect::<Result<_, _>>()?;
        }
    }
    Ok(Some(map))
}

/// Finds where the lists and the data of all parts are, and checks that the file has them.
fn locate(parts: &mut [Part], mut at: u64, len: u64) -> Result<(), Fault> {
    for part in parts.iter_mut() {
        at = part.pairs.locate_places(at);
    }
    for part in parts.iter_mut() {
        at = part.pairs.locate_counts(at);
    }
    for part in parts.iter_mut() {
        at = part.pairs.locate_data(at);
    }
    if at <= len {
        Ok(())
    } else {
        Err(Fault::Damaged("its data end beyond its end"))
    }
}
