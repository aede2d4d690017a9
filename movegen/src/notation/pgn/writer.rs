//! Writes games in the export format of PGN.

use std::fmt::{self, Write as _};
use std::time::Duration;

use crate::notation::pgn::outcome::{Outcome, Termination};
use crate::notation::san::San;
use crate::position::{IllegalMove, Position};
use crate::types::{CastlingMode, Color, Move};

/// The length of the longest line of moves.
const LINE: usize = 79;

/// The tags that are written from fields of [`PgnGame`].
const OWN_TAGS: [&str; 13] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "Variant",
    "SetUp",
    "FEN",
    "TimeControl",
    "Termination",
    "PlyCount",
];

/// A game to write as PGN. Unlike [`Game`](crate::Game), it has players, times and comments.
///
/// ```
/// use epode_movegen::pgn::{PgnGame, Ply};
/// use epode_movegen::{IllegalMove, Move, Square};
///
/// let game = PgnGame {
///     event: "Test".to_owned(),
///     white: "A \"1\"".to_owned(),
///     plies: vec![Ply::new(Move::normal(Square::E2, Square::E4))],
///     ..PgnGame::default()
/// };
/// let text = game.export()?;
/// assert!(text.starts_with("[Event \"Test\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n"));
/// assert!(text.contains("\n[White \"A \\\"1\\\"\"]\n"));
/// assert!(text.ends_with("\n[PlyCount \"1\"]\n\n1. e4 *\n\n"));
/// # Ok::<(), IllegalMove>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame {
    /// The name of the event. In this field and the next five, an empty text means unknown.
    pub event: String,
    /// The place of the event.
    pub site: String,
    /// The date on which the game began, such as `2025.11.30`, in the local time of the event (decision
    /// 103).
    pub date: String,
    /// The round, such as `2.1`.
    pub round: String,
    /// The player of the white pieces.
    pub white: String,
    /// The player of the black pieces.
    pub black: String,
    /// The result; `None` if the game is unfinished or was abandoned.
    pub result: Option<Outcome>,
    /// The position before the first move.
    pub start: Position,
    /// The time control in the notation of PGN 9.6.1: `40/7200:3600`, `300+2`, `*60`.
    pub time_control: Option<String>,
    /// Why the game ended.
    pub termination: Option<Termination>,
    /// Other tags, in the order of output. Tags are skipped if the name is invalid (letters, digits and
    /// underscores are valid), belongs to one of the fields above, or is a repetition.
    pub tags: Vec<(String, String)>,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// A move with its annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The time that the mover has left after the move.
    pub clock: Option<Duration>,
    /// The time that the move took.
    pub elapsed: Option<Duration>,
    /// The mover's evaluation of the position after the move.
    pub eval: Option<Eval>,
    /// A comment.
    pub comment: Option<String>,
}

impl Ply {
    /// A move without annotations.
    #[must_use]
    pub const fn new(mv: Move) -> Self {
        Self {
            mv,
            clock: None,
            elapsed: None,
            eval: None,
            comment: None,
        }
    }

    /// The words of the comment after the move. A command is one word: no line break may split it.
    fn remarks(&self, is_mate: bool) -> Vec<String> {
        let mut remarks = Vec::new();
        let eval = self.eval.map(|eval| match eval {
            // The mate is on the board, whatever the engine's score was.
            _ if is_mate => Eval::Mate(0),
            eval => eval,
        });
        remarks.extend(eval.map(|eval| format!("[%eval {eval}]")));
        remarks.extend(self.clock.map(|clock| format!("[%clk {}]", hours(clock))));
        remarks.extend(
            self.elapsed
                .map(|elapsed| format!("[%emt {}]", hours(elapsed))),
        );
        let comment = self.comment.as_deref().unwrap_or_default();
        let readable: String = comment.chars().map(in_comment).collect();
        remarks.extend(readable.split_whitespace().map(str::to_owned));
        remarks
    }
}

/// An evaluation from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Centipawns; positive if White is better.
    Centipawns(i32),
    /// Mate in this many moves; positive if White mates.
    Mate(i32),
}

impl Eval {
    /// The highest score in centipawns. Higher scores are mate scores.
    const MOST_CENTIPAWNS: u32 = 32_000;
    /// The score of a mate in 0 plies. A mate in `n` plies has `MATE - n`.
    const MATE: u32 = 32_767;

    /// The evaluation of the position after a move, from the mover's score before the move. The score
    /// is on the scale of EPD's `ce`: centipawns, or 32767 minus the plies to mate. Scores beyond that
    /// scale become the highest score in centipawns.
    ///
    /// ```
    /// use epode_movegen::Color;
    /// use epode_movegen::pgn::Eval;
    ///
    /// // Mate in five plies including the move itself, so two moves after it.
    /// assert_eq!(Eval::after_move(32_762, Color::White), Eval::Mate(2));
    /// assert_eq!(Eval::after_move(-35, Color::Black), Eval::Centipawns(35));
    /// ```
    #[must_use]
    pub fn after_move(score: i32, mover: Color) -> Self {
        let sign = if mover == Color::White { 1 } else { -1 } * score.signum();
        match score.unsigned_abs() {
            size if size > Self::MOST_CENTIPAWNS && size < Self::MATE => {
                // The move itself is one ply. If it does not mate, the mate is at least one move away.
                let moves = (Self::MATE - size) / 2;
                Self::Mate(sign * moves.max(1) as i32)
            }
            size => Self::Centipawns(sign * size.min(Self::MOST_CENTIPAWNS) as i32),
        }
    }
}

/// Prints pawns (`-0.35`) or moves to mate (`#-3`).
impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(centipawns) => {
                let sign = if centipawns < 0 { "-" } else { "" };
                let size = centipawns.unsigned_abs();
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)
            }
            Self::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

impl PgnGame {
    /// The game as PGN, or an error if a move is illegal.
    pub fn export(&self) -> Result<String, IllegalMove> {
        let mut text = self.tag_section();
        text.push('\n');
        text.push_str(&self.movetext()?);
        text.push_str("\n\n");
        Ok(text)
    }

    fn result_text(&self) -> &'static str {
        self.result.map_or("*", Outcome::result)
    }

    fn tag_section(&self) -> String {
        let mut text = String::new();
        let mut add = |name: &str, value: &str| {
            let value: String = value.chars().flat_map(in_tag).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        for (name, value, unknown) in [
            ("Event", &self.event, "?"),
            ("Site", &self.site, "?"),
            ("Date", &self.date, "????.??.??"),
            ("Round", &self.round, "?"),
            ("White", &self.white, "?"),
            ("Black", &self.black, "?"),
        ] {
            add(name, if value.is_empty() { unknown } else { value });
        }
        add("Result", self.result_text());
        // Compare texts, because positions are equal even if their move counters differ.
        let start = self.start.to_string();
        if self.start.castling_mode() == CastlingMode::Chess960 {
            add("Variant", "Chess960");
        }
        if start != Position::start().to_string() {
            add("SetUp", "1");
            add("FEN", &start);
        }
        if let Some(time_control) = &self.time_control {
            add("TimeControl", time_control);
        }
        if let Some(termination) = self.termination {
            add("Termination", termination.value());
        }
        add("PlyCount", &self.plies.len().to_string());
        for (i, (name, value)) in self.tags.iter().enumerate() {
            let again = self.tags[..i].iter().any(|(earlier, _)| earlier == name);
            if is_tag_name(name) && !OWN_TAGS.contains(&name.as_str()) && !again {
                add(name, value);
            }
        }
        text
    }

    fn movetext(&self) -> Result<String, IllegalMove> {
        let mut lines = Lines::default();
        let mut position = self.start;
        let mut needs_number = true;
        for ply in &self.plies {
            if !position.is_legal(ply.mv) {
                return Err(IllegalMove(ply.mv));
            }
            let number = position.fullmove_number();
            match position.turn() {
                Color::White => lines.add(&format!("{number}.")),
                Color::Black if needs_number => lines.add(&format!("{number}...")),
                Color::Black => {}
            }
            lines.add(&San::of(&position, ply.mv));
            position.play(ply.mv);
            let is_mate = position.is_checkmate();
            let mut remarks = ply.remarks(is_mate);
            needs_number = !remarks.is_empty();
            if let Some(first) = remarks.first_mut() {
                first.insert(0, '{');
            }
            if let Some(last) = remarks.last_mut() {
                last.push('}');
            }
            for remark in &remarks {
                lines.add(remark);
            }
        }
        lines.add(self.result_text());
        Ok(lines.text)
    }
}

/// Text that is wrapped into lines of limited length.
#[derive(Default)]
struct Lines {
    text: String,
    /// The length of the last line.
    column: usize,
}

impl Lines {
    /// Adds a word, on the next line if it does not fit. Longer words than a line are split.
    fn add(&mut self, word: &str) {
        // `add_part` may put a space before the part.
        let letters: Vec<char> = word.chars().collect();
        for part in letters.chunks(LINE - 1) {
            self.add_part(part);
        }
    }

    fn add_part(&mut self, letters: &[char]) {
        if self.column > 0 {
            let fits = self.column + 1 + letters.len() <= LINE;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        // Readers skip a line that begins with `%` (PGN 6).
        if self.column == 0 && letters.first() == Some(&'%') {
            self.text.push(' ');
            self.column = 1;
        }
        self.text.extend(letters);
        self.column += letters.len();
    }
}

fn is_tag_name(name: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    !name.is_empty() && name.chars().all(is_letter)
}

/// A character of a tag value, escaped.
fn in_tag(letter: char) -> impl Iterator<Item = char> {
    let escape = matches!(letter, '"' | '\\').then_some('\\');
    let letter = if letter.is_control() { ' ' } else { letter };
    escape.into_iter().chain([letter])
}

/// A character of a comment, replaced if it cannot occur there.
fn in_comment(letter: char) -> char {
    match letter {
        '{' => '(',
        '}' => ')',
        letter if letter.is_control() => ' ',
        letter => letter,
    }
}

/// A time as `h:mm:ss` or `h:mm:ss.mmm`.
fn hours(time: Duration) -> impl fmt::Display {
    let seconds = time.as_secs();
    let thousandths = time.subsec_millis();
    fmt::from_fn(move |f| {
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        write!(f, "{hours}:{minutes:02}:{:02}", seconds % 60)?;
        if thousandths > 0 {
            write!(f, ".{thousandths:03}")?;
        }
        Ok(())
    })
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
