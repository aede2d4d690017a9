//! What the arbiter's orders change in the ledger. The same function does it when an order is given and
//! when the journal is read, so a resumed event knows what the other one knew.

use movegen::Color;

use crate::core::config::unknown_placeholder;
use crate::core::ending::{Ending, Reason};
use crate::core::event::ledger::{Ledger, Running};
use crate::core::event::order::{GivenOrder, Order};
use crate::core::schedule::Pairing;
use crate::core::secret::Secret;
use crate::core::standings::Replacement;

impl Ledger {
    /// Applies an order. It says why if the order cannot be carried out, and nothing has changed then.
    pub fn apply(&mut self, given: &GivenOrder) -> Result<(), String> {
        let reason = given.reason.clone();
        match &given.order {
            Order::Pause { game: None } => {
                let why = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
                self.paused = Some(format!("by order of the arbiter{why}"));
            }
            Order::Pause { game: Some(game) } => {
                self.in_progress(*game)?;
                if !self.held.insert(*game) {
                    return Err(format!("game {game} is paused already"));
                }
            }
            Order::Resume { game: None } => self.paused = None,
            Order::Resume { game: Some(game) } => {
                if !self.held.remove(game) {
                    return Err(format!("game {game} is not paused"));
                }
            }
            Order::Forfeit { player, game } => self.apply_forfeit(player, *game, reason)?,
            Order::Readmit { words } => {
                let player = self.entrant(&words.join(" "))?;
                if !self.readmit(player) {
                    return Err(format!("{} is not out of the event", self.names[player]));
                }
            }
            Order::Begin => match self.places_awaited() {
                0 => return Err("the first round waits for nobody".to_owned()),
                _ => self.growth.begin(),
            },
            Order::Replay { game } => self.apply_replay(*game)?,
            Order::Replace {
                player,
                name,
                command,
                token,
            } => {
                let new = (name.as_deref(), command.clone(), token.clone());
                self.apply_replace(player, new, reason.as_deref())?;
            }
            order => self.apply_to_game(order, reason)?,
        }
        Ok(())
    }

    /// Applies an order that changes a game in progress.
    fn apply_to_game(&mut self, order: &Order, reason: Option<String>) -> Result<(), String> {
        match order {
            Order::Adjudicate { game, result } => {
                self.in_progress(*game)?.decision = Some(Ending::decided(*result, reason));
            }
            Order::Abort { game } => {
                self.in_progress(*game)?.decision = Some(Ending::aborted(reason));
            }
            Order::Takeback { game, ply } => {
                let taken = self.in_progress(*game)?.take_back(*ply, reason.as_deref());
                taken.map_err(|why| format!("game {game} cannot go back to {ply}: {why}"))?;
            }
            Order::Extend {
                game,
                side,
                duration,
            } => {
                let running = self.in_progress(*game)?;
                check_clock(running)?;
                running.extend(*side, *duration, reason.as_deref());
            }
            Order::Reset { game } => {
                self.in_progress(*game)?;
            }
            // The others change nothing that the journal holds.
            _ => {}
        }
        Ok(())
    }

    fn in_progress(&mut self, game: usize) -> Result<&mut Running, String> {
        let running = self.running.get_mut(&game);
        running.ok_or_else(|| format!("no game {game} is in progress"))
    }

    /// The number of a player of this name.
    pub fn player(&self, name: &str) -> Result<usize, String> {
        let mut names = self.names.iter();
        let found = names.position(|other| other == name && !name.is_empty());
        found.ok_or_else(|| {
            let hint = match name.parse::<usize>() {
                Ok(number) => format!("; to send the moves of a game again: reset {number}"),
                Err(_) => String::new(),
            };
            format!("no player has the name {name:?}{hint}")
        })
    }

    /// The number of a player of this name that the journal knows.
    fn entrant(&self, name: &str) -> Result<usize, String> {
        let player = self.player(name)?;
        if !self.is_entrant(player) {
            return Err(format!(
                "{name} has not begun a game: its place is free again when it leaves (kick {name})"
            ));
        }
        Ok(player)
    }

    /// Lets a player who is out of the event play again. Returns whether it was out.
    fn readmit(&mut self, player: usize) -> bool {
        self.results.set_out(player, false);
        self.growth.look_again();
        self.out.remove(&player).is_some()
    }

    /// The players that the arbiter has put out of the event.
    pub fn players_out(&self) -> impl Iterator<Item = usize> {
        self.out.keys().copied()
    }

    fn apply_forfeit(
        &mut self,
        name: &str,
        game: Option<usize>,
        reason: Option<String>,
    ) -> Result<(), String> {
        let player = self.entrant(name)?;
        let Some(game) = game else {
            if self.out.contains_key(&player) {
                return Err(format!("{name} is out of the event already"));
            }
            self.out.insert(player, reason);
            self.results.set_out(player, true);
            self.growth.look_again();
            return Ok(());
        };
        let running = self.in_progress(game)?;
        let color = running.color_of(player);
        let color = color.ok_or_else(|| format!("{name} does not play in game {game}"))?;
        running.decision = Some(Ending::loss(color, Reason::Forfeited(reason)));
        Ok(())
    }

    fn apply_replay(&mut self, game: usize) -> Result<(), String> {
        let finished = self.is_finished(game);
        let pairing = self.pairing(game).filter(|_| finished);
        let pairing = pairing.ok_or_else(|| format!("game {game} is not finished"))?;
        let out = [pairing.white, pairing.black]
            .into_iter()
            .find(|player| self.out.contains_key(player));
        if let Some(player) = out {
            let name = &self.names[player];
            return Err(format!(
                "{name} is out of the event and would lose again: `readmit` or `replace` it first"
            ));
        }
        self.withdraw(game);
        Ok(())
    }

    /// A new entrant, or a new program, takes a player's place.
    fn apply_replace(
        &mut self,
        old: &str,
        (name, command, token): (Option<&str>, Option<String>, Option<Secret>),
        reason: Option<&str>,
    ) -> Result<(), String> {
        let player = self.entrant(old)?;
        if name.is_none() && command.is_none() {
            return Err(format!(
                "who replaces {old}? give the name of a new entrant, or --command for another program of {old}"
            ));
        }
        let name = name.unwrap_or(old).trim().to_owned();
        if name.is_empty() {
            return Err("a player cannot have an empty name".to_owned());
        }
        let mut others = self.names.iter().enumerate();
        if others.any(|(other, taken)| other != player && *taken == name) {
            return Err(format!("another player has the name {name:?}"));
        }
        if let Some(command) = &command
            && shell_words::split(command).map_or(true, |words| words.is_empty())
        {
            return Err(format!("{command:?} is not a command"));
        }
        if let Some(word) = command.as_deref().and_then(unknown_placeholder) {
            return Err(format!("{{{word}}} in the command is no placeholder"));
        }
        let instances = self.config.instances(player);
        if let Some(settings) = self.config.players.get_mut(player) {
            if settings.anchor.is_some() && settings.name != name {
                // The ratings of a ladder rest on it.
                return Err(format!(
                    "the rating of {old} is an anchor, which another player cannot take over; to put {old} out of \
                     the event: forfeit {old}"
                ));
            }
            if token.is_some() || settings.name != name {
                settings.token = token;
            }
            if settings.name != name {
                // Those of another program, and of another machine, say nothing about this one.
                (settings.rating, settings.speed) = (None, None);
            }
            settings.name.clone_from(&name);
            settings.command = command;
            // Its games go on at their places.
            settings.instances = Some(instances);
        } else if command.is_some() || token.is_some() {
            return Err(format!(
                "{old} is one of the `open_entries`, which have neither command nor token"
            ));
        }
        if name != old {
            self.replaced.push(Replacement {
                player,
                name: old.to_owned(),
                games: self.finished_games_of(player),
            });
        }
        self.readmit(player);
        for game in self.running.values_mut() {
            let Some(color) = game.color_of(player) else {
                continue;
            };
            game.disconnections[color as usize] = 0;
            let tag = match color {
                Color::White => "White",
                Color::Black => "Black",
            };
            game.referee.set_tag(tag, &name);
            if name != old {
                game.explain(&format!("{name} takes the place of {old}"), reason);
            }
        }
        self.names[player] = name;
        Ok(())
    }

    fn finished_games_of(&self, player: usize) -> usize {
        let finished = self.results.finished().keys();
        let pairings = finished.filter_map(|&number| self.pairing(number));
        pairings
            .filter(|pairing| pairing.white == player || pairing.black == player)
            .count()
    }

    /// Why the arbiter has paused the event, if so.
    #[must_use]
    pub fn paused(&self) -> Option<&str> {
        self.paused.as_deref()
    }

    /// Whether the arbiter has paused a game.
    #[must_use]
    pub fn is_held(&self, game: usize) -> bool {
        self.held.contains(&game)
    }

    /// How a game in progress ends by decision of the arbiter, if it does.
    #[must_use]
    pub fn decision(&self, number: usize) -> Option<Ending> {
        let game = self.running.get(&number)?;
        let decision = game.decision.clone();
        decision.or_else(|| self.forfeit_of(&game.pairing))
    }

    /// How a game ends of which a player is out of the event.
    fn forfeit_of(&self, pairing: &Pairing) -> Option<Ending> {
        let [white, black] = [pairing.white, pairing.black].map(|player| self.out.get(&player));
        let forfeited = |reason: &Option<String>| Reason::Forfeited(reason.clone());
        match (white, black) {
            (None, None) => None,
            (Some(reason), None) => Some(Ending::loss(Color::White, forfeited(reason))),
            (None, Some(reason)) => Some(Ending::loss(Color::Black, forfeited(reason))),
            (Some(reason), Some(_)) => Some(Ending::both_forfeit(reason.clone())),
        }
    }

    /// The first game that has not begun and that a player loses because it is out of the event.
    #[must_use]
    pub fn next_forfeit(&self) -> Option<Pairing> {
        if self.out.is_empty() || self.is_decided() {
            return None;
        }
        let mut left = self.schedule()[self.next..].iter();
        let is_lost = |pairing: &&Pairing| {
            [pairing.white, pairing.black]
                .iter()
                .any(|player| self.out.contains_key(player))
                && !self.has_begun(pairing)
        };
        left.find(is_lost).copied()
    }
}

/// Whether time can be added to the clocks of a game.
fn check_clock(game: &Running) -> Result<(), String> {
    use epd::protocol::time_control::TimeControl;
    // Those of both sides are of the same kind.
    let [control, _] = game.referee.clock().controls();
    match control {
        TimeControl::Stages(_) => Ok(()),
        TimeControl::Hourglass(_) => {
            Err("an hourglass cannot be extended: each side has what the other one used".to_owned())
        }
        TimeControl::None | TimeControl::Unknown => Err("the event has no time control".to_owned()),
    }
}
