//! Tests of material.

use movegen::{Color, Piece, Role, Setup};

/// How many pieces of each kind, in the order of [`Piece::ALL`].
type Counts = [u8; Piece::ALL.len()];

fn counts(setup: &Setup) -> Counts {
    let mut counts = [0; Piece::ALL.len()];
    for piece in setup.board.iter().flatten() {
        counts[*piece as usize] += 1;
    }
    counts
}

/// From the king to the pawns, as material is written.
const ORDER: [Role; 6] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// The material of both sides: `KRPkr`.
pub fn signature(setup: &Setup) -> String {
    let counts = counts(setup);
    let mut text = String::new();
    for color in Color::ALL {
        for role in ORDER {
            let piece = Piece::new(color, role);
            text.extend(std::iter::repeat_n(
                piece.to_char(),
                counts[piece as usize].into(),
            ));
        }
    }
    text
}

/// A material, such as `KRPkr`, `KRPvKR` or `KR*kr*`.
#[derive(Debug)]
pub struct Material {
    wanted: Counts,
    /// Whether White and Black may have more than that.
    open: [bool; 2],
    /// Whether the colors may be exchanged.
    either: bool,
}

impl Material {
    /// Reads a word; none if it does not look like a material.
    pub fn parse(word: &str) -> Option<Self> {
        let (white, black, either) = match word.split_once('v') {
            Some((one, two)) if !two.contains(char::is_lowercase) => {
                (one.to_owned(), two.to_lowercase(), true)
            }
            _ => {
                let black = word.find('k')?;
                (word[..black].to_owned(), word[black..].to_owned(), false)
            }
        };
        let mut material = Self {
            wanted: [0; 12],
            open: [false; 2],
            either,
        };
        for (color, side) in [(Color::White, &white), (Color::Black, &black)] {
            let pieces = side.strip_suffix('*').unwrap_or(side);
            material.open[color as usize] = pieces != side;
            for letter in pieces.chars() {
                let piece = Piece::from_char(letter).filter(|piece| piece.color() == color)?;
                let count = &mut material.wanted[piece as usize];
                *count = count.saturating_add(1);
            }
            if material.wanted[Piece::new(color, Role::King) as usize] != 1 {
                return None;
            }
        }
        Some(material)
    }

    /// Whether a position has this material.
    pub fn is_of(&self, setup: &Setup) -> bool {
        let counts = counts(setup);
        let (white, black) = counts.split_at(Role::ALL.len());
        let (wanted_white, wanted_black) = self.wanted.split_at(Role::ALL.len());
        let fits = |side: &[u8], wanted: &[u8], open: bool| {
            let mut pairs = side.iter().zip(wanted);
            pairs.all(|(&count, &wanted)| count == wanted || open && count > wanted)
        };
        let [white_open, black_open] = self.open;
        fits(white, wanted_white, white_open) && fits(black, wanted_black, black_open)
            || self.either
                && fits(black, wanted_white, white_open)
                && fits(white, wanted_black, black_open)
    }
}
