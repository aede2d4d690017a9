//! The schedule grows: in Swiss and knockout events and in ladders, who meets next depends on the results.

use epd::protocol::printable;

use crate::core::event::ledger::Ledger;
use crate::core::event::ledger::growth::Paired;
use crate::core::event::ledger::resume::ResumeError;
use crate::core::journal::Entry;
use crate::core::schedule::{Format, Meeting, Step, knockout};

impl Ledger {
    /// Whether the whole schedule is known.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.results.plan().is_none() || self.growth.is_complete
    }

    /// How many places of players with any name are vacant while the first round waits for them.
    #[must_use]
    pub fn places_awaited(&self) -> usize {
        let Some(plan) = self.results.plan() else {
            return 0;
        };
        let waits = !matches!(plan.format, Format::Ladder(_))
            && !self.growth.has_begun
            && self.results.meetings().is_empty();
        let vacant = self.names.iter().filter(|name| name.is_empty());
        if waits { vacant.count() } else { 0 }
    }

    /// Whether a player may get more games than the schedule has.
    pub(super) fn may_be_paired(&self, player: usize) -> bool {
        let Some(plan) = self.results.plan() else {
            return false;
        };
        if self.growth.is_complete {
            return false;
        }
        let Format::Knockout(settings) = plan.format else {
            return true;
        };
        let presence = self.results.presence(&self.names);
        let situation = self.results.situation(&presence);
        situation.is_some_and(|situation| knockout::is_in(settings, &situation, player))
    }

    /// Whether a player has a place in the schedule of an event whose schedule grows.
    pub(super) fn has_been_paired(&self, player: usize) -> bool {
        let mut meetings = self.results.meetings().iter();
        meetings.any(|played| played.meeting.has(player))
    }

    /// Pairs players, if it is time to. `is_free` says for each player whether it could begin a game at once.
    pub fn pair(&mut self, is_free: &[bool]) -> Option<Paired> {
        let format = self.results.plan()?.format;
        let is_ladder = matches!(format, Format::Ladder(_));
        if self.growth.is_complete || !is_ladder && !self.growth.has_news || self.is_decided() {
            return None;
        }
        self.growth.has_news = false;
        if self.places_awaited() > 0 {
            return None;
        }
        let is_free = if is_ladder {
            self.without_games(is_free)
        } else {
            Vec::new()
        };
        match self.results.next_step(&self.names, &is_free)? {
            Step::Wait => None,
            Step::Over { early } => {
                self.growth.is_complete = true;
                early.map(Paired::EndsEarly)
            }
            Step::Pair(meetings) => {
                let boards = meetings.len();
                let entries = (1..).zip(&meetings).map(|(board, meeting)| {
                    let name = |player: Option<usize>| {
                        player.map_or_else(String::new, |player| self.names[player].clone())
                    };
                    Entry::Paired {
                        meeting: *meeting,
                        names: [name(Some(meeting.white)), name(meeting.black)],
                        board,
                        boards,
                    }
                });
                let entries = entries.collect();
                for meeting in &meetings {
                    self.add_meeting(*meeting);
                }
                Some(Paired::Meetings(meetings, entries))
            }
        }
    }

    /// The free players of a ladder that can play another meeting beside those that are not finished.
    fn without_games(&self, is_free: &[bool]) -> Vec<bool> {
        let mut unfinished = vec![0; is_free.len()];
        let meetings = self.results.meetings().iter();
        for played in meetings.filter(|played| !played.is_finished()) {
            for player in std::iter::once(played.meeting.white).chain(played.meeting.black) {
                unfinished[player] += 1;
            }
        }
        let players = is_free.iter().zip(unfinished).enumerate();
        let can_play = players.map(|(player, (&is_free, unfinished))| {
            is_free && unfinished < self.config.instances(player)
        });
        can_play.collect()
    }

    fn add_meeting(&mut self, meeting: Meeting) {
        let games = meeting.pairings(self.schedule(), &self.growth.draw);
        self.results.pair(meeting, games);
    }

    /// Takes in a board of the journal. A round of which some boards are missing, because the referee was killed
    /// while it wrote them, does not count.
    pub(super) fn restore_board(
        &mut self,
        meeting: Meeting,
        names: &[String; 2],
        [board, boards]: [usize; 2],
    ) -> Result<(), ResumeError> {
        if self.results.plan().is_none() {
            return Err(ResumeError::Format);
        }
        let players = std::iter::once(meeting.white).chain(meeting.black);
        for (player, name) in players.zip(names) {
            if player >= self.names.len() {
                return Err(ResumeError::NoPlayer(player + 1, self.names.len()));
            }
            self.set_missing_name(player, name);
            let is = printable(&self.names[player]);
            if is != printable(name) {
                return Err(ResumeError::ChangedPlayer {
                    number: player + 1,
                    was: name.clone(),
                    is: is.into(),
                });
            }
        }
        if board == 1 {
            self.growth.boards.clear();
        }
        self.growth.boards.push(meeting);
        if board == boards {
            for meeting in std::mem::take(&mut self.growth.boards) {
                self.add_meeting(meeting);
            }
            self.growth.look_again();
        }
        Ok(())
    }
}
