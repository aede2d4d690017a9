//! A game between two engines.

use std::time::{Duration, Instant};

use anyhow::Context;
use engine::Limits;
use movegen::{Color, Game, Position};

use super::contestant::Contestant;
use crate::cli::{DrawRule, ResignRule, TimeControl, TuneSettings};
use crate::engines::lag::Margin;
use crate::engines::{ClockState, Effort, LastingError, Patience};

const TIME_MARGIN: Duration = Duration::from_millis(20);
const MAX_PLIES: usize = 400;
/// How long an engine may take to answer `stop` until it counts as hung.
const STOP: Duration = Duration::from_secs(5);
/// How much longer than its limit it may search until it is stopped.
const OVERTIME: Duration = Duration::from_secs(1);
/// With a limit of nodes an engine counts as hung after this time, and so much more for each node.
const HUNG: Duration = Duration::from_mins(1);
const HUNG_EACH_NODE: Duration = Duration::from_micros(100);

/// What limits the search of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveLimit {
    Nodes(u64),
    Time(Duration),
    Clock(TimeControl),
}

impl MoveLimit {
    /// The limit of the settings, which must have one.
    pub fn of(settings: &TuneSettings) -> anyhow::Result<Self> {
        let nodes = settings.nodes.map(|nodes| Self::Nodes(nodes.get()));
        let time = settings.movetime.map(Self::Time);
        let clock = settings.tc.map(Self::Clock);
        nodes
            .or(time)
            .or(clock)
            .context("how long is a search? Give --nodes N, --movetime TIME or --tc TIME+INCREMENT")
    }

    /// What an engine is told if there is no clock, and the patience with it.
    pub fn fixed(self) -> (Effort, Patience) {
        let (limits, search) = match self {
            Self::Nodes(nodes) => {
                let count = u32::try_from(nodes).unwrap_or(u32::MAX);
                (Limits::nodes(nodes), HUNG + HUNG_EACH_NODE * count)
            }
            Self::Time(time) | Self::Clock(TimeControl { base: time, .. }) => {
                let limits = Limits {
                    hard_time: Some(time),
                    ..Limits::default()
                };
                (limits, time + OVERTIME)
            }
        };
        (Effort::Fixed(limits), patience(search))
    }
}

const fn patience(search: Duration) -> Patience {
    Patience {
        search: Some(search),
        stop: STOP,
    }
}

/// The rules of games.
#[derive(Clone, Debug)]
pub struct Rules {
    limit: MoveLimit,
    margin: Duration,
    draw: Option<DrawRule>,
    resign: Option<ResignRule>,
    max_plies: usize,
}

impl Rules {
    pub fn of(settings: &TuneSettings) -> anyhow::Result<Self> {
        Ok(Self {
            limit: MoveLimit::of(settings)?,
            margin: settings.time_margin.unwrap_or(TIME_MARGIN),
            draw: settings.draw,
            resign: settings.resign,
            max_plies: settings
                .max_plies
                .map_or(MAX_PLIES, |plies| plies.get() as usize),
        })
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// The winner; none for a draw.
    pub winner: Option<Color>,
    /// Why, in words: `checkmate`.
    pub why: String,
    pub plies: usize,
    /// What the loser did that it should not: a crash, an illegal move, too much time.
    pub fault: Option<String>,
}

/// The clocks of a game.
struct Clocks {
    control: TimeControl,
    remaining: [Duration; 2],
    moves: [u32; 2],
}

impl Clocks {
    fn new(control: TimeControl) -> Self {
        Self {
            control,
            remaining: [control.base; 2],
            moves: [0; 2],
        }
    }

    fn state(&self, turn: Color) -> ClockState {
        let played = self.moves[turn as usize];
        ClockState {
            remaining: self.remaining,
            increment: [self.control.increment; 2],
            moves_to_go: self.control.moves.map(|moves| moves - played % moves),
        }
    }

    /// Charges a move; false if the time was exceeded.
    fn charge(&mut self, turn: Color, time: Duration, margin: Duration) -> bool {
        let side = turn as usize;
        let is_in_time = time <= self.remaining[side] + margin;
        self.remaining[side] = self.remaining[side].saturating_sub(time) + self.control.increment;
        self.moves[side] += 1;
        if self
            .control
            .moves
            .is_some_and(|moves| self.moves[side].is_multiple_of(moves))
        {
            self.remaining[side] += self.control.base;
        }
        is_in_time
    }
}

/// How scores end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Adjudication {
    Draw,
    Resigns(Color),
}

/// Counts the moves in a row that meet the rules of draws and resignation.
#[derive(Debug, Default)]
struct Adjudicator {
    level_plies: u32,
    lost_moves: [u32; 2],
}

impl Adjudicator {
    /// Takes in the score of a move, in centipawns for the side that moved.
    fn see(&mut self, rules: &Rules, position: &Position, score: i32) -> Option<Adjudication> {
        // The side that moved.
        let side = !position.turn();
        if let Some(rule) = rules.resign {
            let lost = &mut self.lost_moves[side as usize];
            *lost = if score <= -rule.score { *lost + 1 } else { 0 };
            if *lost >= rule.moves {
                return Some(Adjudication::Resigns(side));
            }
        }
        let rule = rules.draw?;
        let is_level = score.abs() <= rule.score;
        self.level_plies = if is_level { self.level_plies + 1 } else { 0 };
        let is_late = u32::from(position.fullmove_number()) >= rule.from_move;
        (is_late && self.level_plies >= 2 * rule.moves).then_some(Adjudication::Draw)
    }
}

/// Plays a game, from White's engine and Black's. An engine that fails loses. The error is of an engine that
/// could not have played at all; `None` is for a game that was broken off because `is_over` said so.
pub fn play(
    players: [&mut Contestant<'_>; 2],
    opening: &Position,
    rules: &Rules,
    is_over: &dyn Fn() -> bool,
) -> anyhow::Result<Option<GameEnd>> {
    let [white, black] = players;
    white.prepare()?;
    black.prepare()?;
    let mut game = Game::new(*opening);
    let mut clocks = match rules.limit {
        MoveLimit::Clock(control) => Some(Clocks::new(control)),
        _ => None,
    };
    let mut adjudicator = Adjudicator::default();
    loop {
        if is_over() {
            return Ok(None);
        }
        let turn = game.position().turn();
        let plies = game.moves().len();
        let end = |winner, why: &str, fault| {
            Ok(Some(GameEnd {
                winner,
                why: why.to_owned(),
                plies,
                fault,
            }))
        };
        if game.position().is_checkmate() {
            return end(Some(!turn), "checkmate", None);
        }
        if let Some(draw) = game.draw() {
            return end(None, &draw.to_string(), None);
        }
        if plies >= rules.max_plies {
            return end(None, "length", None);
        }
        let (effort, patience) = match &clocks {
            None => rules.limit.fixed(),
            Some(clocks) => {
                let state = clocks.state(turn);
                let time = state.remaining[turn as usize] + rules.margin + OVERTIME;
                (Effort::Clock(state, Margin::default()), patience(time))
            }
        };
        let player = if turn == Color::White {
            &mut *white
        } else {
            &mut *black
        };
        let began = Instant::now();
        let result = player.think(&game, &effort, patience, &mut |_| ());
        let used = began.elapsed();
        let result = match result {
            Ok(result) => result,
            Err(error) => {
                let why = match error.downcast_ref() {
                    Some(LastingError::NoChess960 { .. }) => return Err(error),
                    Some(LastingError::IllegalMove { .. }) => "illegal move",
                    _ => "failure",
                };
                return end(Some(!turn), why, Some(format!("{error:#}")));
            }
        };
        let is_in_time = match (&mut clocks, rules.limit) {
            (Some(clocks), _) => clocks.charge(turn, used, rules.margin),
            (None, MoveLimit::Time(limit)) => used <= limit + rules.margin,
            (None, _) => true,
        };
        if !is_in_time {
            let fault = format!("a move took {used:.3?}");
            return end(Some(!turn), "time", Some(fault));
        }
        let mv = result.best.context("a position without moves")?;
        game.play(mv)?;
        if game.position().count_moves() > 0
            && let Some(adjudication) = adjudicator.see(rules, game.position(), result.score.ce())
        {
            let (winner, why) = match adjudication {
                Adjudication::Draw => (None, "agreement"),
                Adjudication::Resigns(loser) => (Some(!loser), "resignation"),
            };
            return Ok(Some(GameEnd {
                winner,
                why: why.to_owned(),
                plies: plies + 1,
                fault: None,
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_charged() {
        let ms = Duration::from_millis;
        let mut clocks = Clocks::new("2/1+0.1".parse().expect("a time control"));
        assert_eq!(clocks.state(Color::White).moves_to_go, Some(2));
        assert!(clocks.charge(Color::White, ms(400), ms(0)));
        let state = clocks.state(Color::White);
        assert_eq!(
            (state.remaining, state.moves_to_go),
            ([ms(700), ms(1000)], Some(1))
        );
        assert!(clocks.charge(Color::White, ms(710), ms(10)));
        // The second move in time: another second.
        assert_eq!(clocks.remaining[0], ms(1100));
        assert!(!clocks.charge(Color::Black, ms(1011), ms(10)));
    }

    fn rules(settings: &TuneSettings) -> Rules {
        Rules::of(settings).expect("a limit")
    }

    #[test]
    fn scores_end_games() {
        let settings = TuneSettings {
            nodes: std::num::NonZeroU64::new(1),
            draw: Some("movenumber=2,movecount=2,score=10".parse().expect("a rule")),
            resign: Some("movecount=2,score=500".parse().expect("a rule")),
            ..TuneSettings::default()
        };
        let rules = rules(&settings);
        let mut position = Position::start();
        let mut adjudicator = Adjudicator::default();
        let mut see = |score| {
            let mv = position.legal_moves()[0];
            position.play(mv);
            adjudicator.see(&rules, &position, score)
        };
        for score in [0, 3, 11, -10, 10, 0] {
            assert_eq!(see(score), None);
        }
        assert_eq!(see(-9), Some(Adjudication::Draw));
        for score in [-500, 700, -499, 700, -500, 700] {
            assert_eq!(see(score), None);
        }
        // White moved first, so Black has this move.
        assert_eq!(see(700), None);
    }
}
