//! An event: its players, its schedule, the games in progress and the finished ones.

use std::collections::BTreeMap;
use std::time::Duration;

use epd::protocol::PlayerActions;
use movegen::{Color, Move};
use smol_str::SmolStr;

use crate::core::config::Config;
use crate::core::ending::{Ending, Forfeit};
use crate::core::game::{GameReferee, Moved};
use crate::core::journal::Entry;
use crate::core::openings::Opening;
use crate::core::schedule::{Pairing, ScheduleError, schedule};
use crate::core::sprt::{Sample, Sprt, SprtReport, SprtState};
use crate::core::standings::{Scored, Standings};
use movegen::pgn::{self, Eval, Outcome, Ply};

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Running {
    /// Its place in the schedule.
    pub pairing: Pairing,
    /// Its referee.
    pub referee: GameReferee,
    /// The date on which it began.
    pub date: String,
    opening: Opening,
    plies: Vec<Ply>,
}

/// A finished game.
#[derive(Clone, Copy, Debug)]
struct Finished {
    result: Option<Outcome>,
    forfeit: Option<Forfeit>,
}

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    config: Config,
    names: Vec<String>,
    openings: Vec<Opening>,
    schedule: Vec<Pairing>,
    running: BTreeMap<usize, Running>,
    finished: BTreeMap<usize, Finished>,
    /// Index of the first game of the schedule that has not been started.
    next: usize,
    /// Whether no new games are to be started.
    stopped: bool,
}

/// A journal that does not match the event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ResumeError {
    #[error("game {0} of the journal is not in the schedule")]
    Unknown(usize),
    #[error("game {0} of the journal has a move or a result, but did not begin")]
    NoBeginning(usize),
    #[error("game {game} of the journal: {what}")]
    Move { game: usize, what: String },
}

impl Running {
    /// The side of a player, if it plays in this game.
    #[must_use]
    pub const fn color_of(&self, player: usize) -> Option<Color> {
        if self.pairing.white == player {
            Some(Color::White)
        } else if self.pairing.black == player {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// The player of a side.
    #[must_use]
    pub const fn player_of(&self, color: Color) -> usize {
        match color {
            Color::White => self.pairing.white,
            Color::Black => self.pairing.black,
        }
    }

    /// Adds a move to the game's record.
    pub fn add(&mut self, moved: &Moved) {
        self.plies.push(Ply {
            mv: moved.mv,
            clock: self.referee.clock().remaining(moved.color),
            elapsed: Some(moved.elapsed),
            eval: moved.eval.map(|eval| Eval::after_move(eval, moved.color)),
            comment: None,
        });
    }

    fn restore(
        &mut self,
        mv: Move,
        used: [Duration; 2],
        elapsed: Duration,
        eval: Option<i32>,
        acts: PlayerActions,
    ) -> Result<(), String> {
        let color = self.referee.game().position().turn();
        self.referee
            .restore(mv, used, eval, acts)
            .map_err(|error| error.to_string())?;
        self.plies.push(Ply {
            mv,
            clock: self.referee.clock().remaining(color),
            elapsed: Some(elapsed),
            eval: eval.map(|eval| Eval::after_move(eval, color)),
            comment: None,
        });
        Ok(())
    }
}

impl Event {
    /// An event before its first game.
    pub fn new(config: Config, openings: Vec<Opening>) -> Result<Self, ScheduleError> {
        let schedule = schedule(&config.pairings(openings.len()))?;
        let mut names: Vec<_> = config
            .players
            .iter()
            .map(|player| player.name.clone())
            .collect();
        names.resize(config.player_count(), String::new());
        Ok(Self {
            config,
            names,
            openings,
            schedule,
            running: BTreeMap::new(),
            finished: BTreeMap::new(),
            next: 0,
            stopped: false,
        })
    }

    /// The event's settings.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// The players' names; empty for a player of any name that has not signed on yet.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Sets the name of a player of any name.
    pub fn set_name(&mut self, player: usize, name: &str) {
        name.clone_into(&mut self.names[player]);
    }

    /// All games, in the order in which they are started.
    #[must_use]
    pub fn schedule(&self) -> &[Pairing] {
        &self.schedule
    }

    /// The games in progress, by number.
    #[must_use]
    pub const fn running(&self) -> &BTreeMap<usize, Running> {
        &self.running
    }

    /// A game in progress.
    pub fn game_mut(&mut self, number: usize) -> Option<&mut Running> {
        self.running.get_mut(&number)
    }

    /// The games in progress, mutable.
    pub fn games_mut(&mut self) -> impl Iterator<Item = (usize, &mut Running)> {
        self.running
            .iter_mut()
            .map(|(&number, game)| (number, game))
    }

    /// The game that a player is in.
    #[must_use]
    pub fn game_of(&self, player: usize) -> Option<usize> {
        let game = self
            .running
            .iter()
            .find(|(_, game)| game.color_of(player).is_some());
        game.map(|(&number, _)| number)
    }

    /// The number of finished games.
    #[must_use]
    pub fn finished(&self) -> usize {
        self.finished.len()
    }

    /// Whether a game is finished.
    #[must_use]
    pub fn is_finished(&self, number: usize) -> bool {
        self.finished.contains_key(&number)
    }

    /// Stops starting new games.
    pub const fn stop(&mut self) {
        self.stopped = true;
    }

    /// Whether no game is in progress and none will be started.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.running.is_empty() && (self.stopped || self.finished.len() == self.schedule.len())
    }

    /// Whether another game may be started.
    #[must_use]
    pub fn has_room(&self) -> bool {
        !self.stopped && self.running.len() < self.config.concurrency
    }

    /// The first game in the schedule's order that has not been started and that `can_begin` accepts.
    #[must_use]
    pub fn next_game(&self, can_begin: impl Fn(&Pairing) -> bool) -> Option<Pairing> {
        if !self.has_room() {
            return None;
        }
        // A game that cannot begin yet must not delay games of other players.
        let mut left = self.schedule[self.next..].iter();
        let next = left.find(|pairing| {
            can_begin(pairing)
                && !self.finished.contains_key(&pairing.number)
                && !self.running.contains_key(&pairing.number)
        });
        next.copied()
    }

    /// Starts a game; returns its entry for the journal.
    ///
    /// # Panics
    /// If the pairing is not of this event.
    pub fn begin(&mut self, pairing: Pairing, date: &str) -> Entry {
        let opening = self.openings[pairing.opening].clone();
        let entry = Entry::Begun {
            game: pairing.number,
            white: self.names[pairing.white].clone(),
            black: self.names[pairing.black].clone(),
            opening: opening.clone(),
            date: date.to_owned(),
        };
        self.set_up(pairing, opening, date);
        entry
    }

    fn set_up(&mut self, pairing: Pairing, opening: Opening, date: &str) {
        let control = self.config.time_control.0.clone();
        let tags = self.tags(&pairing, &opening, date);
        let game = Running {
            pairing,
            referee: GameReferee::new(&opening, control, self.config.rules(), tags),
            date: date.to_owned(),
            plies: opening.moves.iter().copied().map(Ply::new).collect(),
            opening,
        };
        self.running.insert(pairing.number, game);
        let started = |pairing: &Pairing| {
            self.finished.contains_key(&pairing.number)
                || self.running.contains_key(&pairing.number)
        };
        while self.schedule.get(self.next).is_some_and(started) {
            self.next += 1;
        }
    }

    /// The tags that are sent to the players (EPD 8.1.5, decisions 34 and 39).
    fn tags(&self, pairing: &Pairing, opening: &Opening, date: &str) -> Vec<(SmolStr, SmolStr)> {
        let mut tags = vec![
            ("Event", self.config.event.clone()),
            ("Site", self.config.site.clone()),
            ("Date", date.to_owned()),
            ("Round", pairing.round_tag().to_string()),
            ("White", self.names[pairing.white].clone()),
            ("Black", self.names[pairing.black].clone()),
            ("Result", "*".to_owned()),
            ("TimeControl", self.config.time_control.0.to_string()),
        ];
        // PGN has no tags for search limits; players ignore tags that they do not know (EPD 5.3).
        let limits = self.config.limits;
        for (tag, count) in [("SearchNodes", limits.nodes), ("SearchDepth", limits.depth)] {
            tags.extend(count.map(|count| (tag, count.to_string())));
        }
        if opening.start != movegen::Position::start() {
            tags.push(("SetUp", "1".to_owned()));
            tags.push(("FEN", opening.start.to_string()));
        }
        let tags = tags.into_iter();
        tags.map(|(tag, value)| (SmolStr::new_static(tag), value.into()))
            .collect()
    }

    /// Ends a game; returns its PGN.
    pub fn end(&mut self, number: usize, ending: &Ending) -> Option<String> {
        let termination = Some(ending.termination());
        self.close(
            number,
            ending.outcome,
            termination,
            ending.forfeit(),
            &ending.to_string(),
        )
    }

    fn close(
        &mut self,
        number: usize,
        result: Option<Outcome>,
        termination: Option<pgn::Termination>,
        forfeit: Option<Forfeit>,
        text: &str,
    ) -> Option<String> {
        let mut game = self.running.remove(&number)?;
        self.finished.insert(number, Finished { result, forfeit });
        if let Some(last) = game.plies.last_mut() {
            last.comment = Some(text.to_owned());
        }
        let pgn = pgn::PgnGame {
            event: self.config.event.clone(),
            site: self.config.site.clone(),
            date: game.date,
            round: game.pairing.round_tag().to_string(),
            white: self.names[game.pairing.white].clone(),
            black: self.names[game.pairing.black].clone(),
            result,
            start: game.opening.start,
            time_control: Some(self.config.time_control.0.to_string()),
            termination,
            tags: Vec::new(),
            plies: game.plies,
        };
        pgn.export().ok()
    }

    /// Restores the state of an event from its journal; returns the PGN of its finished games.
    pub fn resume(&mut self, entries: Vec<Entry>) -> Result<String, ResumeError> {
        let mut text = String::new();
        for entry in entries {
            let number = entry.game();
            match entry {
                Entry::Begun {
                    white,
                    black,
                    opening,
                    date,
                    ..
                } => {
                    let mut pairings = self.schedule.iter();
                    let pairing = pairings.find(|pairing| pairing.number == number);
                    let pairing = *pairing.ok_or(ResumeError::Unknown(number))?;
                    self.set_missing_name(pairing.white, &white);
                    self.set_missing_name(pairing.black, &black);
                    // A game that began twice counts from its second beginning.
                    self.finished.remove(&number);
                    self.set_up(pairing, opening, &date);
                }
                Entry::Moved {
                    mv,
                    used,
                    elapsed,
                    eval,
                    acts,
                    ..
                } => {
                    let game = self.running.get_mut(&number);
                    let game = game.ok_or(ResumeError::NoBeginning(number))?;
                    game.restore(mv, used, elapsed, eval, acts)
                        .map_err(|what| ResumeError::Move { game: number, what })?;
                }
                Entry::Ended {
                    result,
                    termination,
                    forfeit,
                    text: reason,
                    ..
                } => {
                    let result = outcome_of(&result);
                    let termination = termination_of(&termination);
                    let forfeit = forfeit.as_deref().and_then(forfeit_named);
                    let game = self.close(number, result, termination, forfeit, &reason);
                    text.push_str(&game.ok_or(ResumeError::NoBeginning(number))?);
                }
            }
        }
        Ok(text)
    }

    /// Sets a player's name from the journal, unless the event file has it.
    fn set_missing_name(&mut self, player: usize, name: &str) {
        if self.names[player].is_empty() {
            name.clone_into(&mut self.names[player]);
        }
    }

    /// The journal's entry for the end of a game.
    #[must_use]
    pub fn end_entry(&self, number: usize, ending: &Ending) -> Option<Entry> {
        let game = self.running.get(&number)?;
        Some(Entry::Ended {
            game: number,
            position: *game.referee.game().position(),
            result: ending.result_tag(),
            termination: ending.termination().to_string(),
            forfeit: ending.forfeit().map(forfeit_name),
            text: ending.to_string(),
        })
    }

    /// The results of all games that have been started.
    #[must_use]
    pub fn scored(&self) -> Vec<Scored> {
        let started = self.schedule.iter().filter(|pairing| {
            self.finished.contains_key(&pairing.number)
                || self.running.contains_key(&pairing.number)
        });
        let scored = started.map(|pairing| {
            let finished = self.finished.get(&pairing.number);
            Scored {
                white: pairing.white,
                black: pairing.black,
                pair: pairing.pair,
                result: finished.and_then(|finished| finished.result),
                forfeit: finished.and_then(|finished| finished.forfeit),
            }
        });
        scored.collect()
    }

    /// The current standings.
    #[must_use]
    pub fn standings(&self) -> Standings {
        let mut standings = Standings::new(&self.names, &self.scored());
        standings.sprt = self.sprt(&standings);
        standings
    }

    fn sprt(&self, standings: &Standings) -> Option<SprtReport> {
        let bounds = self.config.sprt?;
        let test = Sprt::new(bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta).ok()?;
        Some(test.report(&standings.of(0)?.tally, Sample::Pairs))
    }

    /// Whether the event's SPRT has been decided.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        let test = self.config.sprt.and_then(|_| self.standings().sprt);
        test.is_some_and(|test| test.state != SprtState::Continue)
    }

    /// The number of games that were forfeited.
    #[must_use]
    pub fn forfeits(&self) -> usize {
        self.finished
            .values()
            .filter(|game| game.forfeit.is_some())
            .count()
    }
}

const FORFEIT_NAMES: [(Forfeit, &str); 5] = [
    (Forfeit::Crash, "crash"),
    (Forfeit::Stall, "stall"),
    (Forfeit::Time, "time"),
    (Forfeit::IllegalMove, "illegal_move"),
    (Forfeit::ProtocolFault, "protocol_fault"),
];

/// The name of a forfeit in the journal and in `events.jsonl`.
#[must_use]
pub fn forfeit_name(forfeit: Forfeit) -> String {
    let word = FORFEIT_NAMES.iter().find(|(other, _)| *other == forfeit);
    word.map_or_else(String::new, |(_, word)| (*word).to_owned())
}

fn forfeit_named(word: &str) -> Option<Forfeit> {
    let forfeit = FORFEIT_NAMES.iter().find(|(_, other)| *other == word);
    forfeit.map(|(forfeit, _)| *forfeit)
}

fn outcome_of(result: &str) -> Option<Outcome> {
    let outcomes = [Outcome::White, Outcome::Black, Outcome::Draw];
    outcomes
        .into_iter()
        .find(|outcome| outcome.to_string() == result)
}

fn termination_of(text: &str) -> Option<pgn::Termination> {
    use pgn::Termination::{
        Abandoned, Adjudication, Normal, RulesInfraction, TimeForfeit, Unterminated,
    };
    let all = [
        Normal,
        TimeForfeit,
        RulesInfraction,
        Abandoned,
        Adjudication,
        Unterminated,
    ];
    all.into_iter()
        .find(|termination| termination.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::ending::Reason;
    use movegen::UciMove;

    fn event() -> Event {
        let text = "event = \"Cup\"\ntime_control = \"60+1\"\nconcurrency = 2\n\
                    [[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\n[[player]]\nname = \"C\"\n";
        let config = Config::read(text).expect("sound");
        Event::new(config, vec![Opening::default()]).expect("a schedule")
    }

    fn moved(event: &Event, number: usize, text: &str) -> Moved {
        let game = &event.running()[&number];
        let position = game.referee.game().position();
        let mv = text
            .parse::<UciMove>()
            .expect(text)
            .find(position)
            .expect(text);
        Moved {
            color: position.turn(),
            before: *position,
            mv,
            elapsed: Duration::from_millis(1500),
            used: [Duration::from_millis(1500), Duration::ZERO],
            eval: Some(32_762),
            acts: PlayerActions::empty(),
        }
    }

    #[test]
    fn games_are_started_in_their_order_with_who_is_there() {
        let mut event = event();
        assert_eq!(event.schedule().len(), 6);
        assert_eq!(event.next_game(|_| false), None);
        let first = event.next_game(|_| true).expect("a game");
        assert_eq!(first.number, 1);
        // One is missing: a later game goes first.
        let other = event
            .next_game(|pairing| ![pairing.white, pairing.black].contains(&first.white))
            .expect("a game");
        assert!(other.number > 1);
        event.begin(other, "2026.11.21");
        let busy = [other.white, other.black];
        assert_eq!(
            event.next_game(
                |pairing| !busy.contains(&pairing.white) && !busy.contains(&pairing.black)
            ),
            None,
            "three players, one game"
        );
        assert_eq!(event.game_of(other.white), Some(other.number));
        event.end(other.number, &Ending::draw(Reason::Agreement));
        assert_eq!(
            event.next_game(|_| true).map(|pairing| pairing.number),
            Some(1)
        );
        event.stop();
        assert!(event.next_game(|_| true).is_none() && event.is_over());
    }

    /// Decision 96: what the journal holds is enough.
    #[test]
    fn an_event_is_rebuilt_from_its_journal() {
        let mut event = event();
        let mut journal = Vec::new();
        let mut pgn = String::new();
        for _ in 0..2 {
            let is_free = |player| event.game_of(player).is_none();
            let pairing =
                event.next_game(|pairing| is_free(pairing.white) && is_free(pairing.black));
            let Some(pairing) = pairing else { break };
            journal.push(event.begin(pairing, "2026.11.21"));
        }
        for text in ["e2e4", "e7e5"] {
            let moved = moved(&event, 1, text);
            journal.push(Entry::moved(1, &moved));
            let game = event.game_mut(1).expect("running");
            game.restore(moved.mv, moved.used, moved.elapsed, moved.eval, moved.acts)
                .expect("legal");
        }
        let mut half = self::event();
        assert_eq!(half.resume(journal.clone()), Ok(String::new()));
        assert_eq!(half.running()[&1].referee.game().moves().len(), 2);
        assert_eq!(
            half.running()[&1].referee.clock().used(),
            [Duration::from_millis(1500), Duration::ZERO]
        );

        let ending = Ending::loss(Color::White, Reason::Time);
        journal.push(event.end_entry(1, &ending).expect("running"));
        pgn.push_str(&event.end(1, &ending).expect("running"));
        assert!(
            pgn.contains("1. e4 {[%eval #2] [%clk 0:00:59.500] [%emt 0:00:01.500]}"),
            "{pgn}"
        );
        let mut again = self::event();
        assert_eq!(again.resume(journal.clone()), Ok(pgn));
        assert_eq!(
            (again.finished(), again.forfeits(), again.is_finished(1)),
            (1, 1, true)
        );
        assert_eq!(again.standings(), event.standings());
        assert_eq!(
            self::event().resume(journal[1..].to_vec()),
            Err(ResumeError::NoBeginning(1))
        );
    }

    /// Journals of earlier referees hold such scores too.
    #[test]
    fn scores_beyond_the_scale_are_written() {
        let mut event = event();
        let pairing = event.next_game(|_| true).expect("a game");
        event.begin(pairing, "2026.11.21");
        for (text, eval) in [("e2e4", i32::MIN), ("e7e5", i32::MAX)] {
            let moved = moved(&event, 1, text);
            let game = event.game_mut(1).expect("running");
            game.add(&Moved {
                eval: Some(eval),
                ..moved.clone()
            });
            game.referee
                .restore(moved.mv, moved.used, Some(eval), moved.acts)
                .expect("legal");
        }
        let pgn = event.end(1, &Ending::draw(Reason::Agreement));
        let pgn = pgn.expect("running");
        assert_eq!(pgn.matches("[%eval -320.00]").count(), 2, "{pgn}");
    }

    #[test]
    fn words_for_faults_come_back() {
        for (forfeit, word) in FORFEIT_NAMES {
            assert_eq!(
                (forfeit_name(forfeit).as_str(), forfeit_named(word)),
                (word, Some(forfeit))
            );
        }
        assert_eq!(forfeit_named("bad_luck"), None);
    }
}
