//! What the players of a game are told: the commands and what they say.

use std::time::Duration;

use epd::protocol::time_control::TimeControl;
use epd::protocol::{Command, Message, PlayerActions};
use epd::time::{Clock, MillisecondClock};
use movegen::Color;
use smol_str::SmolStr;

use super::GameReferee;
use crate::core::ending::Ending;
use crate::core::time_control;

impl GameReferee {
    /// The command that starts or restarts the game for a side (decisions 26 and 28).
    #[must_use]
    pub fn reset(&self) -> Command {
        let mut content = Message::with_counters(self.game.start());
        self.add_clocks(&mut content, [Duration::ZERO; 2]);
        Command::Reset(content)
    }

    /// The tags for a side, at the current position.
    #[must_use]
    pub fn tags(&self, color: Color) -> Command {
        Command::Inform(Message {
            tags: self.tags_for(color),
            ..Message::at(self.game.position())
        })
    }

    /// The tags for a side. Where time is normalised, `TimeControl` is its own, and two more tags have those
    /// of both sides.
    fn tags_for(&self, color: Color) -> Vec<(SmolStr, SmolStr)> {
        let mut tags = self.tags.clone();
        let controls = self.clock.controls().each_ref();
        let controls = controls.map(|control| SmolStr::from(control.to_string()));
        let of_event = tags.iter_mut().find(|(tag, _)| tag == "TimeControl");
        if let Some((_, control)) = of_event
            && controls.iter().any(|own| own != control)
        {
            control.clone_from(&controls[color as usize]);
            let sides = time_control::TAGS.map(SmolStr::new_static).into_iter();
            tags.extend(sides.zip(controls));
        }
        tags
    }

    /// The commands that follow a reset: the tags, and the moves so far. The side to move gets the last
    /// move when it is asked (decisions 91 to 93).
    #[must_use]
    pub fn history(&self, color: Color) -> Vec<Command> {
        let mut commands = vec![Command::Inform(Message {
            tags: self.tags_for(color),
            ..Message::at(self.game.start())
        })];
        let moves = self.game.moves();
        let asked_with_last = color == self.game.position().turn();
        let last = moves.len() - usize::from(asked_with_last && !moves.is_empty());
        let mut position = *self.game.start();
        for &mv in &moves[..last] {
            let mut content = Message::with_counters(&position).playing(mv);
            self.add_clocks(&mut content, self.clock.told());
            commands.push(Command::Execute(content));
            position.play(mv);
        }
        commands
    }

    /// The last move and the position before it; without a move, the position alone.
    pub(super) fn position_and_last_move(&self) -> Message {
        let mut content = match (self.before, self.game.moves().last()) {
            (Some((before, repetitions)), Some(&last)) => Message {
                // `rc` is sent from the second occurrence of a position on (decision 60).
                repetitions: (repetitions >= 2).then_some(repetitions),
                ..Message::with_counters(&before).playing(last)
            },
            _ => Message::with_counters(self.game.position()),
        };
        self.add_clocks(&mut content, self.clock.told());
        content.actions = self.relayed & (PlayerActions::OFFER_DRAW | PlayerActions::REJECT_DRAW);
        content
    }

    /// The commands that end the game: the result, then conclude. All tags are sent, in PGN's order,
    /// because the standard author's own client reads the result from the full roster only
    /// (decisions 31 to 34).
    pub(super) fn result_commands(&self, ending: &Ending, color: Color) -> Vec<Command> {
        let position = self.game.position();
        let mut tags = self.tags_for(color);
        let result: SmolStr = ending.result_tag().into();
        match tags.iter_mut().find(|(tag, _)| tag == "Result") {
            Some((_, value)) => *value = result,
            None => tags.push((SmolStr::new_static("Result"), result)),
        }
        let termination = ending.termination().to_string().into();
        tags.push((SmolStr::new_static("Termination"), termination));
        let inform = Message {
            tags,
            ..Message::with_counters(position)
        };
        let mut conclude = Message::with_counters(position);
        self.add_clocks(&mut conclude, self.clock.told());
        vec![
            Command::Inform(inform.saying(&ending.to_string())),
            Command::Conclude(conclude),
        ]
    }

    fn add_clocks(&self, content: &mut Message, used: [Duration; 2]) {
        // Both sides have a clock, or neither has.
        let [control, _] = self.clock.controls();
        if matches!(control, TimeControl::None | TimeControl::Unknown) {
            return;
        }
        let [white, black] = used;
        // Whole seconds are rounded up for old clients; `ctcc` has the milliseconds (decisions 86, 88).
        content.clocks = Some((Clock::rounded_up(white), Clock::rounded_up(black)));
        content.chess_clocks = Some((MillisecondClock::new(white), MillisecondClock::new(black)));
    }
}
