//! Games of the engine against itself, from random openings. Side lines that begin with a random move
//! are searched as well, because a search evaluates many positions that do not occur in good games.
//!
//! A game depends only on its seed and number: not on earlier games, the number of threads or the
//! machine.

mod dice;
mod ending;
mod game;
mod opening;
mod player;

use std::num::NonZeroU8;
use std::sync::Arc;

use engine::syzygy::{Rule50, Tablebases, Wdl};
use engine::{Probing, Pruning, Score, Searcher, Signals};
use movegen::{Color, Game, Position};

use crate::data_point::GameResult;
use dice::Dice;
use game::{for_white, is_labelled, is_late_enough, is_quiet};
use player::{Player, play};

pub use game::{Branch, PlayedGame, PlayedPly};
pub use player::Unplayed;

/// An opening is dropped if a search of this many nodes finds a greater advantage than this, in
/// centipawns.
const OPENING_NODES: u64 = 400;
const OPENING_LIMIT: i32 = 150;
/// The same limit for games that start from an ending: nets overrate extra material there, and learn it
/// only from endings that turn out drawn.
const ENDING_LIMIT: i32 = 1000;
/// A game is resigned when the score has favoured the same side by this many centipawns for this many
/// plies. Of the games that got there, 99.6 % were won by that side when they were played on with 300 nodes a
/// move.
const RESIGN_SCORE: i32 = 1000;
const RESIGN_PLIES: i32 = 4;
/// A side line has at most this many plies.
const BRANCH_PLIES: usize = 4;
/// Positions that are not data points, among them the replies of a side line, are searched with this part of the
/// nodes.
const UNLABELLED_SHARE: u64 = 4;

/// How games are played.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The positions from which openings begin, one drawn for each game; empty for the starting
    /// position.
    pub starts: Vec<Position>,
    /// The random moves at the beginning of a game; up to two more are played.
    pub random_moves: usize,
    /// The percentage of games that start from shuffled back ranks (double Chess960) instead.
    pub chess960: usize,
    /// The percentage of games that start from random endings, without an opening.
    pub endings: usize,
    /// The percentage of moves before which a side line is searched.
    pub side_lines: usize,
    /// A position gets no side line if its score is beyond this many centipawns, and a side line is dropped
    /// if the search of a reply finds such a score.
    pub side_line_limit: Option<i32>,
    /// The percentage of games that a side resigns when it is clearly lost; the others are played on.
    pub resign: usize,
    /// Endgame tablebases: searches probe them, and a game ends when they have its result.
    pub tablebases: Option<Arc<Tablebases>>,
    /// Nodes per move; no new iteration starts after that.
    pub nodes: u64,
    /// Only the first move after the opening, and then every so many-th, is searched with all nodes, is a data
    /// point and may have a side line.
    pub label_every: NonZeroU8,
    /// The seed of openings and side lines.
    pub seed: u64,
    /// Play through every line that the search reports, and stop at an illegal one.
    pub checked: bool,
}

impl Default for SelfPlay {
    /// Games from the starting position with 8 random moves, without a limit of nodes.
    fn default() -> Self {
        Self {
            starts: Vec::new(),
            random_moves: 8,
            chess960: 0,
            endings: 0,
            side_lines: 0,
            side_line_limit: None,
            resign: 0,
            tablebases: None,
            nodes: 0,
            label_every: NonZeroU8::MIN,
            seed: 0,
            checked: false,
        }
    }
}

impl SelfPlay {
    /// Plays the game with this number. It ends by the rules, when the search announces a mate, when a side
    /// resigns, or after the first position that the tablebases have.
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
        player.searcher.set_pruning(Pruning::Careful);
        player
            .searcher
            .set_probing(self.tablebases.clone().map(Probing::new));
        let drawn = if self.chess960 + self.endings > 0 {
            dice.below(100)
        } else {
            100
        };
        let is_ending = drawn < self.endings;
        let is_chess960 = !is_ending && drawn < self.endings + self.chess960;
        let limit = if is_ending {
            ENDING_LIMIT
        } else {
            OPENING_LIMIT
        };
        loop {
            player.searcher.clear();
            let opening = if is_ending {
                ending::random_ending(&mut dice).map(Game::new)
            } else if is_chess960 {
                let start = opening::shuffled_start(&mut dice);
                opening::random_opening(&[start], self.random_moves, &mut dice)
            } else {
                opening::random_opening(&self.starts, self.random_moves, &mut dice)
            };
            let Some(game) = opening.filter(|game| result(game).is_none()) else {
                continue;
            };
            let (_, score) = player.search(&game, OPENING_NODES)?;
            if score.ce().abs() <= limit {
                return self.play_on(game, &mut dice, &mut player);
            }
        }
    }

    /// The result of a position by the tablebases; `None` if they do not have it.
    fn table_result(&self, game: &Game) -> Option<GameResult> {
        let tablebases = self.tablebases.as_ref()?;
        let position = game.position();
        if position.occupied().len() as usize > tablebases.max_pieces() {
            return None;
        }
        let ranking = tablebases.rank_moves(game, Rule50::Counts).ok()?;
        let best = ranking.best().next()?;
        Some(match best.wdl {
            Wdl::Win => GameResult::won_by(position.turn()),
            Wdl::Loss => GameResult::won_by(!position.turn()),
            _ => GameResult::Draw,
        })
    }

    /// Plays a game to its end.
    fn play_on(
        &self,
        mut game: Game,
        dice: &mut Dice,
        player: &mut Player<'_>,
    ) -> Result<PlayedGame, Unplayed> {
        player.searcher.clear();
        let start = *game.start();
        let opening = game.moves().to_vec();
        let may_resign = self.resign > 0 && dice.below(100) < self.resign;
        let mut plies: Vec<PlayedPly> = Vec::new();
        let result = loop {
            if let Some(result) = result(&game) {
                break result;
            }
            let position = *game.position();
            let proven = self.table_result(&game);
            let labelled = is_labelled(plies.len(), self.label_every);
            let nodes = if labelled {
                self.nodes
            } else {
                self.unlabelled_nodes()
            };
            let (best, score) = player.search(&game, nodes)?;
            let mut branch = None;
            if labelled
                && is_late_enough(&position)
                && self.is_within_limit(score)
                && self.draws_side_line(dice)
            {
                branch = self.branch(game.clone(), dice, player)?;
            }
            let score = for_white(&position, score);
            plies.push(PlayedPly {
                best,
                score,
                branch,
            });
            play(&mut game, best)?;
            if let Some(result) = proven {
                break result;
            }
            // A mate score is proven, unlike any other.
            if score.is_mate() || may_resign && is_clearly_decided(&plies) {
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
            label_every: self.label_every,
            result,
        })
    }

    /// The nodes for positions that are not data points.
    fn unlabelled_nodes(&self) -> u64 {
        (self.nodes / UNLABELLED_SHARE).max(1)
    }

    /// Whether a score is within the limit of side lines.
    fn is_within_limit(&self, score: Score) -> bool {
        self.side_line_limit
            .is_none_or(|limit| score.ce().abs() <= limit)
    }

    /// Draws whether a side line is searched.
    fn draws_side_line(&self, dice: &mut Dice) -> bool {
        self.side_lines >= 100 || self.side_lines > 0 && dice.below(100) < self.side_lines
    }

    /// Plays a random legal move and the best replies up to the first quiet position, if that comes
    /// within a few plies.
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
            let (mut best, mut score) = player.search(&game, self.unlabelled_nodes())?;
            if !self.is_within_limit(score) {
                break;
            }
            if is_quiet(game.position(), best, score) {
                (best, score) = player.search(&game, self.nodes)?;
                if is_quiet(game.position(), best, score) {
                    let score = for_white(game.position(), score);
                    return Ok(Some(Branch { moves, score }));
                }
            }
            if score.is_mate() {
                break;
            }
            next = best;
        }
        Ok(None)
    }
}

/// Whether the last scores favour the same side clearly enough to resign.
fn is_clearly_decided(plies: &[PlayedPly]) -> bool {
    let last = plies.iter().rev().take(RESIGN_PLIES as usize);
    let decided: i32 = last
        .map(|ply| ply.score.ce())
        .filter(|ce| ce.abs() >= RESIGN_SCORE)
        .map(i32::signum)
        .sum();
    decided.abs() == RESIGN_PLIES
}

/// The result by the rules of chess; `None` if the game goes on.
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
