//! The event's SPRT in a line.

use ratatui::text::{Line, Span};
use referee::sprt::{SprtReport, SprtState};

use super::theme::Theme;

/// The ratio between its bounds, as numbers and as a bar.
pub fn line(report: &SprtReport, width: u16, theme: Theme) -> Line<'static> {
    let (word, style) = match report.state {
        SprtState::Continue => ("undecided", theme.dim()),
        SprtState::AcceptH0 => ("H0 accepted", theme.fault()),
        SprtState::AcceptH1 => ("H1 accepted", theme.good()),
    };
    let [lower, llr, upper] = [report.lower, report.llr, report.upper];
    let text = format!("SPRT  llr {llr:+.2} ({lower:.2} to {upper:.2})  {word}  ");
    // Two brackets around it.
    let room = usize::from(width).saturating_sub(text.chars().count() + 2);
    let mut spans = vec![
        Span::styled("SPRT", theme.heading()),
        Span::raw(text[4..text.len() - word.len() - 2].to_owned()),
        Span::styled(format!("{word}  "), style),
    ];
    if room >= 10 {
        spans.push(Span::raw(format!("[{}]", bar(report, room.min(60)))));
    }
    spans.into()
}

/// The ratio as a mark between its bounds, with 0 marked too.
fn bar(report: &SprtReport, width: usize) -> String {
    let place = |ratio: f64| {
        let part = (ratio - report.lower) / (report.upper - report.lower);
        (part.clamp(0.0, 1.0) * (width - 1) as f64).round() as usize
    };
    let (zero, llr) = (place(0.0), place(report.llr));
    let signs = (0..width).map(|column| match column {
        column if column == llr => '●',
        column if column == zero => '|',
        column if (zero.min(llr)..zero.max(llr)).contains(&column) => '━',
        _ => '·',
    });
    signs.collect()
}
