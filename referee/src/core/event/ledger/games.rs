//! Games begin and end, and their results are dropped: what the journal and `games.pgn` then get.

use epd::protocol::printable;
use movegen::pgn::{self, Outcome, Ply};
use smol_str::SmolStr;

use crate::core::ending::{Ending, Forfeit};
use crate::core::equipment::Conditions;
use crate::core::event::ledger::{Ledger, Running};
use crate::core::event::results::Finished;
use crate::core::event::tags::tags;
use crate::core::game::{GameReferee, Rules};
use crate::core::journal::Entry;
use crate::core::openings::Opening;
use crate::core::schedule::Pairing;

impl Ledger {
    /// Starts a game; returns its entry for the journal.
    ///
    /// # Panics
    /// If the pairing is not of this event.
    pub fn begin(&mut self, pairing: Pairing, date: &str) -> Entry {
        self.begin_under(Conditions::default(), pairing, date)
    }

    /// Starts a game under these conditions; returns its entry for the journal.
    ///
    /// # Panics
    /// If the pairing is not of this event.
    pub fn begin_under(&mut self, conditions: Conditions, pairing: Pairing, date: &str) -> Entry {
        let opening = self.openings[pairing.opening].clone();
        let entry = Entry::Begun {
            game: pairing.number,
            white: self.names[pairing.white].clone(),
            black: self.names[pairing.black].clone(),
            opening: opening.clone(),
            date: date.to_owned(),
            time_control: Some(self.config.time_control.0.to_string()),
            conditions: conditions.clone(),
        };
        self.set_up(pairing, opening, conditions, date);
        entry
    }

    pub(super) fn set_up(
        &mut self,
        pairing: Pairing,
        opening: Opening,
        conditions: Conditions,
        date: &str,
    ) {
        let controls = conditions.controls(&self.config.time_control.0);
        let tags = self.tags(&pairing, &opening, date);
        let rules = Rules {
            judge: self.judge.clone(),
            ..self.config.rules()
        };
        let game = Running {
            pairing,
            referee: GameReferee::new(&opening, controls, rules, tags),
            seats: [0; 2],
            date: date.to_owned(),
            plies: opening.moves.iter().copied().map(Ply::new).collect(),
            moves: Vec::new(),
            extensions: Vec::new(),
            disconnections: [0; 2],
            clock_is_told: false,
            decision: None,
            conditions,
            opening,
        };
        self.running.insert(pairing.number, game);
        while let Some(pairing) = self.results.schedule().get(self.next).copied()
            && self.has_begun(&pairing)
        {
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
            // As the journal has it, so that a resumed event writes the same PGN.
            &printable(&ending.to_string()),
        )
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
            forfeit: ending.forfeit().map(|forfeit| forfeit.to_string()),
            text: printable(&ending.to_string()).into(),
        })
    }

    pub(super) fn close(
        &mut self,
        number: usize,
        result: Option<Outcome>,
        termination: Option<pgn::Termination>,
        forfeit: Option<Forfeit>,
        text: &str,
    ) -> Option<String> {
        let mut game = self.running.remove(&number)?;
        self.held.remove(&number);
        let finished = Finished {
            result,
            forfeit,
            is_unplayed: game.plies() == 0,
        };
        self.results.add(number, finished);
        self.growth.look_again();
        game.remark(text);
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
            tags: [
                tags(self.elo(&game.pairing), self.results.plan()),
                game.conditions.tags(),
            ]
            .concat(),
            plies: game.plies,
        };
        pgn.export().ok()
    }

    /// The ratings of White and Black that the event file gives.
    pub(super) fn elo(&self, pairing: &Pairing) -> [Option<u32>; 2] {
        [pairing.white, pairing.black].map(|player| self.config.players.get(player)?.elo())
    }

    /// Drops the result of a finished game, which is then played again.
    pub fn withdraw(&mut self, number: usize) {
        if self.results.withdraw(number) {
            self.next = self.next.min(number - 1);
            self.growth.reopen();
        }
    }

    /// The journal's entry for [`Ledger::withdraw`].
    #[must_use]
    pub fn withdrawn_entry(&self, number: usize, why: &str) -> Option<Entry> {
        self.results.finished().get(&number)?;
        Some(Entry::Withdrawn {
            game: number,
            position: self.openings[self.pairing(number)?.opening].start,
            text: why.to_owned(),
        })
    }
}
