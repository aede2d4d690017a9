//! The table that a run prints on a terminal instead of records: one line per position.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Duration;

use console::{Alignment, Style, Term, measure_text_width, pad_str};
use engine::Score;
use epd::Record;

use crate::engines::SearchResult;
use crate::text;

/// The columns of a terminal that does not say how many it has.
const USUAL_WIDTH: usize = 80;
/// The columns of ids: the fewest, and the most where there is room.
const ID_WIDTH: (usize, usize) = (16, 32);
const MARK_WIDTH: usize = 7;
/// The space between columns.
const GAP: &str = "  ";

/// Whether a position was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Solved,
    Missed,
    Mate,
    NoMate,
    Skipped,
    Undecided,
}

impl Mark {
    fn text(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Missed => "missed",
            Self::Mate => "mate",
            Self::NoMate => "no mate",
            Self::Skipped => "skipped",
            Self::Undecided => "open",
        }
    }

    fn style(self) -> Style {
        match self {
            Self::Solved | Self::Mate => Style::new().green(),
            Self::Missed => Style::new().red(),
            Self::Undecided => Style::new().yellow(),
            Self::NoMate | Self::Skipped => Style::new(),
        }
    }
}

/// The line of a position, without its number and id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub mark: Option<Mark>,
    /// The move, or nothing.
    pub best: String,
    pub score: Option<Score>,
    pub depth: Option<u64>,
    pub time: Option<Duration>,
    /// The last column, as wide as there is room.
    pub note: String,
}

impl Row {
    /// The row of a result; the move is taken from its record.
    pub fn of(record: &Record, result: &SearchResult) -> Self {
        let best = result.best.map(|_| operands(record, "pv"));
        let best = best.unwrap_or_default();
        let searched = result.best.is_some();
        Self {
            mark: None,
            best: best.split(' ').next().unwrap_or_default().to_owned(),
            score: result.evaluation(),
            depth: searched.then_some(result.depth).filter(|&depth| depth > 0),
            time: Some(result.time),
            note: String::new(),
        }
    }

    /// The row of a position without a move.
    pub fn without_move(mark: Mark, time: Option<Duration>) -> Self {
        Self {
            mark: Some(mark),
            time,
            ..Self::default()
        }
    }
}

/// The operands of an operation, with spaces between; nothing if the record does not have it.
pub fn operands(record: &Record, opcode: &str) -> String {
    let operands = record.get(opcode).map(|operation| &operation.operands[..]);
    let operands = operands.unwrap_or_default();
    let texts: Vec<_> = operands.iter().map(epd::Operand::text).collect();
    texts.join(" ")
}

/// The column headings of a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The column of marks; none for a verb that has none.
    pub mark: Option<&'static str>,
    /// The last column.
    pub note: &'static str,
}

/// The table, printed line by line.
#[derive(Debug)]
pub struct Screen {
    heading: Heading,
    width: usize,
    /// The lines so far, which are the numbers of the positions.
    lines: usize,
}

impl Screen {
    /// A table as wide as the terminal.
    pub fn new(heading: Heading) -> Self {
        let width = Term::stdout().size_checked();
        let width = width.map_or(USUAL_WIDTH, |(_, columns)| usize::from(columns));
        Self {
            heading,
            width,
            lines: 0,
        }
    }

    /// Prints the line of the next record: what it came to, or why it was not analysed.
    pub fn print(&mut self, record: &str, row: Result<&Row, &str>) -> io::Result<()> {
        let record: Option<Record> = record.parse().ok();
        let id = record.as_ref().map(|record| operands(record, "id"));
        let id = id.unwrap_or_default();
        let mut text = String::new();
        if self.lines == 0 {
            text = Style::new().bold().apply_to(self.top()).to_string();
            text.push('\n');
        }
        self.lines += 1;
        text += &self.line(&id, row);
        let mut stdout = io::stdout();
        writeln!(stdout, "{text}")?;
        stdout.flush()
    }

    fn id_width(&self) -> usize {
        let (least, most) = ID_WIDTH;
        (least + self.width.saturating_sub(USUAL_WIDTH)).min(most)
    }

    fn top(&self) -> String {
        let mut text = format!("{:>4}{GAP}", "#");
        text += &left("id", self.id_width());
        if let Some(mark) = self.heading.mark {
            text += &left(mark, MARK_WIDTH);
        }
        text += &columns("move", "score", "depth", "time");
        text += GAP;
        text += self.heading.note;
        text
    }

    fn line(&self, id: &str, row: Result<&Row, &str>) -> String {
        let mut text = format!("{:>4}{GAP}", self.lines);
        text += &left(&middle_cut(id, self.id_width()), self.id_width());
        let row = match row {
            Ok(row) => row,
            Err(why) => return text + why,
        };
        if self.heading.mark.is_some() {
            let (mark, style) = row
                .mark
                .map_or(("", Style::new()), |mark| (mark.text(), mark.style()));
            let _ = write!(text, "{}", style.apply_to(left(mark, MARK_WIDTH)));
        }
        text += &columns(
            if row.best.is_empty() { "-" } else { &row.best },
            &row.score.map(score).unwrap_or_default(),
            &row.depth.map(|depth| depth.to_string()).unwrap_or_default(),
            &row.time.map(seconds).unwrap_or_default(),
        );
        let room = self
            .width
            .saturating_sub(measure_text_width(&text) + GAP.len());
        if room > 0 {
            text += GAP;
            text += &pad_str(&row.note, room, Alignment::Left, Some("…"));
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// A text at the left of its column, and the gap to the next.
fn left(text: &str, width: usize) -> String {
    format!("{}{GAP}", pad_str(text, width, Alignment::Left, Some("…")))
}

/// The columns that all verbs have.
fn columns(best: &str, score: &str, depth: &str, time: &str) -> String {
    format!("{}{score:>7}{GAP}{depth:>5}{GAP}{time:>8}", left(best, 7))
}

/// Shortens a long id in the middle: its number is at the end.
fn middle_cut(id: &str, width: usize) -> Cow<'_, str> {
    let letters: Vec<char> = id.chars().collect();
    if measure_text_width(id) <= width || letters.len() <= width {
        return id.into();
    }
    let tail = (width - 1) / 2;
    let (head, tail) = (
        &letters[..width - 1 - tail],
        &letters[letters.len() - tail..],
    );
    head.iter()
        .chain(&['…'])
        .chain(tail)
        .collect::<String>()
        .into()
}

/// A score in pawns for the side to move, or the moves to mate.
fn score(score: Score) -> String {
    let moves = score.mate_plies().map(|plies| plies.div_ceil(2));
    match (moves, score.ce()) {
        (Some(0), _) => "mated".to_owned(),
        (Some(moves), 0..) => format!("#{moves}"),
        (Some(moves), _) => format!("#-{moves}"),
        (None, 0) => "0.00".to_owned(),
        (None, centipawns) => format!("{:+.2}", f64::from(centipawns) / 100.0),
    }
}

/// A readable time of at most eight characters.
fn seconds(time: Duration) -> String {
    let decimals = if time < Duration::from_secs(100) {
        2
    } else {
        0
    };
    text::seconds(time, decimals)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(width: usize, mark: Option<&'static str>) -> Screen {
        let heading = Heading { mark, note: "line" };
        Screen {
            heading,
            width,
            lines: 1,
        }
    }

    #[test]
    fn lines_fit_eighty_columns() {
        let row = Row {
            mark: Some(Mark::Undecided),
            best: "Qa1xb2+".to_owned(),
            score: Some(Score::ordinary(-29_999)),
            depth: Some(127),
            time: Some(Duration::from_secs(99_999)),
            note: "a1=Q+ b1=Q+ c1=Q+ d1=Q+".to_owned(),
        };
        let id = "STS(v10.0) Simplification.001";
        for (mark, note) in [
            (Some("result"), "a1=Q+ b1=Q+…"),
            (None, "a1=Q+ b1=Q+ c1=Q+ d1…"),
        ] {
            let screen = screen(80, mark);
            let line = screen.line(id, Ok(&row));
            assert_eq!(measure_text_width(&line), 80, "{line}");
            assert!(line.starts_with("   1  STS(v10.…ion.001"), "{line}");
            assert!(line.ends_with(note), "{line}");
            assert!(measure_text_width(&screen.top()) <= 80);
            // Each heading is above its column.
            let plain = console::strip_ansi_codes(&line).into_owned();
            let place =
                |text: &str, word: &str| text.find(word).map(|at| text[..at].chars().count());
            assert_eq!(place(&screen.top(), "move"), place(&plain, "Qa1xb2+"));
            assert_eq!(place(&screen.top(), "line"), place(&plain, "a1=Q+"));
        }
        // A wide terminal shows the whole id.
        assert!(screen(100, None).line(id, Ok(&row)).contains(id));
        // A narrow terminal shows no notes.
        assert!(screen(20, None).line(id, Ok(&row)).ends_with("99999 s"));
        let line = screen(80, None).line("x", Err("illegal position"));
        assert_eq!(line, "   1  x                 illegal position");
    }

    #[test]
    fn numbers_for_people() {
        for (value, expected) in [
            (Score::DRAW, "0.00"),
            (Score::ordinary(31), "+0.31"),
            (Score::ordinary(-1240), "-12.40"),
            (Score::mate_in(5), "#3"),
            (Score::mated_in(4), "#-2"),
            (Score::CHECKMATED, "mated"),
        ] {
            assert_eq!(score(value), expected);
        }
        for (milliseconds, expected) in [(0, "0.00 s"), (99_990, "99.99 s"), (100_400, "100 s")] {
            assert_eq!(seconds(Duration::from_millis(milliseconds)), expected);
        }
    }
}
