//! Adjudication: ending a game when the evaluations of the players, or endgame tablebases, say its result,
//! or when it gets too long.

use std::fmt;
use std::num::NonZeroU32;

use movegen::pgn::Outcome;
use movegen::{Color, Game, Position};
use serde::{Deserialize, Serialize};

use crate::core::ending::{Ending, Reason};

/// A condition: scores like this for a number of moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// Limit of the score in centipawns: at most this for a draw, at least this for a win or a loss.
    pub score: i32,
    /// Number of moves by each side, or by the loser.
    pub moves: u32,
    /// The first move at which a game may be ended.
    #[serde(default)]
    pub from_move: u16,
}

/// When games are adjudicated; by default never.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// When a game is a draw, by the scores of both sides.
    pub draw: Option<Agreement>,
    /// When a game is won, by the scores of both sides.
    pub win: Option<Agreement>,
    /// When a side loses by its own scores.
    pub resign: Option<Agreement>,
    /// The folders of endgame tablebases, separated by `:` (on Windows by `;`), relative to the event
    /// file.
    pub tablebases: Option<String>,
    /// The results that tablebases decide; by default all.
    pub mode: Option<TablebaseMode>,
    /// After this many moves of each side, those of the opening included, a game is a draw.
    pub max_moves: Option<NonZeroU32>,
}

/// The results that tablebases decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TablebaseMode {
    /// Wins and draws.
    #[default]
    Both,
    /// Wins only.
    Wins,
    /// Draws only.
    Draws,
}

impl TablebaseMode {
    /// Whether it decides games with this result.
    #[must_use]
    pub const fn covers(self, outcome: Outcome) -> bool {
        match self {
            Self::Both => true,
            Self::Wins => !matches!(outcome, Outcome::Draw),
            Self::Draws => matches!(outcome, Outcome::Draw),
        }
    }
}

/// Knows the results of some positions, as endgame tablebases do.
pub trait Judge: fmt::Debug + Send + Sync {
    /// The result of a position with best play, if it is certain under the fifty-move rule.
    fn result(&self, position: &Position) -> Option<Outcome>;
}

/// Tracks the evaluations of a game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    /// Plies in a row with a drawish score.
    drawish_plies: u32,
    /// Plies in a row with a winning score, and for which side.
    winning: (u32, Option<Color>),
    /// Moves in a row of White and of Black with a lost score of their own.
    lost_moves: [u32; 2],
}

impl Adjudicator {
    /// At the start of a game.
    #[must_use]
    pub const fn new(rules: Adjudication) -> Self {
        Self {
            rules,
            drawish_plies: 0,
            winning: (0, None),
            lost_moves: [0; 2],
        }
    }

    /// Adds the evaluation of the last move, from the mover's point of view; a move without one starts
    /// the count again. Returns the game's ending if a condition is now met.
    pub fn add(&mut self, game: &Game, mover: Color, eval: Option<i32>) -> Option<Ending> {
        let by_both = self.add_to_agreement(game, mover, eval);
        let by_loser = self.add_to_loser(game, mover, eval);
        by_both.or(by_loser).or_else(|| self.too_long(game))
    }

    /// Whether the mover's own scores lose the game.
    fn add_to_loser(&mut self, game: &Game, mover: Color, eval: Option<i32>) -> Option<Ending> {
        let resign = self.rules.resign?;
        let moves = &mut self.lost_moves[mover as usize];
        if eval.is_some_and(|eval| eval <= -resign.score) {
            *moves += 1;
        } else {
            *moves = 0;
        }
        let is_met =
            *moves >= resign.moves && game.position().fullmove_number() >= resign.from_move;
        is_met.then(|| Ending::loss(mover, Reason::LostScore))
    }

    /// Whether the game has gone on for too long.
    fn too_long(&self, game: &Game) -> Option<Ending> {
        let most = self.rules.max_moves?.get();
        let is_met = game.moves().len() as u64 >= 2 * u64::from(most);
        is_met.then(|| Ending::draw(Reason::MaxMoves(most)))
    }

    /// Whether the scores of both sides end the game.
    fn add_to_agreement(&mut self, game: &Game, mover: Color, eval: Option<i32>) -> Option<Ending> {
        let number = game.position().fullmove_number();
        let draw = self.rules.draw;
        let is_drawish = draw
            .zip(eval)
            .is_some_and(|(draw, eval)| eval.saturating_abs() <= draw.score);
        self.drawish_plies = if is_drawish {
            self.drawish_plies + 1
        } else {
            0
        };
        if draw.is_some_and(|draw| self.drawish_plies >= 2 * draw.moves && number >= draw.from_move)
        {
            return Some(Ending::draw(Reason::Adjudication));
        }
        let win = self.rules.win;
        let winner = win.zip(eval).and_then(|(win, eval)| {
            let is_winning = eval.saturating_abs() >= win.score;
            is_winning.then_some(if eval > 0 { mover } else { !mover })
        });
        self.winning = match (winner, self.winning) {
            (None, _) => (0, None),
            (Some(_), (plies, before)) if before == winner => (plies + 1, winner),
            (Some(_), _) => (1, winner),
        };
        let is_met =
            win.is_some_and(|win| self.winning.0 >= 2 * win.moves && number >= win.from_move);
        let winner = winner.filter(|_| is_met)?;
        Some(Ending::loss(!winner, Reason::Adjudication))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adjudicate(rules: &Adjudication, evals: &[Option<i32>]) -> Option<(usize, Ending)> {
        let mut adjudicator = Adjudicator::new(rules.clone());
        let game = Game::default();
        evals.iter().enumerate().find_map(|(ply, &eval)| {
            let mover = if ply % 2 == 0 {
                Color::White
            } else {
                Color::Black
            };
            Some((ply, adjudicator.add(&game, mover, eval)?))
        })
    }

    const DRAW: Agreement = Agreement {
        score: 10,
        moves: 2,
        from_move: 0,
    };

    #[test]
    fn nothing_is_ended_by_default() {
        assert_eq!(adjudicate(&Adjudication::default(), &[Some(0); 100]), None);
    }

    #[test]
    fn draws_need_both_sides() {
        let rules = Adjudication {
            draw: Some(DRAW),
            ..Adjudication::default()
        };
        let ending = Ending::draw(Reason::Adjudication);
        assert_eq!(
            adjudicate(&rules, &[Some(10), Some(-10), Some(0), Some(3)]),
            Some((3, ending))
        );
        assert_eq!(
            adjudicate(
                &rules,
                &[
                    Some(0),
                    Some(0),
                    Some(0),
                    Some(11),
                    Some(0),
                    Some(0),
                    Some(0)
                ]
            ),
            None
        );
        assert_eq!(
            adjudicate(&rules, &[Some(0), Some(0), None, Some(0), Some(0), Some(0)]),
            None
        );
        let late = Adjudication {
            draw: Some(Agreement {
                from_move: 2,
                ..DRAW
            }),
            ..Adjudication::default()
        };
        assert_eq!(adjudicate(&late, &[Some(0); 10]), None);
    }

    #[test]
    fn wins_need_both_sides() {
        let rules = Adjudication {
            win: Some(Agreement { score: 500, ..DRAW }),
            ..Adjudication::default()
        };
        let black_loses = Ending::loss(Color::Black, Reason::Adjudication);
        assert_eq!(
            adjudicate(&rules, &[Some(600), Some(-500), Some(700), Some(-900)]),
            Some((3, black_loses))
        );
        // Both think that they win.
        assert_eq!(adjudicate(&rules, &[Some(600); 10]), None);
        assert_eq!(
            adjudicate(&rules, &[Some(600), Some(-499), Some(600), Some(-499)]),
            None
        );
    }

    /// The loser's own scores count, whatever the other side says.
    #[test]
    fn one_side_can_lose_by_its_own_scores() {
        let rules = Adjudication {
            resign: Some(Agreement { score: 500, ..DRAW }),
            ..Adjudication::default()
        };
        let white_loses = Ending::loss(Color::White, Reason::LostScore);
        let lost = [Some(-500), Some(0), Some(-900), Some(0)];
        assert_eq!(adjudicate(&rules, &lost), Some((2, white_loses)));
        let black_loses = Ending::loss(Color::Black, Reason::LostScore);
        let lost = [None, Some(-500), Some(900), Some(-500)];
        assert_eq!(adjudicate(&rules, &lost), Some((3, black_loses)));
        for better in [Some(-499), None] {
            let saved = [Some(-900), Some(0), better, Some(0), Some(-900)];
            assert_eq!(adjudicate(&rules, &saved), None);
        }
        // The opponent's score alone is no reason.
        assert_eq!(adjudicate(&rules, &[Some(0), Some(900)].repeat(5)), None);
    }

    #[test]
    fn long_games_are_drawn() {
        let rules = Adjudication {
            max_moves: NonZeroU32::new(2),
            ..Adjudication::default()
        };
        let mut game = Game::default();
        let mut adjudicator = Adjudicator::new(rules);
        for (ply, text) in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().enumerate() {
            let mover = game.position().turn();
            let mv: movegen::UciMove = text.parse().expect(text);
            let mv = mv.find(game.position()).expect(text);
            game.play(mv).expect(text);
            let ending = adjudicator.add(&game, mover, None);
            let expected = (ply == 3).then(|| Ending::draw(Reason::MaxMoves(2)));
            assert_eq!(ending, expected, "{text}");
        }
    }
}
