//! From the settings to the schedule, and to the number of games that run at the same time.

use super::player::Transport;
use super::{Config, FormatName};
use crate::core::schedule::{self, OpeningOrder};

impl Config {
    /// How many games of a player may run at the same time. If the event file does not say, a player
    /// that the referee starts is started as often as it takes to keep all games of
    /// [`Config::concurrency`] running; any other player has one connection.
    #[must_use]
    pub fn instances(&self, player: usize) -> usize {
        let needed = || self.needed_instances(player);
        let Some(player) = self.players.get(player) else {
            return 1;
        };
        let by_default = match player.transport() {
            Transport::Network | Transport::Stdio => {
                player.command.as_ref().map_or(1, |_| needed())
            }
            Transport::Fifo(_) | Transport::Serial(..) => 1,
        };
        player.instances.unwrap_or(by_default).min(self.concurrency)
    }

    /// How often a player must be there so that all games of [`Config::concurrency`] run. In a round robin and a
    /// gauntlet the games left are soon between few players; if few others are free, each is there once more.
    fn needed_instances(&self, player: usize) -> usize {
        let places = |games: usize, players: usize| {
            games.div_ceil(players) + usize::from(2 * games > players)
        };
        let (all, seeds) = (self.player_count(), self.seeds());
        match self.format {
            FormatName::RoundRobin => places(2 * self.concurrency, all),
            FormatName::Gauntlet if player < seeds => places(self.concurrency, seeds),
            FormatName::Gauntlet => places(self.concurrency, all - seeds),
            FormatName::Match | FormatName::Swiss | FormatName::Knockout | FormatName::Ladder => {
                (2 * self.concurrency).div_ceil(all)
            }
        }
    }

    /// The number of games that can really run at the same time: each takes an instance of either of
    /// two players who meet.
    #[must_use]
    pub fn games_at_once(&self) -> usize {
        let instances: Vec<_> = (0..self.player_count())
            .map(|player| self.instances(player))
            .collect();
        let total: usize = instances.iter().sum();
        let possible = match self.format {
            FormatName::Gauntlet => {
                let seeds: usize = instances[..self.seeds()].iter().sum();
                seeds.min(total - seeds)
            }
            FormatName::RoundRobin
            | FormatName::Match
            | FormatName::Swiss
            | FormatName::Knockout
            | FormatName::Ladder => {
                let most = instances.iter().max().copied().unwrap_or(0);
                (total / 2).min(total - most)
            }
        };
        possible.min(self.concurrency)
    }

    /// The number of seeds of a gauntlet.
    #[must_use]
    pub fn seeds(&self) -> usize {
        self.seeds.unwrap_or(1)
    }

    /// The number of players, those of any name included.
    #[must_use]
    pub const fn player_count(&self) -> usize {
        self.players.len() + self.open_entries
    }

    /// The settings of the schedule, given the number of openings.
    #[must_use]
    pub fn pairings(&self, openings: usize) -> schedule::Settings {
        let rounds = self.rounds();
        let book = self.openings.as_ref();
        schedule::Settings {
            players: self.player_count(),
            format: match self.format {
                FormatName::RoundRobin => schedule::Format::RoundRobin { cycles: rounds },
                FormatName::Gauntlet => schedule::Format::Gauntlet {
                    seeds: self.seeds(),
                    cycles: rounds,
                },
                FormatName::Match => schedule::Format::Match,
                FormatName::Swiss => schedule::Format::Swiss(self.swiss_schedule()),
                FormatName::Knockout => schedule::Format::Knockout(self.knockout_schedule()),
                FormatName::Ladder => schedule::Format::Ladder(self.ladder_schedule()),
            },
            games_per_pairing: self.games_per_pairing,
            openings,
            seed: self.seed,
            order: book.map_or(OpeningOrder::Random, |book| book.order),
            first_opening: book.map_or(0, |book| book.start.saturating_sub(1)),
        }
    }
}
