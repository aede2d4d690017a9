//! Random endings. Games from openings reach few of the many kinds of endings.

use movegen::{Color, Piece, Position, Role, Setup, Square};

use super::dice::Dice;

/// A side has at most this many pawns, and this many pieces beside its king.
const PAWNS: usize = 6;
const PIECES: usize = 3;
/// The pieces, as often as they are drawn.
const DRAWN: [Role; 8] = [
    Role::Knight,
    Role::Knight,
    Role::Bishop,
    Role::Bishop,
    Role::Rook,
    Role::Rook,
    Role::Rook,
    Role::Queen,
];
/// The number of the first move. Positions of the first moves of a game are not used for training.
const FIRST_MOVE: u16 = 21;

/// A legal position with random pieces on random squares. The sides have nearly the same number of pieces
/// and of pawns. `None` if the pieces cannot stand like that.
pub fn random_ending(dice: &mut Dice) -> Option<Position> {
    let mut setup = Setup::empty();
    setup.turn = Color::ALL[dice.below(2)];
    setup.fullmove_number = FIRST_MOVE;
    let pieces = dice.below(PIECES + 1);
    let pawns = dice.below(PAWNS + 1);
    for color in Color::ALL {
        place(&mut setup, Piece::new(color, Role::King), dice);
        for _ in 0..about(pieces, dice) {
            place(
                &mut setup,
                Piece::new(color, DRAWN[dice.below(DRAWN.len())]),
                dice,
            );
        }
        for _ in 0..about(pawns, dice) {
            place(&mut setup, Piece::new(color, Role::Pawn), dice);
        }
    }
    Position::from_setup(&setup).ok()
}

/// This number, or often one less or one more.
fn about(count: usize, dice: &mut Dice) -> usize {
    (count + [0, 1, 1, 2][dice.below(4)]).saturating_sub(1)
}

/// Puts a piece on a free square; a pawn on a rank where pawns can stand.
fn place(setup: &mut Setup, piece: Piece, dice: &mut Dice) {
    loop {
        let square = match piece.role() {
            Role::Pawn => Square::from_index(8 + dice.below(48)),
            _ => Square::from_index(dice.below(64)),
        };
        let place = &mut setup.board[square as usize];
        if place.is_none() {
            *place = Some(piece);
            return;
        }
    }
}
