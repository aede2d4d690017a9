//! Evaluations as bars: the part of the points that White may expect.

use std::iter::repeat_n;

use movegen::Color;
use ratatui::text::{Line, Span, Text};
use referee::event::view::GameView;

use super::text::{expected_score, for_white};
use super::theme::Theme;

/// Bars of 0 to 8 eighths of a line.
const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The most columns of the terminal for a half-move in a graph.
const MAX_COLUMN: usize = 3;

/// A column of so many lines, filled from below with White's part.
pub fn bar(eval: Option<i32>, lines: u16, theme: Theme) -> Text<'static> {
    let Some(eval) = eval else {
        return Text::default();
    };
    let lines = (0..lines).rev().map(|line| {
        let eighths = eighths(expected_score(eval), lines);
        Line::styled(filled(eighths, line).to_string(), theme.bar())
    });
    lines.collect()
}

/// The evaluations of both players during a game, each of the player that moved, in a graph of this size:
/// what is filled is White's part. A half-move without an evaluation is blank.
pub fn graph(
    game: &GameView,
    upto: Option<usize>,
    size: (u16, u16),
    theme: Theme,
) -> Text<'static> {
    let (width, height) = size;
    let columns = columns(game, upto, width.into());
    // Short games get wider columns.
    let wide = (usize::from(width) / columns.len().max(1)).clamp(1, MAX_COLUMN);
    let lines = (0..height).rev().map(|line| {
        let sign = |eval: &Option<i32>| {
            eval.map_or(' ', |eval| {
                filled(eighths(expected_score(eval), height), line)
            })
        };
        let signs = columns.iter().map(sign);
        let text: String = signs.flat_map(|sign| repeat_n(sign, wide)).collect();
        // What is not played yet is nobody's part.
        Line::from(Span::styled(text, theme.bar()))
    });
    lines.collect()
}

/// The evaluations that a graph of so many columns shows: of long games the strongest of each few moves.
fn columns(game: &GameView, upto: Option<usize>, width: usize) -> Vec<Option<i32>> {
    let start = game.start().turn();
    let moves = game.game.moves.iter();
    let moves = moves.filter(|half_move| upto.is_none_or(|upto| half_move.ply <= upto));
    let evals: Vec<_> = moves
        .map(|half_move| {
            let is_first_side = !half_move.ply.is_multiple_of(2);
            let side: Color = if is_first_side { start } else { !start };
            Some(for_white(half_move.eval?, side))
        })
        .collect();
    let each = evals.len().div_ceil(width.max(1)).max(1);
    let strongest = |evals: &[Option<i32>]| {
        let evals = evals.iter().copied().flatten();
        evals.max_by_key(|eval| eval.abs())
    };
    evals.chunks(each).map(strongest).collect()
}

/// The eighths of lines that a part of a column takes.
fn eighths(part: f64, lines: u16) -> u16 {
    (part * f64::from(8 * lines)).round() as u16
}

/// What a line of a column shows, counted from below, if so many eighths are filled.
fn filled(eighths: u16, line: u16) -> char {
    EIGHTHS[usize::from(eighths.saturating_sub(8 * line).min(8))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_show_the_part_of_white() {
        let theme = Theme::new(false);
        let bar = |eval| {
            let text = bar(Some(eval), 2, theme);
            let lines: Vec<_> = text.lines.iter().map(ToString::to_string).collect();
            lines.join("|")
        };
        assert_eq!(bar(0), " |█");
        assert_eq!(bar(191), "▄|█");
        assert_eq!(bar(32766), "█|█");
        assert_eq!(bar(-32766), " | ");
    }
}
