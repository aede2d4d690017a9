//! Names, clocks and evaluations as short texts.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use movegen::Color;
use referee::event::stream::HalfMove;
use referee::event::view::{End, EventView, GameView};
use referee::text::shown;
use unicode_width::UnicodeWidthStr as _;

/// An evaluation (`ce`) beyond which it is the number of half-moves to a mate.
const MATE: i32 = 32767;
/// Evaluations of mates are within so many half-moves of [`MATE`].
const MAX_MATE: i32 = 1000;

/// A text from a player, safe on a terminal.
pub fn safe(text: &str) -> String {
    shown(text)
}

/// A text in so many columns of the terminal: cut off, or filled with blanks.
pub fn fit(text: &str, width: usize) -> String {
    let text = cut(text, width);
    let blanks = width.saturating_sub(text.width());
    text + &" ".repeat(blanks)
}

/// A safe text of at most so many columns.
pub fn cut(text: &str, width: usize) -> String {
    let mut text = shown(text);
    if text.width() <= width {
        return text;
    }
    while text.width() + 1 > width {
        if text.pop().is_none() {
            return text;
        }
    }
    text.push('…');
    text
}

/// A safe text in lines of at most so many columns, broken at blanks.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in shown(text).split(' ').filter(|word| !word.is_empty()) {
        let line = lines.last_mut().expect("there is one");
        if line.is_empty() {
            line.push_str(word);
        } else if line.width() + 1 + word.width() <= columns {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.into_iter().map(|line| cut(&line, columns)).collect()
}

/// The columns that a text takes.
pub fn width(text: &str) -> usize {
    shown(text).width()
}

/// The time that a side has left at this moment, in milliseconds.
pub fn time_left(game: &GameView, side: Color, now: Timestamp) -> Option<f64> {
    let left = game.game.clocks_ms[side as usize]?;
    Some((left - thinking_time(game, side, now).unwrap_or(0.0)).max(0.0))
}

/// For how long the clock of a side has been running, in milliseconds; `None` if it does not.
pub fn thinking_time(game: &GameView, side: Color, now: Timestamp) -> Option<f64> {
    let before = game.game.turn_ms?;
    if game.end.is_some() || game.game.is_paused || game.turn() != side {
        return None;
    }
    let since: Timestamp = game.at.parse().ok()?;
    let since = now.duration_since(since).max(SignedDuration::ZERO);
    Some(before + since.as_millis_f64())
}

/// A clock: `1:02:03`, `4:59`, and with tenths in the last 20 seconds.
pub fn clock(left: Option<f64>) -> String {
    let Some(left) = left else {
        return "-".to_owned();
    };
    let seconds = (left / 1000.0) as u64;
    if seconds < 20 {
        // Never more than there is.
        return format!("{:.1}", (left / 100.0).floor() / 10.0);
    }
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// An evaluation of a side, as White sees it.
pub const fn for_white(eval: i32, side: Color) -> i32 {
    match side {
        Color::White => eval,
        Color::Black => -eval,
    }
}

/// An evaluation in pawns, or the moves to a mate: `+0.25`, `#3`, `#-2`.
pub fn evaluation(eval: i32) -> String {
    let plies = MATE - eval.abs();
    if plies <= MAX_MATE {
        let sign = if eval < 0 { "-" } else { "" };
        return format!("#{sign}{}", (plies + 1) / 2);
    }
    format!("{:+.2}", f64::from(eval) / 100.0)
}

/// The score that White may expect, from 0 to 1.
pub fn expected_score(eval: i32) -> f64 {
    1.0 / (1.0 + 10f64.powf(-f64::from(eval) / 400.0))
}

/// The side that made a half-move of a game.
pub fn mover(game: &GameView, half_move: &HalfMove) -> Color {
    let is_even = half_move.ply.is_multiple_of(2);
    let start = game.start().turn();
    if is_even { !start } else { start }
}

/// A half-move with its number: `12. Nf3`, `12... Nf6`.
pub fn numbered(game: &GameView, half_move: &HalfMove) -> String {
    let start = game.start();
    let plies = half_move.ply.saturating_sub(1) + usize::from(start.turn() == Color::Black);
    let number = usize::from(start.fullmove_number()) + plies / 2;
    let dots = match mover(game, half_move) {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{number}{dots} {}", safe(&half_move.san))
}

/// The last evaluation of a side, as White sees it.
pub fn last_evaluation(game: &GameView, side: Color) -> Option<i32> {
    let mut moves = game.game.moves.iter().rev();
    let last = moves.find(|half_move| mover(game, half_move) == side)?;
    Some(for_white(last.eval?, side))
}

/// The name of a side's player.
pub fn name(game: &GameView, side: Color) -> &str {
    match side {
        Color::White => &game.game.white,
        Color::Black => &game.game.black,
    }
}

/// How a game ended, without repeating who won: `1-0 checkmate`.
pub fn result(end: &End) -> String {
    let result = match &*end.result {
        "1/2-1/2" => "½-½",
        other => other,
    };
    let reason = end.reason.split_once(": ");
    let reason = reason.map_or(&*end.reason, |(_, reason)| reason);
    format!("{result} {reason}")
}

/// Points with halves: `5½`.
pub fn points(points: f64) -> String {
    let whole = points.floor();
    match (whole, points > whole) {
        (0.0, true) => "½".to_owned(),
        (_, true) => format!("{whole}½"),
        (_, false) => whole.to_string(),
    }
}

/// The name of a player by its number.
pub fn player(view: &EventView, player: usize) -> &str {
    match view.names.get(player).map(String::as_str) {
        None | Some("") => "(anyone)",
        Some(name) => name,
    }
}

/// A short time: `0.4 s`, `12 s`, `3:05`.
pub fn duration(milliseconds: f64) -> String {
    let seconds = milliseconds / 1000.0;
    match seconds {
        ..10.0 => format!("{seconds:.1} s"),
        ..60.0 => format!("{seconds:.0} s"),
        _ => clock(Some(milliseconds)),
    }
}

/// A count in at most four characters or so: `950`, `12.3k`, `4.5M`.
pub fn count(number: u64) -> String {
    let number = number as f64;
    match number {
        ..1e3 => format!("{number}"),
        ..1e6 => format!("{:.1}k", number / 1e3),
        ..1e9 => format!("{:.1}M", number / 1e6),
        _ => format!("{:.1}G", number / 1e9),
    }
}

/// The local time of day of an event.
pub fn time_of_day(at: &str, zone: &TimeZone) -> String {
    match at.parse::<Timestamp>() {
        Ok(at) => at.to_zoned(zone.clone()).strftime("%H:%M:%S").to_string(),
        Err(_) => cut(at, 8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fit_their_columns() {
        for (text, width, expected) in [
            ("Ann", 5, "Ann  "),
            ("Ann", 3, "Ann"),
            ("Anna", 3, "An…"),
            ("王者之剑", 8, "王者之剑"),
            // Half a character cannot be shown.
            ("王者之剑", 6, "王者… "),
            ("王", 1, "…"),
            ("a\u{1b}[31m\u{202e}b", 9, "a?[31m?b "),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
            ("x", 0, ""),
        ] {
            assert_eq!(fit(text, width), expected, "{text:?} in {width}");
        }
    }

    #[test]
    fn long_texts_are_broken_at_blanks() {
        assert_eq!(wrapped("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrapped("王者之剑 x", 6), ["王者…", "x"]);
        assert_eq!(wrapped("", 6), [""]);
    }

    #[test]
    fn clocks_and_evaluations() {
        for (left, expected) in [
            (0.0, "0.0"),
            (99.0, "0.0"),
            (19_990.0, "19.9"),
            (20_000.0, "0:20"),
            (299_999.0, "4:59"),
            (3_723_000.0, "1:02:03"),
        ] {
            assert_eq!(clock(Some(left)), expected);
        }
        assert_eq!(clock(None), "-");
        for (eval, expected) in [
            (0, "+0.00"),
            (-1234, "-12.34"),
            (32766, "#1"),
            (32762, "#3"),
            (-32765, "#-1"),
            (30000, "+300.00"),
        ] {
            assert_eq!(evaluation(eval), expected);
        }
        for (number, expected) in [(999, "999"), (1500, "1.5k"), (2_340_000, "2.3M")] {
            assert_eq!(count(number), expected);
        }
    }
}
