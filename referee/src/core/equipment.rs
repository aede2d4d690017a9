//! What players run on, as they say when they sign on (decision 145), and what a game keeps of it.

use epd::protocol::time_control::TimeControl;
use epd::protocol::{Message, printable};
use movegen::Color;
use serde::{Deserialize, Serialize};

use crate::core::time_control::{self, Control};

/// What a player runs on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Equipment {
    /// In words: processor, threads, size of the hash table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The speed in nodes a second, as `epode bench` prints it there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<u64>,
}

impl Equipment {
    /// What a player says when it signs on. The words are made fit for all files, as names are.
    #[must_use]
    pub fn of(sign_on: &Message) -> Self {
        Self {
            machine: sign_on
                .machine
                .as_deref()
                .map(|text| printable(text).into()),
            speed: sign_on.speed,
        }
    }

    /// Whether nothing is known.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.machine.is_none() && self.speed.is_none()
    }
}

/// What is known of a player, in words: `time control 20+0.2; AMD EPYC 7B13, 1 thread, 16 MiB; 500000 nodes/s`.
#[must_use]
pub fn in_words(equipment: &Equipment, own_time_control: Option<&Control>) -> Option<String> {
    let parts = [
        own_time_control.map(|control| format!("time control {}", control.0)),
        equipment.machine.clone(),
        equipment.speed.map(|speed| format!("{speed} nodes/s")),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// What is particular to White and Black since the beginning of their game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// What White and Black run on.
    #[serde(default, skip_serializing_if = "is_unknown")]
    pub equipment: [Equipment; 2],
    /// The time controls of White and Black, if either is not the event's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_controls: Option<[Control; 2]>,
}

fn is_unknown(equipment: &[Equipment; 2]) -> bool {
    equipment.iter().all(Equipment::is_empty)
}

/// The tags for each side.
const MACHINE: [&str; 2] = ["WhiteMachine", "BlackMachine"];
const SPEED: [&str; 2] = ["WhiteSpeed", "BlackSpeed"];

impl Conditions {
    /// The tags in PGN and in the journal.
    #[must_use]
    pub fn tags(&self) -> Vec<(String, String)> {
        let machines = MACHINE.into_iter().zip(&self.equipment);
        let machines = machines.filter_map(|(tag, side)| Some((tag, side.machine.clone()?)));
        let speeds = SPEED.into_iter().zip(&self.equipment);
        let speeds = speeds.filter_map(|(tag, side)| Some((tag, side.speed?.to_string())));
        let controls = self.time_controls.iter().flatten();
        let controls = controls.map(|control| control.0.to_string());
        let controls = time_control::TAGS.into_iter().zip(controls);
        let tags = controls.chain(machines).chain(speeds);
        tags.map(|(tag, value)| (tag.to_owned(), value)).collect()
    }

    /// What the tags in the journal say.
    pub fn of_tags(tag: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let equipment = |side: usize| {
            let speed = tag(SPEED[side]).map(|text| {
                let speed = text.parse::<u64>();
                speed.map_err(|_| format!("{}: {text:?} is not a number", SPEED[side]))
            });
            Ok::<_, String>(Equipment {
                machine: tag(MACHINE[side]),
                speed: speed.transpose()?,
            })
        };
        let control = |name| {
            let read = tag(name).map(|text| text.parse::<TimeControl>());
            let read = read
                .transpose()
                .map_err(|error| format!("{name}: {error}"))?;
            Ok::<_, String>(read.map(Control))
        };
        let [white, black] = time_control::TAGS.map(control);
        Ok(Self {
            equipment: [equipment(0)?, equipment(1)?],
            time_controls: white?.zip(black?).map(<[Control; 2]>::from),
        })
    }

    /// The time controls of White and Black in an event with this one.
    #[must_use]
    pub fn controls(&self, of_event: &TimeControl) -> [TimeControl; 2] {
        let own = self.time_controls.clone();
        own.map_or_else(
            || [of_event.clone(), of_event.clone()],
            |controls| controls.map(|Control(control)| control),
        )
    }

    /// What viewers are shown beside the name of a side, if anything is known.
    #[must_use]
    pub fn line(&self, side: Color) -> Option<String> {
        let own_time_control = self.time_controls.as_ref();
        let own_time_control = own_time_control.map(|controls| &controls[side as usize]);
        in_words(&self.equipment[side as usize], own_time_control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equipment(machine: Option<&str>, speed: Option<u64>) -> Equipment {
        Equipment {
            machine: machine.map(str::to_owned),
            speed,
        }
    }

    #[test]
    fn tags_say_what_is_known() {
        let controls = ["60+0.5", "40/66.667"].map(|text| Control(text.parse().expect(text)));
        for (white, black, time_controls) in [
            (equipment(None, None), equipment(None, None), None),
            (
                equipment(Some("abacus"), None),
                equipment(None, Some(7)),
                None,
            ),
            (
                equipment(Some("a"), Some(1)),
                equipment(Some("b"), Some(2)),
                Some(controls),
            ),
        ] {
            let conditions = Conditions {
                equipment: [white, black],
                time_controls,
            };
            let tags = conditions.tags();
            let tag = |name: &str| {
                let found = tags.iter().find(|(tag, _)| tag == name);
                found.map(|(_, value)| value.clone())
            };
            assert_eq!(Conditions::of_tags(tag), Ok(conditions.clone()));
            let json = serde_json::to_string(&conditions).expect("JSON");
            assert_eq!(
                serde_json::from_str::<Conditions>(&json).ok(),
                Some(conditions)
            );
        }
        assert_eq!(
            serde_json::to_string(&Conditions::default()).expect("JSON"),
            "{}"
        );
        let wrong = Conditions::of_tags(|tag| (tag == "BlackSpeed").then(|| "fast".to_owned()));
        assert_eq!(
            wrong,
            Err("BlackSpeed: \"fast\" is not a number".to_owned())
        );
        let wrong = Conditions::of_tags(|tag| (tag == "WhiteTimeControl").then(|| "x".to_owned()));
        let wrong = wrong.expect_err("no time control");
        assert!(
            wrong.starts_with("WhiteTimeControl: \"x\" is not a time control"),
            "{wrong}"
        );
    }

    #[test]
    fn equipment_in_words() {
        let control = Control("20+0.2".parse().expect("a time control"));
        for (machine, speed, control, text) in [
            (Some("abacus"), Some(7), None, Some("abacus; 7 nodes/s")),
            (None, Some(7), None, Some("7 nodes/s")),
            (
                Some("abacus"),
                None,
                Some(&control),
                Some("time control 20+0.2; abacus"),
            ),
            (None, None, None, None),
        ] {
            let words = in_words(&equipment(machine, speed), control);
            assert_eq!(words.as_deref(), text);
        }
    }
}
