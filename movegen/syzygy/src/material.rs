//! The pieces on the board, which select a table.

use std::fmt;

use movegen::{Color, Position, Role};

/// The roles other than the king, in the order of table names.
pub(crate) const ROLES: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// The most pieces of a table, kings included.
pub(crate) const MAX_PIECES: usize = 7;

/// How many pieces of each role both sides have, kings aside: four bits each, White's in the lower
/// half.
///
/// It prints as in the name of a table: `KQvK`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material(u64);

const SIDE_BITS: u32 = 32;

impl Material {
    /// The material of a position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let mut key = 0;
        for color in [Color::Black, Color::White] {
            key <<= SIDE_BITS;
            for (i, role) in ROLES.into_iter().enumerate() {
                key |= u64::from(position.pieces(color, role).len()) << (4 * i);
            }
        }
        Self(key)
    }

    /// Reads the name of a table, such as `KQvK`. None if the name is not in the usual form.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let side = |letters: &str| {
            let mut key = 0;
            for letter in letters.strip_prefix('K')?.chars() {
                let i = ROLES.iter().position(|role| role.to_char() == letter)?;
                key += 1 << (4 * i);
            }
            Some(key)
        };
        if name.len() > MAX_PIECES + 1 {
            return None;
        }
        let material = Self(side(black)? << SIDE_BITS | side(white)?);
        (material.pieces() > 2 && material.to_string() == name).then_some(material)
    }

    /// The material with the colors exchanged.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self(self.0.rotate_left(SIDE_BITS))
    }

    /// Whether both sides have the same pieces.
    #[must_use]
    pub fn is_symmetric(self) -> bool {
        self == self.flipped()
    }

    /// The number of pieces, kings included.
    #[must_use]
    pub fn pieces(self) -> usize {
        let each = Color::ALL
            .into_iter()
            .flat_map(|color| ROLES.map(|role| self.count(color, role)));
        2 + each.sum::<usize>()
    }

    /// How many pieces of a role a side has; one king.
    pub(crate) fn count(self, color: Color, role: Role) -> usize {
        let Some(i) = ROLES.iter().position(|&other| other == role) else {
            return 1;
        };
        let side = match color {
            Color::White => self.0,
            Color::Black => self.0 >> SIDE_BITS,
        };
        (side >> (4 * i) & 0xF) as usize
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::ALL {
            f.write_str(["K", "vK"][color as usize])?;
            for role in ROLES {
                for _ in 0..self.count(color, role) {
                    write!(f, "{role}")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_printed() {
        for name in ["KQvK", "KRPvKR", "KBNvK", "KQRBNvKQ"] {
            assert_eq!(Material::parse(name).expect(name).to_string(), name);
        }
        for name in [
            "KvK",
            "KQ",
            "QvK",
            "KPQvK",
            "KXvK",
            "KQvk",
            "KQQQQQvKQ",
            "KQvKvK",
            "",
            "v",
        ] {
            assert_eq!(Material::parse(name), None, "{name}");
        }
    }

    #[test]
    fn positions_have_material() {
        let position: Position = "3k4/8/8/8/8/8/3P4/3KR2r w - - 0 1".parse().expect("legal");
        let material = Material::of(&position);
        assert_eq!(Some(material), Material::parse("KRPvKR"));
        assert_eq!((material.pieces(), material.is_symmetric()), (5, false));
        assert_eq!(material.flipped().to_string(), "KRvKRP");
    }
}
