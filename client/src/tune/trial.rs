//! Plays an iteration: pairs of games, or the positions of a suite.

use movegen::Color;

use super::contestant::Contestant;
use super::game::{self, GameEnd, MoveLimit, Rules};
use super::journal::GameEntry;
use super::openings::Openings;
use super::suite::Suite;

/// What the two settings of an iteration are compared by.
pub enum Objective {
    Games {
        openings: Openings,
        rules: Rules,
        pairs: u32,
    },
    Suite {
        suite: Suite,
        limit: MoveLimit,
    },
}

/// The result of an iteration, from the point of view of the first setting.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trial {
    /// Wins minus losses.
    pub result: f64,
    /// Wins, draws and losses.
    pub games: [u32; 3],
    pub played: Vec<GameEntry>,
    /// The positions that both sides solved.
    pub solved: Option<[u32; 2]>,
    /// Crashes, illegal moves and losses on time.
    pub faults: Vec<String>,
}

impl Objective {
    /// Plays an iteration; none if it was broken off.
    pub fn play(
        &self,
        sides: &mut [Contestant<'_>; 2],
        random: &mut impl rand::Rng,
        is_over: &dyn Fn() -> bool,
    ) -> anyhow::Result<Option<Trial>> {
        match self {
            Self::Games {
                openings,
                rules,
                pairs,
            } => play_games(openings, rules, *pairs, sides, random, is_over),
            Self::Suite { suite, limit } => solve(suite, *limit, sides, random, is_over),
        }
    }
}

fn play_games(
    openings: &Openings,
    rules: &Rules,
    pairs: u32,
    sides: &mut [Contestant<'_>; 2],
    random: &mut impl rand::Rng,
    is_over: &dyn Fn() -> bool,
) -> anyhow::Result<Option<Trial>> {
    let mut trial = Trial::default();
    for _ in 0..pairs {
        let opening = openings.draw(random)?;
        for color in [Color::White, Color::Black] {
            let [first, second] = sides;
            let players = match color {
                Color::White => [first, second],
                Color::Black => [second, first],
            };
            let Some(end) = game::play(players, &opening.position, rules, is_over)? else {
                return Ok(None);
            };
            trial.add(color, opening.number, end);
        }
    }
    Ok(Some(trial))
}

impl Trial {
    /// Adds a game in which the first setting had this colour.
    fn add(&mut self, color: Color, opening: Option<usize>, end: GameEnd) {
        let place = match end.winner {
            None => 1,
            Some(winner) if winner == color => 0,
            Some(_) => 2,
        };
        self.games[place] += 1;
        self.result += [1.0, 0.0, -1.0][place];
        let side = |is_first: bool| if is_first { "plus" } else { "minus" };
        if let Some(fault) = end.fault {
            self.faults
                .push(format!("{} loses ({}): {fault}", side(place == 2), end.why));
        }
        let result = match end.winner {
            None => "1/2-1/2",
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
        };
        self.played.push(GameEntry {
            opening,
            white: side(color == Color::White).to_owned(),
            result: result.to_owned(),
            end: end.why,
            plies: end.plies,
        });
    }
}

/// The difference of the mean scores is from -1 to 1, and the result of a pair of games from -2 to 2.
fn solve(
    suite: &Suite,
    limit: MoveLimit,
    sides: &mut [Contestant<'_>; 2],
    random: &mut impl rand::Rng,
    is_over: &dyn Fn() -> bool,
) -> anyhow::Result<Option<Trial>> {
    let chosen = suite.draw(random);
    let mut trial = Trial::default();
    let mut scores = Vec::new();
    for (side, name) in sides.iter_mut().zip(["plus", "minus"]) {
        let mut report = |why: String| {
            trial
                .faults
                .push(format!("{name} misses a position: {why}"));
        };
        match suite.score(side, &chosen, limit, is_over, &mut report)? {
            Some(score) => scores.push(score),
            None => return Ok(None),
        }
    }
    let [plus, minus] = [scores[0], scores[1]];
    // Few decimals, which a journal keeps exactly.
    trial.result = (2.0 * (plus.mean - minus.mean) * 1e6).round() / 1e6;
    trial.solved = Some([plus.solved, minus.solved]);
    Ok(Some(trial))
}
