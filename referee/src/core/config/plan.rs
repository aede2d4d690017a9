//! From the settings of events whose schedule grows to the schedule.

use std::fmt;

use pairing::tiebreaks::{Kind, TieBreak};

use super::growing::Acceleration;
use super::player::Player;
use super::{Config, ConfigError, FormatName};
use crate::core::schedule::{Entrant, Knockout, Ladder, Plan, Swiss};

impl Config {
    /// How many times everyone meets everyone, or the number of rounds of a Swiss event. By default one, or as many as
    /// it takes at least until one player of a Swiss event has won all games.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.rounds.unwrap_or_else(|| match self.format {
            FormatName::Swiss => self.player_count().next_power_of_two().trailing_zeros() as usize,
            _ => 1,
        })
    }

    pub(super) fn swiss_schedule(&self) -> Swiss {
        let settings = self.swiss.unwrap_or_default();
        Swiss {
            rounds: self.rounds(),
            is_accelerated: settings.acceleration == Acceleration::Baku,
            first_is_white: self.seed.is_multiple_of(2),
        }
    }

    pub(super) fn knockout_schedule(&self) -> Knockout {
        let settings = self.knockout.unwrap_or_default();
        Knockout {
            has_third_place: settings.third_place,
            extra_pairs: settings.extra_pairs,
        }
    }

    pub(super) fn ladder_schedule(&self) -> Ladder {
        Ladder {
            games: self.ladder.and_then(|ladder| ladder.games),
        }
    }

    /// How the schedule grows, if it does.
    #[must_use]
    pub fn plan(&self) -> Option<Plan> {
        let format = self.pairings(1).format;
        let mut entrants: Vec<_> = self
            .players
            .iter()
            .map(|player| Entrant {
                rating: player.elo(),
                is_anchor: player.anchor.is_some(),
                group: player.group.clone(),
                byes: player.byes.clone(),
            })
            .collect();
        entrants.resize(self.player_count(), Entrant::default());
        let number = |name: &String| {
            let mut players = self.players.iter();
            players.position(|player| player.name == *name)
        };
        let forbidden = self.forbidden.iter();
        let forbidden = forbidden.map(|names| names.iter().filter_map(number).collect());
        format.grows().then(|| Plan {
            format,
            games_per_pairing: self.games_per_pairing,
            entrants,
            forbidden: forbidden.collect(),
        })
    }

    /// Refuses settings that the format of the event has not.
    fn check_keys(&self) -> Result<(), ConfigError> {
        use FormatName::{Gauntlet, Ladder, RoundRobin, Swiss};
        let has = |has: fn(&Player) -> bool| self.players.iter().any(has);
        let keys = [
            (
                "rounds",
                self.rounds.is_some(),
                [RoundRobin, Gauntlet, Swiss].as_slice(),
            ),
            ("seeds", self.seeds.is_some(), &[Gauntlet]),
            (
                "tie_breaks",
                !self.tie_breaks.0.is_empty(),
                &[Swiss, RoundRobin, Gauntlet],
            ),
            ("anchor", has(|player| player.anchor.is_some()), &[Ladder]),
            (
                "group",
                has(|player| player.group.is_some()),
                &[Swiss, Ladder],
            ),
            ("byes", has(|player| !player.byes.is_empty()), &[Swiss]),
            ("forbidden", !self.forbidden.is_empty(), &[Swiss, Ladder]),
        ];
        for (name, is_there, formats) in keys {
            if is_there && !formats.contains(&self.format) {
                let formats: Vec<_> = formats.iter().map(|format| format.quoted()).collect();
                return Err(ConfigError::OtherFormatKey(name, formats.join(" or ")));
            }
        }
        Ok(())
    }

    pub(super) fn check_growing(&self) -> Result<(), ConfigError> {
        let tables = [
            ("swiss", FormatName::Swiss, self.swiss.is_some()),
            ("knockout", FormatName::Knockout, self.knockout.is_some()),
            ("ladder", FormatName::Ladder, self.ladder.is_some()),
        ];
        for (name, format, is_there) in tables {
            if is_there && self.format != format {
                return Err(ConfigError::OtherFormat(name));
            }
        }
        self.check_keys()?;
        for player in &self.players {
            if let (Some(anchor), Some(rating)) = (player.anchor, player.rating) {
                return Err(ConfigError::Anchor(player.name.clone(), anchor, rating));
            }
            let rounds = 1..=self.rounds();
            if let Some(round) = player.byes.iter().find(|round| !rounds.contains(round)) {
                return Err(ConfigError::Bye(player.name.clone(), *round, self.rounds()));
            }
        }
        let names = self.forbidden.iter().flatten();
        let known = |name: &&String| self.players.iter().any(|player| player.name == **name);
        match names.into_iter().find(|name| !known(name)) {
            Some(name) => Err(ConfigError::Forbidden(name.clone())),
            None => Ok(()),
        }
    }

    /// The tie-breaks, if the event has other ones than the Sonneborn-Berger score.
    #[must_use]
    pub fn tie_breaks(&self) -> Vec<TieBreak> {
        match (self.format, &self.tie_breaks.0[..]) {
            (FormatName::Swiss, []) => Kind::Swiss.usual_tie_breaks(),
            (_, tie_breaks) => tie_breaks.to_vec(),
        }
    }

    /// Describes the format in words, for `check`.
    pub(super) fn describe_growing(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = match self.games_per_pairing {
            1 => "one game".to_owned(),
            games => format!("{games} games"),
        };
        match self.format {
            FormatName::Swiss => {
                let swiss = self.swiss_schedule();
                write!(
                    f,
                    "Swiss event (FIDE Dutch system), {} rounds of {games} each",
                    swiss.rounds
                )?;
                if swiss.is_accelerated {
                    write!(f, ", accelerated by the Baku method")?;
                }
            }
            FormatName::Knockout => {
                let knockout = self.knockout_schedule();
                write!(
                    f,
                    "knockout, matches of {games}, then up to {} pairs of games until a match is decided, then the better \
                     seed wins",
                    knockout.extra_pairs
                )?;
                if knockout.has_third_place {
                    write!(f, ", with a match for the third place")?;
                }
            }
            _ => {
                write!(f, "ladder, {games} each time two players meet")?;
                match self.ladder_schedule().games {
                    Some(limit) => write!(f, ", over after {limit} games")?,
                    None => write!(f, ", without end")?,
                }
            }
        }
        Ok(())
    }
}
