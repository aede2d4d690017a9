//! King and pawn against king, exactly: one bit for every position, found once by going back from
//! those that are decided (<https://www.chessprogramming.org/KPK>).

use std::sync::LazyLock;

use movegen::attacks::{king_attacks, pawn_attacks};
use movegen::{Bitboard, Color, File, Position, Rank, Role, Square};

/// The side with the pawn counts as White here, and the pawn stands on the files from a to d.
#[derive(Clone, Copy)]
struct Place {
    turn: Color,
    pawn: Square,
    /// Of the side with the pawn, and of the other one.
    kings: [Square; 2],
}

/// The squares that the pawn can stand on.
const PAWN_SQUARES: usize = 24;
const PLACES: usize = 2 * PAWN_SQUARES * Square::COUNT * Square::COUNT;

impl Place {
    fn index(self) -> usize {
        let pawn = (self.pawn.rank() as usize - 1) * 4 + self.pawn.file() as usize;
        let kings = self.kings[0].index() * Square::COUNT + self.kings[1].index();
        (pawn * 2 + self.turn as usize) * Square::COUNT * Square::COUNT + kings
    }

    fn all() -> impl Iterator<Item = Self> {
        let pawns = Square::all().filter(|pawn| {
            pawn.file() <= File::D && pawn.rank() > Rank::R1 && pawn.rank() < Rank::R8
        });
        pawns.flat_map(|pawn| {
            Color::ALL.into_iter().flat_map(move |turn| {
                Square::all().flat_map(move |own| {
                    Square::all().map(move |other| Self {
                        turn,
                        pawn,
                        kings: [own, other],
                    })
                })
            })
        })
    }

    fn exists(self) -> bool {
        let [own, other] = self.kings;
        let apart = own != other && !king_attacks(own).contains(other);
        let check = pawn_attacks(Color::White, self.pawn).contains(other);
        apart && own != self.pawn && other != self.pawn && !(check && self.turn == Color::White)
    }

    /// What it comes to if that can be seen at once.
    fn decided(self) -> Option<Value> {
        let [own, other] = self.kings;
        let stop = ahead(self.pawn)?;
        if self.turn == Color::White {
            let promotes = self.pawn.rank() == Rank::R7 && own != stop && other != stop;
            let safe = !king_attacks(other).contains(stop) || king_attacks(own).contains(stop);
            return (promotes && safe).then_some(Value::Won);
        }
        let denied = king_attacks(own) | pawn_attacks(Color::White, self.pawn);
        let flights = king_attacks(other) & !denied;
        let check = pawn_attacks(Color::White, self.pawn).contains(other);
        // Nowhere to go but not in check, or the pawn is there for the taking.
        ((flights & !Bitboard::of(self.pawn)).is_empty() && !check && !flights.contains(self.pawn)
            || flights.contains(self.pawn))
        .then_some(Value::Drawn)
    }

    /// The places that the side to move can reach, promotions aside.
    fn next(self) -> impl Iterator<Item = Self> {
        let side = self.turn as usize;
        let turn = !self.turn;
        let kings = king_attacks(self.kings[side]).into_iter().map(move |to| {
            let mut next = Self { turn, ..self };
            next.kings[side] = to;
            next
        });
        let free = |square: &Square| !self.kings.contains(square);
        let white = self.turn == Color::White && self.pawn.rank() < Rank::R7;
        let single = ahead(self.pawn).filter(|square| white && free(square));
        let double = single
            .filter(|_| self.pawn.rank() == Rank::R2)
            .and_then(ahead)
            .filter(free);
        let pushes = single.into_iter().chain(double);
        kings
            .chain(pushes.map(move |pawn| Self { turn, pawn, ..self }))
            .filter(|next| next.exists())
    }
}

/// The square before a pawn.
fn ahead(square: Square) -> Option<Square> {
    Bitboard(Bitboard::of(square).0 << 8).first()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Unknown,
    Won,
    Drawn,
}

/// The places that the side with the pawn wins, a bit each.
static WON: LazyLock<Box<[u64]>> = LazyLock::new(|| {
    let mut values = vec![Value::Unknown; PLACES];
    let mut open: Vec<Place> = Place::all().filter(|place| place.exists()).collect();
    open.retain(|place| {
        values[place.index()] = place.decided().unwrap_or(Value::Unknown);
        values[place.index()] == Value::Unknown
    });
    // A side has what it wants if one move leads there, the other one if all moves do.
    loop {
        let before = open.len();
        open.retain(|place| {
            let wanted = match place.turn {
                Color::White => Value::Won,
                Color::Black => Value::Drawn,
            };
            let mut all_known = true;
            let mut best = None;
            for next in place.next() {
                let value = values[next.index()];
                all_known &= value != Value::Unknown;
                if best != Some(wanted) {
                    best = Some(value);
                }
            }
            if let Some(value) = best.filter(|&value| value == wanted || all_known) {
                values[place.index()] = value;
            }
            values[place.index()] == Value::Unknown
        });
        if open.len() == before {
            break;
        }
    }
    // What never comes to a decision is drawn.
    let mut bits = vec![0; PLACES / 64];
    for (i, _) in values
        .iter()
        .enumerate()
        .filter(|(_, value)| **value == Value::Won)
    {
        bits[i / 64] |= 1 << (i % 64);
    }
    bits.into()
});

/// Whether a side that has a king and a pawn wins against a king.
pub(crate) fn is_won(position: &Position, side: Color) -> bool {
    let Some(pawn) = position.pieces(side, Role::Pawn).first() else {
        return false;
    };
    let seen = |square: Square| {
        let square = square.relative_to(side);
        let mirror = if pawn.file() > File::D { 7 } else { 0 };
        Square::from_index(square.index() ^ mirror)
    };
    let turn = if position.turn() == side {
        Color::White
    } else {
        Color::Black
    };
    let place = Place {
        turn,
        pawn: seen(pawn),
        kings: [seen(position.king(side)), seen(position.king(!side))],
    };
    WON[place.index() / 64] >> (place.index() % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::{Piece, Setup};

    fn position(place: Place) -> Option<Position> {
        let mut setup = Setup::empty();
        let [own, other] = place.kings;
        setup.board[own.index()] = Piece::from_char('K');
        setup.board[other.index()] = Piece::from_char('k');
        setup.board[place.pawn.index()] = Piece::from_char('P');
        setup.turn = place.turn;
        Position::from_setup(&setup).ok()
    }

    /// Whether White keeps what it has promoted to, and has not given stalemate.
    fn wins_after_promotion(position: &Position) -> bool {
        let mut kept = true;
        for mv in position.legal_moves() {
            kept &= !position.color(Color::White).contains(mv.to());
        }
        kept && !position.is_stalemate()
    }

    /// Each value follows from those one move further on, by the rules of chess; and the won places
    /// are as many as others have counted.
    #[test]
    fn values_follow_from_each_other() {
        let mut won = 0;
        for place in Place::all().filter(|place| place.exists()) {
            let Some(here) = position(place) else {
                continue;
            };
            let after = |mv| {
                let mut next = here;
                next.play(mv);
                match next.pieces(Color::White, Role::Pawn).is_empty() {
                    true if next.color(Color::White).many() => wins_after_promotion(&next),
                    true => false,
                    false => is_won(&next, Color::White),
                }
            };
            let mut moves = here.legal_moves().into_iter();
            let expected = match place.turn {
                Color::White => moves.any(after),
                Color::Black => moves.len() > 0 && moves.all(after),
            };
            assert_eq!(is_won(&here, Color::White), expected, "{here}");
            won += u32::from(expected);
        }
        assert_eq!(won, 111_282);
    }

    #[test]
    fn sides_and_wings_are_alike() {
        for (fen, side, won) in [
            ("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", Color::White, false),
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Color::White, true),
            ("8/8/8/8/4p3/4k3/8/4K3 b - - 0 1", Color::Black, true),
            ("8/8/8/8/3p4/3k4/8/3K4 w - - 0 1", Color::Black, true),
            ("7k/8/6KP/8/8/8/8/8 w - - 0 1", Color::White, false),
            ("8/8/8/8/8/6kp/8/7K b - - 0 1", Color::Black, false),
        ] {
            assert_eq!(is_won(&fen.parse().expect(fen), side), won, "{fen}");
        }
    }
}
