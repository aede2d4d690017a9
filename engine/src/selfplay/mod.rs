//! The engine against itself: games from random openings, and side lines beside them, since a search
//! evaluates more positions that bad moves lead to than positions of good games.
//!
//! A game depends on its seed and number and on nothing else: not on the games before it, the
//! number of threads or the machine.

pub(crate) mod data_point;
pub(crate) mod record;

use std::sync::atomic::Ordering::Relaxed;

use movegen::{Color, Game, Move, Position, Role};

use crate::engine::Searcher;
use crate::limits::{Limits, Signals};
use crate::score::Score;
use crate::selfplay::data_point::GameResult;
use crate::selfplay::record::{Branch, PlayedGame, PlayedPly, for_white, is_late_enough, is_quiet};

/// An opening has this many random plies, or up to two more.
const OPENING_PLIES: u64 = 8;
/// How often an opening moves a piece of each role, in a hundred moves: a random legal move would
/// nearly always be a pawn's or a developed piece's.
const ROLE_WEIGHTS: [usize; Role::ALL.len()] = [35, 15, 15, 5, 15, 15];
/// An opening is dropped when a search of this many nodes finds it less balanced than this.
const OPENING_NODES: u64 = 2000;
const OPENING_LIMIT: i32 = 300;
/// A search is aborted after this many times its nodes.
const HARD_NODES: u64 = 8;
/// One position in this many gets a side line of at most this many plies.
const BRANCH_ONE_IN: usize = 2;
const BRANCH_PLIES: usize = 4;

/// How games are played.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// Where openings begin, one of them drawn for each game; the starting position if there are
    /// none.
    pub starts: Vec<Position>,
    /// Nodes a move: after so many no further iteration begins.
    pub nodes: u64,
    /// The seed of the openings and side lines.
    pub seed: u64,
    /// Play every line that a search reports through, and stop at one that is not legal.
    pub checked: bool,
}

/// Why there is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplayed {
    /// The signal to stop was raised.
    #[error("stopped")]
    Stopped,
    /// The search is at fault: it gave no move, or an illegal line.
    #[error("a fault of the search in {position}: its line is [{}]", spelt(line))]
    Fault {
        /// The position that was searched.
        position: Box<Position>,
        /// The line.
        line: Vec<Move>,
    },
}

impl SelfPlay {
    /// Plays the game of this number. It ends by the rules, or when the search announces a mate.
    pub fn play(
        &self,
        number: u64,
        searcher: &mut Searcher,
        signals: &Signals,
    ) -> Result<PlayedGame, Unplayed> {
        let mut dice = Dice::new(self.seed, number);
        let mut player = Player {
            searcher,
            signals,
            checked: self.checked,
        };
        loop {
            player.searcher.clear();
            let Some(game) = self.opening(&mut dice) else {
                continue;
            };
            let (_, score) = player.search(&game, OPENING_NODES)?;
            if score.ce().abs() <= OPENING_LIMIT {
                return self.play_on(game, &mut dice, &mut player);
            }
        }
    }

    /// A start with random moves after it; none if they ended the game.
    fn opening(&self, dice: &mut Dice) -> Option<Game> {
        let start = match self.starts.len() {
            0 => Position::start(),
            count => self.starts[dice.below(count)],
        };
        let mut game = Game::new(start);
        for _ in 0..OPENING_PLIES + dice.below(3) as u64 {
            let mv = opening_move(game.position(), dice)?;
            game.play(mv).ok()?;
        }
        (result(&game).is_none()).then_some(game)
    }

    fn play_on(
        &self,
        mut game: Game,
        dice: &mut Dice,
        player: &mut Player<'_>,
    ) -> Result<PlayedGame, Unplayed> {
        player.searcher.clear();
        let start = *game.start();
        let opening = game.moves().to_vec();
        let mut plies = Vec::new();
        let result = loop {
            if let Some(result) = result(&game) {
                break result;
            }
            let position = *game.position();
            let (best, score) = player.search(&game, self.nodes)?;
            let mut branch = None;
            if dice.below(BRANCH_ONE_IN) == 0 && is_late_enough(&position) {
                branch = self.branch(game.clone(), dice, player)?;
            }
            let score = for_white(&position, score);
            plies.push(PlayedPly {
                best,
                score,
                branch,
            });
            play(&mut game, best)?;
            // A mate is proven, unlike any other score.
            if score.is_mate() {
                break GameResult::won_by(if score > Score::DRAW {
                    Color::White
                } else {
                    Color::Black
                });
            }
        };
        Ok(PlayedGame {
            start,
            opening,
            plies,
            result,
        })
    }

    /// A random legal move and the best replies up to the first quiet position, if that is near.
    fn branch(
        &self,
        mut game: Game,
        dice: &mut Dice,
        player: &mut Player<'_>,
    ) -> Result<Option<Branch>, Unplayed> {
        let legal = game.position().legal_moves();
        let mut next = legal[dice.below(legal.len())];
        let mut moves = Vec::new();
        while moves.len() < BRANCH_PLIES {
            play(&mut game, next)?;
            moves.push(next);
            if result(&game).is_some() {
                break;
            }
            let (best, score) = player.search(&game, self.nodes)?;
            if is_quiet(game.position(), best, score) {
                let score = for_white(game.position(), score);
                return Ok(Some(Branch { moves, score }));
            }
            if score.is_mate() {
                break;
            }
            next = best;
        }
        Ok(None)
    }
}

/// A random move: first the role is drawn, then one of its moves. None if there are none.
fn opening_move(position: &Position, dice: &mut Dice) -> Option<Move> {
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

/// Plays a move that the search has chosen.
fn play(game: &mut Game, mv: Move) -> Result<(), Unplayed> {
    let position = *game.position();
    game.play(mv).map_err(|_| fault(&position, &[mv]))
}

/// The engine in its games.
struct Player<'a> {
    searcher: &'a mut Searcher,
    signals: &'a Signals,
    checked: bool,
}

impl Player<'_> {
    /// The best move and its score for the side to move.
    fn search(&mut self, game: &Game, nodes: u64) -> Result<(Move, Score), Unplayed> {
        let limits = Limits {
            soft_nodes: Some(nodes),
            nodes: Some(HARD_NODES * nodes),
            ..Limits::default()
        };
        let found = if self.checked {
            self.checked_search(game, &limits)?
        } else {
            self.searcher.best_move(game, &limits, self.signals)
        };
        if self.signals.stop.load(Relaxed) {
            return Err(Unplayed::Stopped);
        }
        found.ok_or_else(|| fault(game.position(), &[]))
    }

    /// Searches, and plays every reported line through.
    fn checked_search(
        &mut self,
        game: &Game,
        limits: &Limits,
    ) -> Result<Option<(Move, Score)>, Unplayed> {
        let root = game.position();
        let mut bad_line = None;
        let outcome = self
            .searcher
            .search(game, limits, self.signals, &mut |progress| {
                if !is_legal_line(root, progress.pv) {
                    bad_line = Some(progress.pv.to_vec());
                }
            });
        if !is_legal_line(root, &outcome.pv) {
            bad_line = Some(outcome.pv);
        }
        match bad_line {
            Some(line) => Err(fault(root, &line)),
            None => Ok(outcome.best.map(|best| (best, outcome.score))),
        }
    }
}

fn spelt(line: &[Move]) -> String {
    let moves: Vec<_> = line.iter().map(ToString::to_string).collect();
    moves.join(" ")
}

fn fault(position: &Position, line: &[Move]) -> Unplayed {
    Unplayed::Fault {
        position: Box::new(*position),
        line: line.to_vec(),
    }
}

fn is_legal_line(root: &Position, line: &[Move]) -> bool {
    let mut position = *root;
    line.iter().all(|&mv| position.try_play(mv).is_ok())
}

/// The result that the rules give.
fn result(game: &Game) -> Option<GameResult> {
    let position = game.position();
    if game.draw().is_some() {
        Some(GameResult::Draw)
    } else if position.is_checkmate() {
        Some(GameResult::won_by(!position.turn()))
    } else {
        None
    }
}

/// Random numbers that no update of a library changes (`SplitMix64`,
/// <https://prng.di.unimi.it/splitmix64.c>).
struct Dice(u64);

impl Dice {
    fn new(seed: u64, number: u64) -> Self {
        // Mixed before the number comes in: seeds and numbers that are near have nothing in common.
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

    /// A number from 0 to less than `count`.
    fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }
}
