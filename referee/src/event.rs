//! An event: its players, the games that are to be played, those under way and those that are over.

use std::collections::BTreeMap;
use std::time::Duration;

use epd::protocol::PlayerActions;
use movegen::{Color, Move};
use smol_str::SmolStr;

use crate::config::Config;
use crate::ending::Ending;
use crate::game::{GameReferee, Moved};
use crate::journal::Entry;
use crate::openings::Opening;
use crate::pairing::{Pairing, ScheduleError, schedule};
use crate::report::elo::{Sample, Sprt, SprtReport, SprtState};
use crate::report::{Scored, Standings, Verdict};
use movegen::pgn::{self, Eval, Outcome, Ply};

/// A game under way.
#[derive(Clone, Debug)]
pub struct Running {
    /// Who plays, and what.
    pub pairing: Pairing,
    /// Its referee.
    pub referee: GameReferee,
    /// The day on which it began.
    pub date: String,
    opening: Opening,
    plies: Vec<Ply>,
}

/// A game that is over.
#[derive(Clone, Copy, Debug)]
struct Finished {
    result: Option<Outcome>,
    verdict: Option<Verdict>,
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
    /// The next game that may be started; those before it have been.
    next: usize,
    /// No more games are started.
    stopped: bool,
}

/// A journal does not belong to the event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ResumeError {
    #[error("game {0} of the journal is not in the schedule")]
    Unknown(usize),
    #[error("game {0} of the journal has a move or an end but no beginning")]
    NoBeginning(usize),
    #[error("game {game} of the journal: {what}")]
    Move { game: usize, what: String },
}

impl Running {
    /// The side that a player has.
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

    /// Writes a move down.
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

    /// What the event's file says.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// The players; one that has not come yet and may have any name has none.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Gives a name to a player who may have any.
    pub fn set_name(&mut self, player: usize, name: &str) {
        name.clone_into(&mut self.names[player]);
    }

    /// All games in the order in which they are started.
    #[must_use]
    pub fn schedule(&self) -> &[Pairing] {
        &self.schedule
    }

    /// The games under way, by number.
    #[must_use]
    pub const fn running(&self) -> &BTreeMap<usize, Running> {
        &self.running
    }

    /// A game under way.
    pub fn game_mut(&mut self, number: usize) -> Option<&mut Running> {
        self.running.get_mut(&number)
    }

    /// The games under way, to be changed.
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

    /// How many games are over.
    #[must_use]
    pub fn finished(&self) -> usize {
        self.finished.len()
    }

    /// Whether a game is over.
    #[must_use]
    pub fn is_finished(&self, number: usize) -> bool {
        self.finished.contains_key(&number)
    }

    /// Starts no more games.
    pub const fn stop(&mut self) {
        self.stopped = true;
    }

    /// Whether nothing is left to be played.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.running.is_empty() && (self.stopped || self.finished.len() == self.schedule.len())
    }

    /// Whether one more game may be under way.
    #[must_use]
    pub fn has_room(&self) -> bool {
        !self.stopped && self.running.len() < self.config.concurrency
    }

    /// The next game that can be started, given which can; games keep their order as far as that
    /// allows.
    #[must_use]
    pub fn next_game(&self, can_begin: impl Fn(&Pairing) -> bool) -> Option<Pairing> {
        if !self.has_room() {
            return None;
        }
        // Who is passed over once must not be overtaken by others that need the same player, but
        // need not keep the rest of the hall waiting.
        let mut left = self.schedule[self.next..].iter();
        let next = left.find(|pairing| {
            can_begin(pairing)
                && !self.finished.contains_key(&pairing.number)
                && !self.running.contains_key(&pairing.number)
        });
        next.copied()
    }

    /// Starts a game; what the journal says of it is returned.
    ///
    /// # Panics
    /// When the pairing is not of this event.
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

    /// The tags that the players are informed of (EPD 8.1.5, decisions 34 and 39).
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
        // What PGN has no tag for; who does not know these passes them over (EPD 5.3).
        let advice = self.config.advice;
        for (tag, count) in [("SearchNodes", advice.nodes), ("SearchDepth", advice.depth)] {
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

    /// Ends a game; returns it as PGN.
    pub fn end(&mut self, number: usize, ending: &Ending) -> Option<String> {
        let termination = Some(ending.termination());
        self.close(
            number,
            ending.outcome,
            termination,
            ending.verdict(),
            &ending.to_string(),
        )
    }

    fn close(
        &mut self,
        number: usize,
        result: Option<Outcome>,
        termination: Option<pgn::Termination>,
        verdict: Option<Verdict>,
        text: &str,
    ) -> Option<String> {
        let mut game = self.running.remove(&number)?;
        self.finished.insert(number, Finished { result, verdict });
        if let Some(last) = game.plies.last_mut() {
            last.comment = Some(text.to_owned());
        }
        let pgn = pgn::Game {
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

    /// Brings an event to where its journal ends; returns the games that are over as PGN.
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
                    self.name_once(pairing.white, &white);
                    self.name_once(pairing.black, &black);
                    // A game that is begun again takes the place of what there was of it.
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
                    verdict,
                    text: reason,
                    ..
                } => {
                    let result = outcome_of(&result);
                    let termination = termination_of(&termination);
                    let verdict = verdict.as_deref().and_then(verdict_of);
                    let game = self.close(number, result, termination, verdict, &reason);
                    text.push_str(&game.ok_or(ResumeError::NoBeginning(number))?);
                }
            }
        }
        Ok(text)
    }

    /// The journal's name of a player whom the event's file does not name.
    fn name_once(&mut self, player: usize, name: &str) {
        if self.names[player].is_empty() {
            name.clone_into(&mut self.names[player]);
        }
    }

    /// What the journal says of the end of a game.
    #[must_use]
    pub fn end_entry(&self, number: usize, ending: &Ending) -> Option<Entry> {
        let game = self.running.get(&number)?;
        Some(Entry::Ended {
            game: number,
            position: *game.referee.game().position(),
            result: ending.result_tag(),
            termination: ending.termination().to_string(),
            verdict: ending.verdict().map(word_of),
            text: ending.to_string(),
        })
    }

    /// The games that are over or under way, as a report needs them.
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
                verdict: finished.and_then(|finished| finished.verdict),
            }
        });
        scored.collect()
    }

    /// How the event stands.
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

    /// Whether the test that the event is for has been decided.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        let test = self.config.sprt.and_then(|_| self.standings().sprt);
        test.is_some_and(|test| test.state != SprtState::Continue)
    }

    /// How many games were lost by a fault.
    #[must_use]
    pub fn faults(&self) -> usize {
        self.finished
            .values()
            .filter(|game| game.verdict.is_some())
            .count()
    }
}

const VERDICTS: [(Verdict, &str); 5] = [
    (Verdict::Crash, "crash"),
    (Verdict::Stall, "stall"),
    (Verdict::Time, "time"),
    (Verdict::IllegalMove, "illegal_move"),
    (Verdict::ProtocolFault, "protocol_fault"),
];

/// The word for a fault.
#[must_use]
pub fn word_of(verdict: Verdict) -> String {
    let word = VERDICTS.iter().find(|(other, _)| *other == verdict);
    word.map_or_else(String::new, |(_, word)| (*word).to_owned())
}

fn verdict_of(word: &str) -> Option<Verdict> {
    let verdict = VERDICTS.iter().find(|(_, other)| *other == word);
    verdict.map(|(verdict, _)| *verdict)
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
    use crate::ending::Reason;
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
            (again.finished(), again.faults(), again.is_finished(1)),
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
        for (verdict, word) in VERDICTS {
            assert_eq!(
                (word_of(verdict).as_str(), verdict_of(word)),
                (word, Some(verdict))
            );
        }
        assert_eq!(verdict_of("bad_luck"), None);
    }
}
