//! The log of an event, in words.

use crate::core::equipment::in_words;
use crate::core::event::stream::{LogKind, LogLine, Report};

impl LogLine {
    /// The line of an event. Moves and clocks have none.
    pub(super) fn of(report: &Report, at: &str) -> Option<Self> {
        let (kind, game, text) = of_connection(report).or_else(|| of_event(report))?;
        Some(Self {
            at: at.to_owned(),
            kind,
            game,
            text,
        })
    }
}

/// The kind of a line, its game and its text.
type Words = (LogKind, Option<usize>, String);

/// What is told of connections and programs.
fn of_connection(report: &Report) -> Option<Words> {
    Some(match report {
        Report::SignOn {
            player,
            equipment,
            time_control,
            ..
        } => {
            let known = in_words(equipment, time_control.as_ref());
            let known = known.map_or_else(String::new, |words| format!(" ({words})"));
            let text = format!("{player} has signed on{known}");
            (LogKind::Note, None, text)
        }
        Report::Lost {
            player,
            game,
            disconnections,
            max_disconnections,
        } => {
            let count = match (disconnections, max_disconnections) {
                (Some(count), Some(limit)) => format!(" ({count} of {limit})"),
                _ => String::new(),
            };
            let text = format!("{player} is disconnected{count}");
            (LogKind::Fault, *game, text)
        }
        Report::Exit { player, status } => (
            LogKind::Fault,
            None,
            format!("The program of {player} has ended: {status}"),
        ),
        Report::Refused { peer, name, why } => {
            let name = name
                .as_ref()
                .map_or_else(String::new, |name| format!(" ({name})"));
            let text = format!("{peer}{name} was turned away: {why}");
            (LogKind::Fault, None, text)
        }
        Report::MoreRefused { count } => (
            LogKind::Fault,
            None,
            format!("{count} more connections were turned away"),
        ),
        Report::PassedOver { player, text } => (
            LogKind::Fault,
            None,
            format!("A record of {player} was ignored: {text}"),
        ),
        _ => return None,
    })
}

/// What is told of the event and its games.
fn of_event(report: &Report) -> Option<Words> {
    Some(match report {
        Report::Start(start) => (
            LogKind::Note,
            None,
            format!("The referee of {} has started", start.name),
        ),
        Report::Note { game, text } => (LogKind::Note, *game, text.clone()),
        Report::Result {
            game,
            white,
            black,
            result,
            reason,
            verdict,
            ..
        } => {
            let kind = match verdict {
                Some(_) => LogKind::Fault,
                None => LogKind::Result,
            };
            let text = format!("{white} - {black} {result}: {reason}");
            (kind, Some(*game), text)
        }
        Report::Order {
            order,
            reason,
            by,
            is_refused,
            why,
        } => {
            let by = by.as_deref().unwrap_or("the arbiter");
            let reason = reason
                .as_ref()
                .map_or_else(String::new, |reason| format!(" ({reason})"));
            let refused = match (is_refused, why) {
                (false, _) => String::new(),
                (true, Some(why)) => format!(": refused, {why}"),
                (true, None) => ": refused".to_owned(),
            };
            let text = format!("{order}, by {by}{reason}{refused}");
            (LogKind::Order, None, text)
        }
        Report::Replaced { name, replaced } => (
            LogKind::Order,
            None,
            format!("{name} takes the place of {}", replaced.name),
        ),
        Report::Withdrawn { game, text } => (
            LogKind::Order,
            Some(*game),
            format!("The result is cancelled: {text}"),
        ),
        Report::Paused { why } => (
            LogKind::Fault,
            None,
            format!("No new games are started: {why}"),
        ),
        Report::Resumed => (
            LogKind::Note,
            None,
            "New games are started again".to_owned(),
        ),
        Report::End { why } => (LogKind::Note, None, format!("The referee has ended: {why}")),
        Report::Paired { meetings, .. } if meetings.len() > 1 => (
            LogKind::Note,
            None,
            format!("Round {} is paired", meetings[0].round),
        ),
        Report::Snapshot(_)
        | Report::Paired { .. }
        | Report::Out { .. }
        | Report::SignOn { .. }
        | Report::Lost { .. }
        | Report::Exit { .. }
        | Report::Refused { .. }
        | Report::MoreRefused { .. }
        | Report::PassedOver { .. }
        | Report::Game(_)
        | Report::Clock { .. }
        | Report::Move { .. }
        | Report::Thinking { .. } => return None,
    })
}
