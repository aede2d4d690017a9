//! Games as text: the export format of PGN.
//!
//! Written are the seven tags of the roster in their order, `SetUp` and `FEN` where a game does not
//! begin from the starting array, `TimeControl`, `Termination`, `PlyCount`, other tags as they were
//! given, a blank line, the moves in lines of fewer than 80 characters, the result, a blank line.
//! Thus texts of several games may be written one after the other.
//!
//! Clocks, times and evaluations stand in comments after the moves, as the commands that today's
//! readers know: `[%eval 0.35]` and `[%eval #-3]` (pawns, or moves to mate, from White's point of
//! view), `[%clk 0:04:59.250]` (what is left) and `[%emt 0:00:00.750]` (what the move took), in
//! hours, minutes and seconds; thousandths of a second are left out where there are none. As on
//! Lichess, an evaluation is that of the position after the move: the move that mates has `#0`.
//!
//! Whatever the texts that are given hold, the file stays readable: in tags quotes and backslashes
//! are escaped and control characters become blanks; in comments braces become brackets, and text is
//! broken at blanks, or within a word that no line can hold.

use std::fmt::{self, Write as _};
use std::time::Duration;

use crate::notation::san::San;
use crate::position::{IllegalMove, Position};
use crate::types::{Color, Move};

mod outcome;

pub use outcome::{Outcome, Termination};

/// The characters that a line of moves may have.
const LINE: usize = 79;

/// The tags that this module writes by itself.
const OWN_TAGS: [&str; 12] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "SetUp",
    "FEN",
    "TimeControl",
    "Termination",
    "PlyCount",
];

/// A game to be written.
///
/// ```
/// use epode_movegen::pgn::{Game, Ply};
/// use epode_movegen::{IllegalMove, Move, Square};
///
/// let game = Game {
///     event: "Test".to_owned(),
///     white: "A \"1\"".to_owned(),
///     plies: vec![Ply::new(Move::normal(Square::E2, Square::E4))],
///     ..Game::default()
/// };
/// let text = game.export()?;
/// assert!(text.starts_with("[Event \"Test\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n"));
/// assert!(text.contains("\n[White \"A \\\"1\\\"\"]\n"));
/// assert!(text.ends_with("\n[PlyCount \"1\"]\n\n1. e4 *\n\n"));
/// # Ok::<(), IllegalMove>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// The name of the event. Of this and the next five, an empty text stands for what is not known.
    pub event: String,
    /// Where it takes place.
    pub site: String,
    /// When the game began, as `2025.11.30`, in the local time of the event (decision 103).
    pub date: String,
    /// The round, as `2.1`.
    pub round: String,
    /// The player of the white pieces.
    pub white: String,
    /// The player of the black pieces.
    pub black: String,
    /// How it ended; `None` while it has not, or has been given up.
    pub result: Option<Outcome>,
    /// The position of the first move.
    pub start: Position,
    /// The time control, as PGN 9.6.1 writes it: `40/7200:3600`, `300+2`, `*60`.
    pub time_control: Option<String>,
    /// Why it ended.
    pub termination: Option<Termination>,
    /// Other tags, in the order in which they are to be written. Those that are no names of letters,
    /// digits and underscores, or are written anyway, or come again, are left out.
    pub tags: Vec<(String, String)>,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// A move and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The time that the mover has left after it.
    pub clock: Option<Duration>,
    /// The time that it took.
    pub elapsed: Option<Duration>,
    /// What the mover thinks of the position after it.
    pub eval: Option<Eval>,
    /// A remark.
    pub comment: Option<String>,
}

impl Ply {
    /// A move of which nothing else is known.
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

    /// What the comment after the move is made of; a command is not to be broken.
    fn remarks(&self, is_mate: bool) -> Vec<String> {
        let mut remarks = Vec::new();
        let eval = self.eval.map(|eval| match eval {
            // Whatever the engine expected, the mate is on the board.
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
    /// In hundredths of a pawn; positive if White is better.
    Centipawns(i32),
    /// Mate in so many moves; positive if White mates.
    Mate(i32),
}

impl Eval {
    /// The greatest score in centipawns; those beyond it tell of a mate.
    const MOST_CENTIPAWNS: u32 = 32_000;
    /// The score of a mate in no plies; one in `n` plies is `n` less.
    const MATE: u32 = 32_767;

    /// The evaluation of the position after a move, from the score that the mover had before it:
    /// centipawns, or 32767 less the plies to the mate (`ce` of EPD). A score beyond that scale
    /// counts as the greatest in centipawns.
    ///
    /// ```
    /// use epode_movegen::Color;
    /// use epode_movegen::pgn::Eval;
    ///
    /// // Mate in five plies, of which the move is the first: two moves later.
    /// assert_eq!(Eval::after_move(32_762, Color::White), Eval::Mate(2));
    /// assert_eq!(Eval::after_move(-35, Color::Black), Eval::Centipawns(35));
    /// ```
    #[must_use]
    pub fn after_move(score: i32, mover: Color) -> Self {
        let sign = if mover == Color::White { 1 } else { -1 } * score.signum();
        match score.unsigned_abs() {
            size if size > Self::MOST_CENTIPAWNS && size < Self::MATE => {
                // The move itself is one ply. A mate that it does not give is one move away at least.
                let moves = (Self::MATE - size) / 2;
                Self::Mate(sign * moves.max(1) as i32)
            }
            size => Self::Centipawns(sign * size.min(Self::MOST_CENTIPAWNS) as i32),
        }
    }
}

/// Prints pawns, `-0.35`, or moves to mate, `#-3`.
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

impl Game {
    /// The game as text. A move that is not legal is an error.
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
            // Nothing can fail in writing to a string.
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
        // Positions that differ in their counters alone are equal, but not the same start.
        let start = self.start.to_string();
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

/// Words in lines of limited length.
#[derive(Default)]
struct Lines {
    text: String,
    /// The characters of the last line.
    column: usize,
}

impl Lines {
    /// Adds a word that may be moved to the next line.
    fn add(&mut self, word: &str) {
        // One less than a line, so that there is room for the blank before a `%`.
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
        // A line that begins with this sign would not be read (PGN 6).
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

/// A letter of a tag's value as it is written.
fn in_tag(letter: char) -> impl Iterator<Item = char> {
    let escape = matches!(letter, '"' | '\\').then_some('\\');
    let letter = if letter.is_control() { ' ' } else { letter };
    escape.into_iter().chain([letter])
}

/// A letter of a comment as it is written.
fn in_comment(letter: char) -> char {
    match letter {
        '{' => '(',
        '}' => ')',
        letter if letter.is_control() => ' ',
        letter => letter,
    }
}

/// `h:mm:ss`, and `.mmm` unless that is zero.
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
mod tests;
