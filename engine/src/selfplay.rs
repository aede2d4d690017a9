//! The engine against itself: games from random openings, and the quiet positions of them and beside
//! them. A search judges more positions that bad moves lead to than such as come up in good games.
//!
//! A game depends on its seed and number and on nothing else: not on the games before it, the
//! number of threads or the machine.

use std::sync::atomic::Ordering::Relaxed;

use movegen::{Color, Game, Move, Position};

use crate::limits::{Limits, Signals};
use crate::order::is_noisy;
use crate::outcome::Outcome;
use crate::sample::{GameResult, Sample};
use crate::score::Score;
use crate::searcher::Searcher;

/// An opening is that many plies of any legal move, or up to two more.
const OPENING_PLIES: u64 = 8;
/// An opening that a search of so many nodes finds more unbalanced than this is dropped.
const OPENING_NODES: u64 = 2000;
const OPENING_LIMIT: i32 = 300;
/// A move that takes so many times its nodes is broken off.
const HARD_NODES: u64 = 8;
/// No position is taken before this ply of the game.
const FIRST_PLY: u16 = 16;
/// After one in so many moves there is a look aside, so many plies far at most.
const ASIDE_ONE_IN: usize = 2;
const ASIDE_PLIES: usize = 4;
/// A game is won when both sides agree on so many centipawns for so many plies.
const WIN_SCORE: i32 = 2000;
const WIN_PLIES: u32 = 5;
/// It is drawn when they agree on no more than this for so many plies, from this ply on.
const DRAW_SCORE: i32 = 10;
const DRAW_PLIES: u32 = 10;
const DRAW_FROM: u16 = 80;

/// How games are played.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// Where openings begin, one of them drawn for each game.
    pub starts: Vec<Position>,
    /// Nodes a move: after so many no further iteration begins.
    pub nodes: u64,
    /// What the openings are drawn by.
    pub seed: u64,
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The quiet positions, of the game and beside it: not in check, the best move neither a capture
    /// nor a promotion, no mate in sight.
    pub samples: Vec<Sample>,
    /// How it ended.
    pub result: GameResult,
    /// All moves, the opening with them.
    pub plies: usize,
}

/// Why there is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplayed {
    /// The signal to stop was raised.
    #[error("stopped")]
    Stopped,
    /// The search gave no move, or a line that cannot be played: it is at fault.
    #[error("a fault of the search in {position}: its line is [{}]", spelt(line))]
    Fault {
        /// The position that was searched.
        position: Box<Position>,
        /// The line.
        line: Vec<Move>,
    },
}

impl SelfPlay {
    /// Plays the game of this number. Every line that the search tells, on the way and in the end,
    /// is played through.
    pub fn play(
        &self,
        number: u64,
        searcher: &mut Searcher,
        signals: &Signals,
    ) -> Result<Played, Unplayed> {
        let mut dice = Dice::new(self.seed, number);
        loop {
            searcher.clear();
            let Some(game) = self.opening(&mut dice) else {
                continue;
            };
            let outcome = search(searcher, &game, OPENING_NODES, signals)?;
            if outcome.score.ce().abs() <= OPENING_LIMIT {
                return self.play_on(game, &mut dice, searcher, signals);
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
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                return None;
            }
            game.play(moves[dice.below(moves.len())]).ok()?;
        }
        (result(&game).is_none()).then_some(game)
    }

    fn play_on(
        &self,
        mut game: Game,
        dice: &mut Dice,
        searcher: &mut Searcher,
        signals: &Signals,
    ) -> Result<Played, Unplayed> {
        searcher.clear();
        let mut samples = Vec::new();
        let mut verdict = Adjudication::default();
        let result = loop {
            if let Some(result) = result(&game) {
                break result;
            }
            let position = *game.position();
            let outcome = search(searcher, &game, self.nodes, signals)?;
            let fault = || fault(&position, &outcome.pv);
            let best = outcome.best.ok_or_else(fault)?;
            let ply = ply_of(&position);
            let aside = dice.below(ASIDE_ONE_IN) == 0;
            if ply >= FIRST_PLY {
                if aside {
                    let game = game.clone();
                    samples.extend(self.look_aside(game, dice, searcher, signals)?);
                }
                // Not known yet.
                let result = Some(GameResult::Draw);
                let sample = sample(&position, &outcome);
                samples.extend(sample.map(|sample| Sample { result, ..sample }));
            }
            game.play(best).map_err(|_| fault())?;
            if let Some(result) = verdict.add(for_white(&position, outcome.score), ply) {
                break result;
            }
        };
        for told in samples
            .iter_mut()
            .filter_map(|sample| sample.result.as_mut())
        {
            *told = result;
        }
        Ok(Played {
            samples,
            result,
            plies: game.moves().len(),
        })
    }

    /// The first quiet position after any legal move and the best answers to it, if it is near.
    fn look_aside(
        &self,
        mut game: Game,
        dice: &mut Dice,
        searcher: &mut Searcher,
        signals: &Signals,
    ) -> Result<Option<Sample>, Unplayed> {
        let moves = game.position().legal_moves();
        let mut next = moves[dice.below(moves.len())];
        for _ in 0..ASIDE_PLIES {
            let before = *game.position();
            game.play(next).map_err(|_| fault(&before, &[next]))?;
            if result(&game).is_some() {
                break;
            }
            let outcome = search(searcher, &game, self.nodes, signals)?;
            let found = sample(game.position(), &outcome);
            if found.is_some() || outcome.score.is_mate() {
                return Ok(found);
            }
            let fault = || fault(game.position(), &outcome.pv);
            next = outcome.best.ok_or_else(fault)?;
        }
        Ok(None)
    }
}

/// A position with what its search says, if it is quiet.
fn sample(position: &Position, outcome: &Outcome) -> Option<Sample> {
    let quiet = |mv| !position.is_check() && !is_noisy(position, mv);
    let stored = outcome.best.is_some_and(quiet) && !outcome.score.is_mate();
    stored.then(|| Sample {
        position: *position,
        score: for_white(position, outcome.score).ce() as i16,
        result: None,
        ply: ply_of(position),
    })
}

/// A score of a position from White's point of view.
fn for_white(position: &Position, score: Score) -> Score {
    match position.turn() {
        Color::White => score,
        Color::Black => -score,
    }
}

/// Searches so many nodes, and plays through every line that is told.
fn search(
    searcher: &mut Searcher,
    game: &Game,
    nodes: u64,
    signals: &Signals,
) -> Result<Outcome, Unplayed> {
    let limits = Limits {
        soft_nodes: Some(nodes),
        nodes: Some(HARD_NODES * nodes),
        ..Limits::default()
    };
    let root = game.position();
    let mut bad_line = None;
    let outcome = searcher.search(game, &limits, signals, &mut |progress| {
        if !is_playable(root, progress.pv) {
            bad_line = Some(progress.pv.to_vec());
        }
    });
    if signals.stop.load(Relaxed) {
        return Err(Unplayed::Stopped);
    }
    if !is_playable(root, &outcome.pv) {
        bad_line = Some(outcome.pv.clone());
    }
    match bad_line {
        Some(line) => Err(fault(root, &line)),
        None => Ok(outcome),
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

fn is_playable(root: &Position, line: &[Move]) -> bool {
    let mut position = *root;
    line.iter().all(|&mv| position.try_play(mv).is_ok())
}

/// The plies played before a position, by its move number.
fn ply_of(position: &Position) -> u16 {
    let number = position.fullmove_number().saturating_sub(1);
    number
        .saturating_mul(2)
        .saturating_add(position.turn() as u16)
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

/// For how many plies both sides have agreed on the result.
#[derive(Default)]
struct Adjudication {
    white_wins: u32,
    black_wins: u32,
    draw: u32,
}

impl Adjudication {
    /// Takes in the score of a ply, from White's point of view.
    fn add(&mut self, score: Score, ply: u16) -> Option<GameResult> {
        let count = |plies: &mut u32, holds: bool| *plies = if holds { *plies + 1 } else { 0 };
        count(&mut self.white_wins, score.ce() >= WIN_SCORE);
        count(&mut self.black_wins, score.ce() <= -WIN_SCORE);
        count(
            &mut self.draw,
            ply >= DRAW_FROM && score.ce().abs() <= DRAW_SCORE,
        );
        if self.white_wins >= WIN_PLIES {
            Some(GameResult::WhiteWon)
        } else if self.black_wins >= WIN_PLIES {
            Some(GameResult::BlackWon)
        } else if self.draw >= DRAW_PLIES {
            Some(GameResult::Draw)
        } else {
            None
        }
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
