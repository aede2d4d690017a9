//! Clocks. `page.js` lets them run on between two events.

use jiff::{Timestamp, Unit};
use maud::{Markup, html};
use movegen::Color;

use super::replay::{Scene, side_name};

/// Below this time a clock shows tenths of a second.
const TENTHS_BELOW: f64 = 20_000.0;

/// A time as clocks show it: `1:02:03`, `2:03`, `0:09.4`.
pub fn text(milliseconds: f64) -> String {
    let tenths = (milliseconds.max(0.0) / 100.0) as u64;
    let (hours, minutes, seconds) = (tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else if milliseconds < TENTHS_BELOW {
        format!("{minutes}:{seconds:02}.{}", tenths % 10)
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// The time for a move in words: `0.35 s`, `12 s`, `1:05`.
pub fn duration(milliseconds: f64) -> String {
    match milliseconds / 1000.0 {
        seconds if seconds < 9.95 => format!("{seconds:.1}\u{a0}s"),
        seconds if seconds < 59.5 => format!("{seconds:.0}\u{a0}s"),
        _ => text(milliseconds.max(TENTHS_BELOW)),
    }
}

/// For how long the clock of the side to move has been running at a time.
fn turn_ms(scene: &Scene<'_>, now: Option<Timestamp>) -> Option<f64> {
    let view = scene.replay.view;
    let before = view.game.turn_ms?;
    let at: Timestamp = view.at.parse().ok()?;
    let since = now?.since(at).ok()?.total(Unit::Millisecond).ok()?;
    Some(before + since.max(0.0))
}

/// The clock of a side. Without a time control, that of the side to move counts up.
pub fn clock(scene: &Scene<'_>, side: Color, now: Option<Timestamp>) -> Markup {
    let view = scene.replay.view;
    let label = format!("{}\u{2019}s clock", side_name(side));
    if !scene.is_last() {
        let remaining = scene
            .last_of(side)
            .and_then(|step| step.played?.remaining_ms);
        return html! {
            @if let Some(remaining) = remaining {
                span.clock role="timer" aria-label=(label) { (text(remaining)) }
            }
        };
    }
    let turn = turn_ms(scene, now).filter(|_| view.end.is_none() && view.turn() == side);
    let remaining = view.game.clocks_ms[side as usize];
    let present = match (remaining, turn) {
        (Some(remaining), turn) => remaining - turn.unwrap_or(0.0),
        (None, Some(turn)) => turn,
        (None, None) => return html! {},
    };
    let direction = turn.map(|_| if remaining.is_some() { "down" } else { "up" });
    html! {
        span.clock.running[turn.is_some()] role="timer" aria-label=(label) data-side=(side_name(side))
            data-ms=(format!("{present:.0}")) data-runs=[direction] {
            (text(present))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_show_what_matters() {
        for (milliseconds, expected) in [
            (-40.0, "0:00.0"),
            (9_460.0, "0:09.4"),
            (19_999.0, "0:19.9"),
            (20_000.0, "0:20"),
            (125_900.0, "2:05"),
            (3_723_000.0, "1:02:03"),
        ] {
            assert_eq!(text(milliseconds), expected);
        }
        for (milliseconds, expected) in [
            (49.0, "0.0\u{a0}s"),
            (350.0, "0.3\u{a0}s"),
            (9_949.0, "9.9\u{a0}s"),
            (9_960.0, "10\u{a0}s"),
            (65_000.0, "1:05"),
        ] {
            assert_eq!(duration(milliseconds), expected);
        }
    }
}
