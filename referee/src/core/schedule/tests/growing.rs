//! The laws of schedules that grow, in events whose results are drawn by lot.

mod ladders;
mod rounds;

use movegen::pgn::Outcome;

use super::super::*;

/// Numbers that look random.
#[derive(Clone, Debug)]
struct Lot(u64);

impl Lot {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// An event whose games are played in an instant.
#[derive(Clone, Debug)]
struct Trial {
    plan: Plan,
    presence: Vec<Presence>,
    meetings: Vec<Played>,
    games: usize,
    ended: usize,
}

impl Trial {
    fn new(format: Format, players: usize, games_per_pairing: usize) -> Self {
        Self {
            plan: Plan {
                format,
                games_per_pairing,
                entrants: vec![Entrant::default(); players],
                forbidden: Vec::new(),
            },
            presence: vec![Presence::Entered; players],
            meetings: Vec::new(),
            games: 0,
            ended: 0,
        }
    }

    fn situation(&self) -> Situation<'_> {
        Situation {
            games_per_pairing: self.plan.games_per_pairing,
            entrants: &self.plan.entrants,
            presence: &self.presence,
            forbidden: &self.plan.forbidden,
            meetings: &self.meetings,
        }
    }

    fn step(&self, is_free: &[bool], rating: &dyn Fn(usize) -> f64) -> Step {
        next_step(self.plan.format, &self.situation(), is_free, rating)
    }

    fn pair(&mut self, meeting: Meeting) {
        self.meetings.push(Played::new(meeting, self.games + 1));
        self.games += meeting.games;
    }

    /// Ends the games of a meeting.
    fn end(&mut self, index: usize, result: &mut dyn FnMut(usize, usize) -> Outcome) {
        let played = &mut self.meetings[index];
        let Some(black) = played.meeting.black else {
            return;
        };
        for game in 0..played.ends.len() {
            let players = [played.meeting.white, black];
            let [white, black] = [players[game % 2], players[1 - game % 2]];
            played.ends[game] = Some(GameEnd {
                result: Some(result(white, black)),
                is_walkover: false,
            });
        }
        self.ended += 1;
        played.ended_at = self.ended;
    }

    /// Plays until the schedule says that it is over; returns why, if that is early.
    fn play(&mut self, result: &mut dyn FnMut(usize, usize) -> Outcome) -> Option<String> {
        loop {
            match self.step(&[], &|_| 0.0) {
                Step::Over { early } => return early,
                Step::Wait => panic!("all games have ended"),
                Step::Pair(meetings) => {
                    assert!(!meetings.is_empty());
                    let first = self.meetings.len();
                    for meeting in meetings {
                        self.pair(meeting);
                    }
                    for index in first..self.meetings.len() {
                        self.end(index, result);
                    }
                }
            }
        }
    }
}
