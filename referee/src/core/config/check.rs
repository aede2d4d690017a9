//! Whether the settings of an event fit together, and its openings fit its players.

use std::time::Duration;

use movegen::Position;

use super::player::Dialect;
use super::{Config, ConfigError, player, unknown_placeholder};
use crate::core::openings::Opening;
use crate::core::schedule;

impl Config {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        for (i, player) in self.players.iter().enumerate() {
            if player.name.trim().is_empty() {
                return Err(ConfigError::NoName);
            }
            if player.name.trim() != player.name {
                return Err(ConfigError::SpaceAtEnd(player.name.clone()));
            }
            if let Some(word) = player.command.as_deref().and_then(unknown_placeholder) {
                return Err(ConfigError::Placeholder(
                    player.name.clone(),
                    word.to_owned(),
                ));
            }
            if self.players[..i]
                .iter()
                .any(|other| other.name == player.name)
            {
                return Err(ConfigError::TwoNames(player.name.clone()));
            }
        }
        if self.concurrency == 0 {
            return Err(ConfigError::Concurrency);
        }
        if self.openings.as_ref().is_some_and(|book| book.start == 0) {
            return Err(ConfigError::OpeningStartZero);
        }
        if let Some(player) = self
            .players
            .iter()
            .find(|player| player.instances == Some(0))
        {
            return Err(ConfigError::Instances(player.name.clone()));
        }
        player::check(&self.players)?;
        self.check_growing()?;
        self.check_speeds()?;
        if self.rules.ping < Duration::from_secs(1) {
            return Err(ConfigError::Ping);
        }
        if let Some(observer) = &self.observer {
            observer.check().map_err(ConfigError::Observer)?;
        }
        if self.adjudication.mode.is_some() && self.adjudication.tablebases.is_none() {
            return Err(ConfigError::Mode);
        }
        schedule::schedule(&self.pairings(1))?;
        if let Some(sprt) = &self.sprt {
            sprt.test().map_err(ConfigError::Sprt)?;
            if self.player_count() != 2 {
                return Err(ConfigError::SprtPlayers(self.player_count()));
            }
        }
        Ok(())
    }

    /// Checks that all players can play these openings, and that there are as many as the event begins with.
    pub fn check_openings(&self, openings: &[Opening]) -> Result<(), ConfigError> {
        let start = self.openings.as_ref().map_or(1, |book| book.start);
        if start > openings.len() {
            return Err(ConfigError::OpeningStart(start, openings.len()));
        }
        let mut players = self.players.iter();
        let kit = players.find(|player| player.dialect == Dialect::Kit);
        let placed = openings
            .iter()
            .position(|opening| opening.start != Position::start());
        match (kit, placed) {
            (Some(player), Some(opening)) => {
                Err(ConfigError::KitOpening(player.name.clone(), opening + 1))
            }
            _ => Ok(()),
        }
    }
}
