//! The results of an event: finished games, standings, and the state of its SPRT. The ledger counts them
//! from the journal, and a viewer from the stream of events, by the same code.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use movegen::Color;
use movegen::pgn::Outcome;
use pairing::tiebreaks::{Kind, TieBreak};

use crate::core::elo::Tally;
use crate::core::ending::Forfeit;
use crate::core::ranking;
use crate::core::ratings::{GameResult, LiveRatings};
use crate::core::schedule::{
    Entrant, Format, GameEnd, Meeting, Pairing, Plan, Played, Presence, Situation, Step, Swiss,
    next_step,
};
use crate::core::sprt::{Sample, Sprt, SprtReport, SprtState};
use crate::core::standings::{Ranking, Replacement, Scored, Standings};

/// A finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Its result, if it has one.
    pub result: Option<Outcome>,
    /// The fault that decided it, if any.
    pub forfeit: Option<Forfeit>,
    /// Whether it ended before the first move of a player.
    pub is_unplayed: bool,
}

impl Finished {
    const fn end(self) -> GameEnd {
        GameEnd {
            result: self.result,
            is_walkover: self.is_unplayed,
        }
    }
}

/// The results of the first player that count in a test, kept up to date game by game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct TestTally {
    tally: Tally,
    /// The half points of the first player in pairs of which one game is finished.
    halves: HashMap<usize, usize>,
}

impl TestTally {
    fn add(&mut self, pairing: &Pairing, game: Finished) {
        // Forfeits say nothing about strength.
        let (Some(result), None) = (game.result, game.forfeit) else {
            return;
        };
        let side = match 0 {
            player if player == pairing.white => Color::White,
            player if player == pairing.black => Color::Black,
            _ => return,
        };
        let half_points = result.half_points(side);
        self.tally.add_game(half_points);
        match self.halves.remove(&pairing.pair) {
            Some(other) => self.tally.add_pair(half_points + other),
            None => {
                self.halves.insert(pairing.pair, half_points);
            }
        }
    }
}

/// The schedule of an event, and the results so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    schedule: Vec<Pairing>,
    /// How the schedule grows, if it does.
    plan: Option<Plan>,
    /// What has been paired, if the schedule grows.
    meetings: Vec<Played>,
    /// Players that the arbiter has put out of the event.
    out: BTreeSet<usize>,
    /// The ratings of a ladder.
    ratings: Option<LiveRatings>,
    /// What decides between players with as many points. Without any, it is the Sonneborn-Berger score, and in Swiss
    /// events what is usual there.
    tie_breaks: Vec<TieBreak>,
    /// The finished games, in the order in which they ended.
    order: Vec<usize>,
    sprt: Option<Sprt>,
    finished: BTreeMap<usize, Finished>,
    test: TestTally,
    /// How the event's SPRT was decided. Games that were in progress then do not change it.
    verdict: Option<SprtReport>,
}

impl Results {
    /// An event before its first result.
    #[must_use]
    pub fn new(schedule: Vec<Pairing>, sprt: Option<Sprt>) -> Self {
        Self {
            schedule,
            sprt,
            ..Self::default()
        }
    }

    /// An event whose schedule grows, before its first round.
    #[must_use]
    pub fn growing(plan: Plan) -> Self {
        Self {
            ratings: ratings_of(&plan),
            plan: Some(plan),
            ..Self::default()
        }
    }

    /// The event with other tie-breaks.
    #[must_use]
    pub fn ordered_by(self, tie_breaks: Vec<TieBreak>) -> Self {
        Self { tie_breaks, ..self }
    }

    /// The tie-breaks that were chosen.
    #[must_use]
    pub fn tie_breaks(&self) -> &[TieBreak] {
        &self.tie_breaks
    }

    /// The event before its first result, and before the first round if its schedule grows.
    #[must_use]
    pub fn at_the_beginning(&self) -> Self {
        let results = match &self.plan {
            Some(plan) => Self::growing(plan.clone()),
            None => Self::new(self.schedule.clone(), self.sprt),
        };
        results.ordered_by(self.tie_breaks.clone())
    }

    /// How the schedule grows, if it does.
    #[must_use]
    pub const fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    /// What has been paired so far, if the schedule grows.
    #[must_use]
    pub fn meetings(&self) -> &[Played] {
        &self.meetings
    }

    /// The ratings of a ladder.
    #[must_use]
    pub const fn ratings(&self) -> Option<&LiveRatings> {
        self.ratings.as_ref()
    }

    /// The finished games, in the order in which they ended.
    #[must_use]
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Adds a meeting and its games, which follow those of the schedule.
    pub fn pair(&mut self, meeting: Meeting, games: Vec<Pairing>) {
        let first = self.schedule.len() + 1;
        self.schedule.extend(games);
        self.meetings.push(Played::new(meeting, first));
    }

    /// Puts a player out of the event, or lets it back in.
    pub fn set_out(&mut self, player: usize, is_out: bool) {
        if is_out {
            self.out.insert(player);
        } else {
            self.out.remove(&player);
        }
    }

    /// The players that the arbiter has put out of the event.
    #[must_use]
    pub const fn out(&self) -> &BTreeSet<usize> {
        &self.out
    }

    /// Whether each player can be paired. Places without a name are vacant.
    #[must_use]
    pub fn presence(&self, names: &[String]) -> Vec<Presence> {
        let presence = names.iter().enumerate().map(|(player, name)| {
            if self.out.contains(&player) {
                Presence::Out
            } else if name.is_empty() {
                Presence::Vacant
            } else {
                Presence::Entered
            }
        });
        presence.collect()
    }

    /// Who is in the event and what has been played, if the schedule grows.
    #[must_use]
    pub fn situation<'a>(&'a self, presence: &'a [Presence]) -> Option<Situation<'a>> {
        let plan = self.plan.as_ref()?;
        Some(Situation {
            games_per_pairing: plan.games_per_pairing,
            entrants: &plan.entrants,
            presence,
            forbidden: &plan.forbidden,
            meetings: &self.meetings,
        })
    }

    /// What the schedule does next, if it grows. `is_free` says for each player whether it could begin a game.
    #[must_use]
    pub fn next_step(&self, names: &[String], is_free: &[bool]) -> Option<Step> {
        let presence = self.presence(names);
        let situation = self.situation(&presence)?;
        let rating = |player| {
            let ratings = self.ratings.as_ref();
            ratings.map_or(0.0, |ratings| ratings.elo(player))
        };
        let format = self.plan.as_ref()?.format;
        Some(next_step(format, &situation, is_free, &rating))
    }

    /// The meeting of a game, if the schedule grows.
    fn meeting_of(&mut self, number: usize) -> Option<(&mut Played, usize)> {
        // A bye comes before the meeting that has the same first game.
        let after = self
            .meetings
            .partition_point(|played| played.first <= number);
        let played = self.meetings.get_mut(after.checked_sub(1)?)?;
        let game = number - played.first;
        (game < played.ends.len()).then_some((played, game))
    }

    /// Notes in the meeting of a game how that ended.
    fn set_end(&mut self, number: usize, end: Option<GameEnd>) {
        let ended_at = self.order.len();
        if let Some((played, game)) = self.meeting_of(number) {
            played.ends[game] = end;
            played.ended_at = ended_at;
        }
    }

    /// Counts a result in the ratings of a ladder. Forfeits say nothing about strength.
    fn rate(&mut self, number: usize, game: Finished) {
        let (Some(pairing), Some(result), None) =
            (self.pairing(number).copied(), game.result, game.forfeit)
        else {
            return;
        };
        if let Some(ratings) = &mut self.ratings {
            ratings.add(GameResult {
                white: pairing.white,
                black: pairing.black,
                half_points: result.half_points(Color::White) as u8,
            });
        }
    }

    /// All games, in the order in which they are started.
    #[must_use]
    pub fn schedule(&self) -> &[Pairing] {
        &self.schedule
    }

    /// The event's test, if it has one.
    #[must_use]
    pub const fn test(&self) -> Option<Sprt> {
        self.sprt
    }

    /// The place of a game in the schedule.
    #[must_use]
    pub fn pairing(&self, number: usize) -> Option<&Pairing> {
        // Games are numbered from 1 in the order of the schedule.
        self.schedule.get(number.checked_sub(1)?)
    }

    /// The finished games, by number.
    #[must_use]
    pub const fn finished(&self) -> &BTreeMap<usize, Finished> {
        &self.finished
    }

    /// Adds the result of a game of the schedule.
    pub fn add(&mut self, number: usize, game: Finished) {
        let Some(&pairing) = self.pairing(number) else {
            return;
        };
        // The storage repeats a result that may be missing in the stream of events.
        if self.finished.get(&number) == Some(&game) {
            return;
        }
        self.withdraw(number);
        self.finished.insert(number, game);
        self.order.push(number);
        self.set_end(number, Some(game.end()));
        self.count(&pairing, game);
        self.rate(number, game);
    }

    /// Counts a finished game in the event's SPRT, until that is decided.
    fn count(&mut self, pairing: &Pairing, game: Finished) {
        self.test.add(pairing, game);
        if self.verdict.is_none() {
            let report = self.sprt();
            self.verdict = report.filter(|report| report.state != SprtState::Continue);
        }
    }

    /// Drops the result of a game; returns whether it had one.
    pub fn withdraw(&mut self, number: usize) -> bool {
        if self.finished.remove(&number).is_none() {
            return false;
        }
        self.order.retain(|&other| other != number);
        self.set_end(number, None);
        for played in &mut self.meetings {
            played.ended_at = 0;
        }
        for (i, number) in self.order.clone().into_iter().enumerate() {
            if let Some((played, _)) = self.meeting_of(number) {
                played.ended_at = i + 1;
            }
        }
        self.ratings = self.plan.as_ref().and_then(ratings_of);
        if self.ratings.is_some() {
            for number in self.order.clone() {
                let game = self.finished[&number];
                self.rate(number, game);
            }
        }
        self.test = TestTally::default();
        self.verdict = None;
        for number in self.order.clone() {
            let pairing = self.schedule[number - 1];
            let game = self.finished[&number];
            self.count(&pairing, game);
        }
        true
    }

    /// The state of the event's SPRT, if it has one: when it was decided, or now.
    #[must_use]
    pub fn sprt(&self) -> Option<SprtReport> {
        if self.verdict.is_some() {
            return self.verdict;
        }
        Some(self.sprt?.report(&self.test.tally, Sample::Pairs))
    }

    /// Whether the event's SPRT has been decided.
    #[must_use]
    pub const fn is_decided(&self) -> bool {
        self.verdict.is_some()
    }

    /// The results of all games that have been started.
    #[must_use]
    pub fn scored(&self, is_running: impl Fn(usize) -> bool) -> Vec<Scored> {
        let games = self.schedule.iter().filter_map(|pairing| {
            let finished = self.finished.get(&pairing.number);
            (finished.is_some() || is_running(pairing.number)).then(|| Scored {
                white: pairing.white,
                black: pairing.black,
                pair: pairing.pair,
                is_running: finished.is_none(),
                result: finished.and_then(|finished| finished.result),
                forfeit: finished.and_then(|finished| finished.forfeit),
            })
        });
        games.collect()
    }

    /// The order of the players, where it is not by points and Sonneborn-Berger score alone.
    fn ranking(&self, names: &[String]) -> Option<Ranking> {
        let presence = self.presence(names);
        if self.plan.is_none() && !self.tie_breaks.is_empty() {
            return Some(self.ranking_of_round_robin(&presence));
        }
        let situation = self.situation(&presence)?;
        Some(match (self.plan.as_ref()?.format, &self.ratings) {
            (Format::Swiss(swiss), _) => {
                let usual = Kind::Swiss.usual_tie_breaks();
                let tie_breaks = match self.tie_breaks[..] {
                    [] => &usual,
                    _ => &self.tie_breaks,
                };
                ranking::by_tie_breaks(swiss, &situation, Kind::Swiss, tie_breaks)
            }
            (Format::Knockout(knockout), _) => ranking::knockout(knockout, &situation),
            (_, Some(ratings)) => ranking::ladder(ratings, names.len()),
            _ => return None,
        })
    }

    /// The order of the players of a round robin or a gauntlet.
    fn ranking_of_round_robin(&self, presence: &[Presence]) -> Ranking {
        let mut meetings: Vec<Played> = Vec::new();
        for pairing in &self.schedule {
            let end = self.finished.get(&pairing.number).map(|game| game.end());
            let of_round = meetings.iter_mut().rev();
            let mut of_round = of_round.take_while(|played| played.meeting.round == pairing.round);
            let same = of_round.find(|played| {
                played.meeting.has(pairing.white) && played.meeting.has(pairing.black)
            });
            if let Some(played) = same {
                played.meeting.games += 1;
                played.ends.push(end);
                continue;
            }
            let meeting = Meeting {
                round: pairing.round,
                white: pairing.white,
                black: Some(pairing.black),
                games: 1,
            };
            let mut played = Played::new(meeting, pairing.number);
            played.ends = vec![end];
            meetings.push(played);
        }
        let games = meetings.iter().map(|played| played.meeting.games).max();
        let situation = Situation {
            games_per_pairing: games.unwrap_or(1),
            entrants: &vec![Entrant::default(); presence.len()],
            presence: &vec![Presence::Entered; presence.len()],
            forbidden: &[],
            meetings: &meetings,
        };
        let swiss = Swiss {
            rounds: self.schedule.last().map_or(0, |last| last.round),
            is_accelerated: false,
            first_is_white: true,
        };
        ranking::by_tie_breaks(swiss, &situation, Kind::RoundRobin, &self.tie_breaks)
    }

    /// The standings.
    #[must_use]
    pub fn standings(
        &self,
        names: &[String],
        replaced: &[Replacement],
        is_running: impl Fn(usize) -> bool,
    ) -> Standings {
        let ranking = self.ranking(names);
        let mut standings = Standings::ranked(names, &self.scored(is_running), ranking);
        standings.sprt = self.sprt();
        standings.replaced = replaced.to_vec();
        standings
    }
}

/// The ratings of a ladder before its first game.
fn ratings_of(plan: &Plan) -> Option<LiveRatings> {
    let Format::Ladder(_) = plan.format else {
        return None;
    };
    let entered = plan.entrants.iter();
    let entered = entered.map(|entrant| (entrant.rating.map(f64::from), entrant.is_anchor));
    Some(LiveRatings::new(&entered.collect::<Vec<_>>()))
}

#[cfg(test)]
impl Results {
    /// The state of the test, as text.
    pub(super) fn test_snapshot(&self) -> String {
        let mut halves: Vec<_> = self.test.halves.iter().collect();
        halves.sort();
        format!("{:?} {halves:?} {:?}", self.test.tally, self.verdict)
    }
}
