//! Random openings.

use movegen::{BackRank, Game, Move, Position, Role};

use super::dice::Dice;

/// An opening has up to this many random moves more than wanted, so that either side may be to move.
const EXTRA_MOVES: usize = 2;
/// How often an opening moves a piece of each role, as a percentage. Among all legal moves, those of
/// pawns and of developed pieces would prevail.
const ROLE_WEIGHTS: [usize; Role::ALL.len()] = [35, 15, 15, 5, 15, 15];

/// Plays this many random moves, or up to two more, from one of the starts, or from the starting position
/// if there are none. `None` if no move is left before the opening is complete.
pub fn random_opening(starts: &[Position], moves: usize, dice: &mut Dice) -> Option<Game> {
    let start = match starts.len() {
        0 => Position::start(),
        count => starts[dice.below(count)],
    };
    let mut game = Game::new(start);
    for _ in 0..moves + dice.below(EXTRA_MOVES + 1) {
        let mv = random_move(game.position(), dice)?;
        game.play(mv).ok()?;
    }
    Some(game)
}

/// A starting position whose back ranks are drawn independently (double Chess960).
pub fn shuffled_start(dice: &mut Dice) -> Position {
    let mut back_rank = || {
        let number = dice.below(usize::from(BackRank::COUNT)) as u16;
        BackRank::new(number).unwrap_or(BackRank::STANDARD)
    };
    Position::chess960([back_rank(), back_rank()])
}

/// A random move: the role is drawn first, then one of its moves. `None` if there is no legal move.
fn random_move(position: &Position, dice: &mut Dice) -> Option<Move> {
    let legal = position.legal_moves();
    let role_of = |mv: &Move| position.role_at(mv.from());
    let mut weights = ROLE_WEIGHTS;
    for (weight, role) in weights.iter_mut().zip(Role::ALL) {
        if legal.iter().all(|mv| role_of(mv) != Some(role)) {
            *weight = 0;
        }
    }
    let total = weights.iter().sum();
    if total == 0 {
        return None;
    }
    let mut drawn = dice.below(total);
    let (role, _) = Role::ALL.into_iter().zip(weights).find(|&(_, weight)| {
        let found = drawn < weight;
        drawn = drawn.saturating_sub(weight);
        found
    })?;
    let moves: Vec<_> = legal
        .iter()
        .filter(|mv| role_of(mv) == Some(role))
        .collect();
    Some(*moves[dice.below(moves.len())])
}
