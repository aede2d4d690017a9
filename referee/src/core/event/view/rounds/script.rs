//! Events whose schedule grows, for tests: games begin and end by lot, players leave and come back, and results are
//! withdrawn. What includes this file has the types of the stream in a module `types`.

use super::types::{
    Conditions, Entrant, EventView, Format, GameReport, Knockout, Ladder, Meeting, Pairing, Plan,
    Report, Scheduled, Start, Step, Swiss,
};

pub const AT: &str = "2026-11-23T10:00:00.000Z";

/// An event that goes on by steps.
#[derive(Clone, Debug)]
pub struct Script {
    pub view: EventView,
    lot: u64,
    /// Whether players leave, and results are withdrawn.
    has_accidents: bool,
    /// So many games from the first one on have ended.
    ended: usize,
}

pub const fn swiss(rounds: usize) -> Format {
    Format::Swiss(Swiss {
        rounds,
        is_accelerated: false,
        first_is_white: true,
    })
}

pub const fn knockout(extra_pairs: usize) -> Format {
    Format::Knockout(Knockout {
        has_third_place: true,
        extra_pairs,
    })
}

pub const fn ladder(games: Option<usize>) -> Format {
    Format::Ladder(Ladder { games })
}

impl Script {
    /// An event before its first round. The third player has asked for a bye in the second round of a Swiss event.
    pub fn new<S: AsRef<str>>(
        format: Format,
        names: &[S],
        games_per_pairing: usize,
        seed: u64,
    ) -> Self {
        let entrant = |player: usize| Entrant {
            rating: Some(2600 - 20 * player as u32),
            is_anchor: player == 1,
            byes: if player == 2 { vec![2] } else { Vec::new() },
            ..Entrant::default()
        };
        let plan = Plan {
            format,
            games_per_pairing,
            entrants: (0..names.len()).map(entrant).collect(),
            forbidden: Vec::new(),
        };
        let names = names.iter().map(|name| name.as_ref().to_owned());
        let start = Start {
            name: "Autumn Cup".to_owned(),
            site: "Here".to_owned(),
            time_control: "300+3".to_owned(),
            players: names.collect(),
            plan: Some(plan),
            ..Start::default()
        };
        let mut view = EventView::default();
        view.apply(&Report::Start(Box::new(start)), AT);
        Self {
            view,
            lot: seed,
            has_accidents: false,
            ended: 0,
        }
    }

    /// Lets players leave, and results be withdrawn.
    pub fn with_accidents(mut self) -> Self {
        self.has_accidents = true;
        self
    }

    /// A number that looks random.
    fn draw(&mut self, below: usize) -> usize {
        self.lot = self.lot.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.lot ^ (self.lot >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % below as u64) as usize
    }

    fn apply(&mut self, report: &Report) {
        self.view.apply(report, AT);
    }

    /// Something happens; false if nothing more can.
    pub fn step(&mut self) -> bool {
        if self.has_accidents && self.draw(20) == 0 {
            self.accident();
            return true;
        }
        let running: Vec<_> = self.view.running().map(|game| game.game.game).collect();
        let end = running.len() > 3 || self.draw(3) == 0;
        if end && !running.is_empty() {
            let number = running[self.draw(running.len())];
            self.end(number);
        } else if !self.begin() && !self.pair() {
            let Some(&number) = running.first() else {
                return false;
            };
            self.end(number);
        }
        true
    }

    /// So many steps, if there are as many.
    pub fn steps(mut self, count: usize) -> Self {
        for _ in 0..count {
            if !self.step() {
                break;
            }
        }
        self
    }

    /// Whether a player plays.
    fn plays(&self, player: usize) -> bool {
        self.view.running().any(|game| {
            let pairing = self.view.results.pairing(game.game.game);
            pairing.is_some_and(|pairing| [pairing.white, pairing.black].contains(&player))
        })
    }

    /// The games of the schedule, without the first ones that have ended.
    fn open_games(&self) -> &[Pairing] {
        &self.view.results.schedule()[self.ended..]
    }

    /// Begins the next game whose players are free.
    fn begin(&mut self) -> bool {
        let next = self.open_games().iter().copied().find(|pairing| {
            let number = pairing.number;
            let has_begun =
                self.view.games.contains_key(&number) || self.view.ends.contains_key(&number);
            !has_begun && !self.plays(pairing.white) && !self.plays(pairing.black)
        });
        let Some(pairing) = next else { return false };
        let name = |player: usize| self.view.names[player].clone();
        let game = GameReport {
            game: pairing.number,
            round: pairing.round_tag().to_string(),
            white: name(pairing.white),
            black: name(pairing.black),
            date: "2026.11.23".to_owned(),
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            opening: None,
            conditions: Conditions::default(),
            elo: [None; 2],
            opening_moves: vec!["e4".to_owned()],
            opening_comment: None,
            clocks_ms: [Some(300_000.0); 2],
            turn_ms: None,
            is_paused: false,
            moves: Vec::new(),
        };
        self.apply(&Report::Game(Box::new(game)));
        true
    }

    /// Pairs whoever can be paired.
    fn pair(&mut self) -> bool {
        let players = self.view.names.len();
        let open: Vec<_> = self
            .open_games()
            .iter()
            .filter(|pairing| !self.view.ends.contains_key(&pairing.number))
            .flat_map(|pairing| [pairing.white, pairing.black])
            .collect();
        let is_free: Vec<_> = (0..players).map(|player| !open.contains(&player)).collect();
        let step = self.view.results.next_step(&self.view.names, &is_free);
        let Some(Step::Pair(meetings)) = step else {
            return false;
        };
        self.report_pairs(meetings);
        true
    }

    fn report_pairs(&mut self, meetings: Vec<Meeting>) {
        let mut schedule = self.view.results.schedule().to_vec();
        let before = schedule.len();
        for meeting in &meetings {
            let games = meeting.pairings(&schedule, &[0]);
            schedule.extend(games);
        }
        self.apply(&Report::Paired {
            meetings,
            games: schedule[before..].iter().map(Scheduled::from).collect(),
            names: Vec::new(),
            half_point_byes: Vec::new(),
        });
    }

    /// Ends a game: the player with the lower number wins more often.
    fn end(&mut self, number: usize) {
        let Some(pairing) = self.view.results.pairing(number).copied() else {
            return;
        };
        let lot = self.draw(6);
        let is_white_better = pairing.white < pairing.black;
        let result = match lot {
            0 | 1 => "1/2-1/2",
            2 if is_white_better => "0-1",
            2 => "1-0",
            _ if is_white_better => "1-0",
            _ => "0-1",
        };
        let name = |player: usize| self.view.names[player].clone();
        let report = Report::Result {
            game: number,
            white: name(pairing.white),
            black: name(pairing.black),
            result: result.to_owned(),
            termination: "normal".to_owned(),
            reason: "The game is over: checkmate".to_owned(),
            verdict: None,
            plies: 40,
            is_unplayed: false,
        };
        self.apply(&report);
        self.view.take_finished(number);
        while self
            .open_games()
            .first()
            .is_some_and(|game| self.view.ends.contains_key(&game.number))
        {
            self.ended += 1;
        }
    }

    fn accident(&mut self) {
        let player = self.draw(self.view.names.len());
        let finished = self.view.finished().to_vec();
        let report = match (self.draw(3), finished.last()) {
            (0, Some(&game)) => Report::Withdrawn {
                game,
                text: "by order".to_owned(),
            },
            _ => Report::Out {
                player,
                is_out: !self.view.results.out().contains(&player),
            },
        };
        self.apply(&report);
        self.ended = 0;
    }
}
