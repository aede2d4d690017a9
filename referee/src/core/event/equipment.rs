//! Players say what they run on, and each game keeps what was so when it began.

use epd::protocol::Message;
use movegen::Color;

use crate::core::equipment::{Conditions, Equipment, in_words};
use crate::core::event::interface::{Effect, SeatId};
use crate::core::event::machine::Event;
use crate::core::event::stream::Report;
use crate::core::text::shown;
use crate::core::time_control::Control;

const COLORS: [Color; 2] = [Color::White, Color::Black];

impl Event {
    /// A player says what it runs on when it signs on.
    pub(super) fn note_equipment(&mut self, seat: SeatId, sign_on: &Message) {
        self.seats[seat].equipment = Equipment::of(sign_on);
    }

    /// What the player of a seat runs on. The speed in the event file counts more than what it says.
    fn equipment_of(&self, seat: SeatId) -> Equipment {
        let place = &self.seats[seat];
        let settings = self.ledger.config().players.get(place.player);
        let speed = settings.and_then(|player| player.speed);
        Equipment {
            machine: place.equipment.machine.clone(),
            speed: speed.or(place.equipment.speed),
        }
    }

    /// The time control of a player with this equipment, if it is not the event's.
    fn own_time_control(&self, equipment: &Equipment) -> Option<Control> {
        let config = self.ledger.config();
        let control = config.time_control_of(equipment.speed);
        (control != config.time_control.0).then_some(Control(control))
    }

    /// Tells that a player has signed on: how, in words, from where, and what it runs on.
    pub(super) fn report_sign_on(&mut self, seat: SeatId, how: &str, peer: String) {
        let player = self.name_of(seat);
        let equipment = self.equipment_of(seat);
        let time_control = self.own_time_control(&equipment);
        let known = in_words(&equipment, time_control.as_ref());
        let known = known.map_or_else(String::new, |words| format!(": {words}"));
        self.say(format!("{player} {how}{known}"));
        let name = self.ledger.names()[self.seats[seat].player].clone();
        if self.ledger.set_equipment(&name, &equipment) {
            self.effects.push(Effect::Standings);
        }
        self.report(Report::SignOn {
            player,
            peer,
            equipment,
            time_control,
        });
    }

    /// The conditions of a game that begins on these seats.
    pub(super) fn conditions_of(&self, seats: [SeatId; 2]) -> Conditions {
        let equipment = seats.map(|seat| self.equipment_of(seat));
        let own = equipment.each_ref().map(|side| self.own_time_control(side));
        let of_event = || self.ledger.config().time_control.clone();
        let is_same = own.iter().all(Option::is_none);
        Conditions {
            equipment,
            time_controls: (!is_same).then(|| own.map(|own| own.unwrap_or_else(of_event))),
        }
    }

    /// Tells the time controls of a game that begins, if they are not the event's.
    pub(super) fn tell_time_controls(&mut self, number: usize) {
        let Some(game) = self.ledger.running().get(&number) else {
            return;
        };
        let Some([white, black]) = &game.conditions.time_controls else {
            return;
        };
        let names = COLORS.map(|color| shown(&self.ledger.names()[game.player_of(color)]));
        let text = format!(
            "time is normalised: {} has {}, {} has {}",
            names[0], white.0, names[1], black.0
        );
        self.say(format!("game {number}: {text}"));
        self.report(Report::Note {
            game: Some(number),
            text,
        });
    }
}
