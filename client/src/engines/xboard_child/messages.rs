//! What an engine says, and the commands that take more than a word.

use std::fmt::Write as _;
use std::time::Duration;

use engine::Score;
use movegen::{
    CastlingMode, CastlingRights, Color, Move, MoveKind, Position, San, Square, UciMove, san,
};

use crate::engines::player::ClockState;

/// Scores from here on are mates in so many moves more than this.
const MATE: i64 = 100_000;
/// The longest mate that is believed.
const MOST_MATE: i64 = 380;

/// A line of an engine.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer<'l> {
    Move(&'l str),
    Thinking(Thinking),
    Resigns,
    OffersDraw,
    /// The engine holds the game to be over; the winner, if there is one.
    Result(Option<Color>),
    /// It does not accept a move, or a command that it must know.
    Refuses,
    Pong(&'l str),
    Other,
}

impl<'l> Answer<'l> {
    /// Reads a line that does not concern a search.
    pub fn read_reply(line: &'l str) -> Self {
        Self::read(line, &Position::start())
    }

    /// Reads a line while the engine thinks about a position.
    pub fn read(line: &'l str, position: &Position) -> Self {
        let words: Vec<_> = without_prompts(line).split_whitespace().collect();
        match words[..] {
            ["move", word] | [_, "...", word] => Self::Move(word),
            ["pong", number] => Self::Pong(number),
            ["resign", ..] | ["tellics", "resign"] => Self::Resigns,
            ["offer" | "tellics", "draw"] => Self::OffersDraw,
            ["1-0", ..] => Self::Result(Some(Color::White)),
            ["0-1", ..] => Self::Result(Some(Color::Black)),
            ["1/2-1/2", ..] => Self::Result(None),
            ["Illegal" | "illegal" | "Invalid", word, ..] if word.starts_with("move") => {
                refusal(line)
            }
            ["tellusererror", "Illegal" | "illegal", ..] => Self::Refuses,
            ["Error", ..] => refusal(line),
            _ => Thinking::read(&words, position).map_or(Self::Other, Self::Thinking),
        }
    }
}

/// A line without the prompts that GNU Chess writes before it: `White (1) : `.
fn without_prompts(mut line: &str) -> &str {
    while let Some((prompt, rest)) = line.split_once(" : ") {
        if !prompt.starts_with("White (") && !prompt.starts_with("Black (") {
            break;
        }
        line = rest;
    }
    line
}

/// A complaint about a command, which stands behind the colon. Old engines take commands that they do not
/// know for moves.
fn refusal(line: &str) -> Answer<'_> {
    const NEEDED: [&str; 6] = ["setboard", "usermove", "variant", "edit", "go", "analyze"];
    let command = line.rsplit(':').next().unwrap_or_default();
    let word = command.split_whitespace().next().unwrap_or_default();
    // The squares of a move, or SAN, such as `e2e4`, `e8=Q`, `Nf3`, `O-O`.
    let is_move = word.contains(|c: char| c.is_ascii_digit()) || word.starts_with("O-O");
    if is_move || NEEDED.contains(&word) {
        Answer::Refuses
    } else {
        Answer::Other
    }
}

/// A line of thinking output: `ply score time nodes pv`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Thinking {
    pub depth: usize,
    pub score: Score,
    pub nodes: u64,
    /// Empty if the line has no legal move.
    pub pv: Vec<Move>,
}

impl Thinking {
    /// Reads a line; none if it is no thinking output.
    fn read(words: &[&str], position: &Position) -> Option<Self> {
        let [depth, score, time, nodes, rest @ ..] = words else {
            return None;
        };
        // Some engines mark the depth: `9.`, `9&`.
        let digits = depth.trim_end_matches(|mark: char| !mark.is_ascii_digit());
        time.parse::<i64>().ok()?;
        Some(Self {
            depth: digits.parse().ok()?,
            score: read_score(score.parse().ok()?),
            nodes: nodes.parse::<i64>().ok()?.max(0) as u64,
            pv: line_of_play(rest, position),
        })
    }
}

/// Centipawns, or a mate in so many moves.
fn read_score(score: i64) -> Score {
    let moves = score.saturating_abs() - MATE;
    if (0..=MOST_MATE).contains(&moves) {
        let plies = 2 * moves as usize;
        return if score > 0 {
            Score::mate_in(plies.saturating_sub(1))
        } else {
            Score::mated_in(plies)
        };
    }
    let limit = i64::from(Score::ORDINARY_LIMIT);
    Score::ordinary(score.clamp(-limit, limit) as i32)
}

/// The legal moves at the beginning of a line. Numbers of moves, other numbers, brackets and marks are left
/// out; engines differ in these.
fn line_of_play(words: &[&str], position: &Position) -> Vec<Move> {
    let mut position = *position;
    let mut line = Vec::new();
    for word in words {
        // `1.`, `12...`, `1.e4`
        let after_number = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let word = match after_number.strip_prefix('.') {
            Some(rest) => rest.trim_start_matches('.'),
            None => word,
        };
        let word = word.trim_matches(|c: char| "(){}<>[],;.!?".contains(c));
        if word.chars().all(|c| c.is_ascii_digit()) {
            continue;
        }
        let Some(mv) = read_move(word, &position) else {
            break;
        };
        position.play(mv);
        line.push(mv);
    }
    line
}

/// A legal move in SAN or coordinates.
pub fn read_move(word: &str, position: &Position) -> Option<Move> {
    let uci_move = word.to_ascii_lowercase().parse::<UciMove>().ok();
    let found = uci_move.and_then(|uci_move| uci_move.find(position).ok());
    found.or_else(|| Some(san::parse_lenient(position, word).ok()?.0))
}

/// A move as it is sent, without `usermove`.
pub fn move_text(position: &Position, mv: Move, mode: CastlingMode, is_san: bool) -> String {
    // In Chess960 the squares of castling could be those of another move.
    let castles = mv.kind() == MoveKind::Castle && mode == CastlingMode::Chess960;
    if is_san || castles {
        let text = San::of(position, mv).to_string();
        // Old engines do not expect marks of check.
        return text.trim_end_matches(['+', '#']).to_owned();
    }
    UciMove::of(position, mv, CastlingMode::Standard).to_string()
}

/// `level MOVES BASE INCREMENT`, for a period of so many moves (0: for the whole game) that begins with the
/// remaining time.
pub fn level_command(moves: u32, clock_state: &ClockState, turn: Color) -> String {
    // A few milliseconds may have passed since the referee told the time.
    let remaining = clock_state.remaining[turn as usize] + Duration::from_millis(50);
    let base = remaining.as_secs().max(1);
    let (minutes, seconds) = (base / 60, base % 60);
    let mut command = format!("level {moves} {minutes}");
    if seconds > 0 {
        let _ = write!(command, ":{seconds:02}");
    }
    // Whole numbers have no fraction: old engines expect none.
    let increment = clock_state.increment[turn as usize].as_secs_f64();
    let _ = write!(command, " {increment}");
    command
}

/// Time in hundredths of a second.
pub fn centiseconds(time: Duration) -> u128 {
    (time.as_millis() / 10).max(1)
}

/// The commands of version 1 that set up a position on the board after `new`; none if they cannot express
/// it, because castling rights follow from the squares and there is no en passant.
pub fn edit_commands(position: &Position) -> Option<Vec<String>> {
    let setup = position.setup();
    let on_squares = CastlingRights::each().map(|(right, ..)| right);
    let on_squares = on_squares.filter(|&right| setup.castling_fault(right).is_none());
    let is_usual = setup.castling_mode == CastlingMode::Standard
        && setup.castling == on_squares.collect::<CastlingRights>()
        && setup.en_passant.is_none();
    if !is_usual {
        return None;
    }
    let mut commands = Vec::new();
    if position.turn() == Color::Black {
        // The side to move is that after any move.
        commands.push("a2a3".to_owned());
    }
    commands.extend(["edit", "#"].map(str::to_owned));
    for color in [Color::White, Color::Black] {
        let pieces = Square::all().filter_map(|square| Some((square, position.piece_at(square)?)));
        let pieces = pieces.filter(|(_, piece)| piece.color() == color);
        commands.extend(pieces.map(|(square, piece)| {
            let letter = piece.to_char().to_ascii_uppercase();
            format!("{letter}{square}")
        }));
        commands.push(if color == Color::White { "c" } else { "." }.to_owned());
    }
    Some(commands)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: ClockState = ClockState {
        remaining: [Duration::from_mins(1), Duration::from_millis(90_500)],
        increment: [Duration::ZERO, Duration::from_millis(1500)],
        moves_to_go: None,
    };

    #[test]
    fn levels() {
        assert_eq!(level_command(40, &MINUTE, Color::White), "level 40 1 0");
        assert_eq!(level_command(0, &MINUTE, Color::Black), "level 0 1:30 1.5");
        let blitz = ClockState {
            remaining: [Duration::from_millis(100); 2],
            increment: [Duration::from_millis(100); 2],
            moves_to_go: None,
        };
        assert_eq!(level_command(0, &blitz, Color::White), "level 0 0:01 0.1");
        assert_eq!(centiseconds(Duration::from_millis(90_509)), 9050);
        assert_eq!(centiseconds(Duration::ZERO), 1);
    }

    #[test]
    fn answers() {
        let start = Position::start();
        for (line, expected) in [
            ("move e2e4", Answer::Move("e2e4")),
            ("1. ... Nf3", Answer::Move("Nf3")),
            ("White (1) : Black (1) : move e4", Answer::Move("e4")),
            ("pong 7", Answer::Pong("7")),
            ("resign", Answer::Resigns),
            ("offer draw", Answer::OffersDraw),
            ("1-0 {Black resigns}", Answer::Result(Some(Color::White))),
            ("1/2-1/2 {repetition}", Answer::Result(None)),
            ("Illegal move: e2e5", Answer::Refuses),
            ("Invalid move: sd 6", Answer::Other),
            ("Invalid move:", Answer::Other),
            ("Illegal move (pinned): e2e5", Answer::Refuses),
            ("tellusererror Illegal position", Answer::Refuses),
            ("Error (unknown command): setboard 8/8", Answer::Refuses),
            ("Error (unknown command): easy", Answer::Other),
            ("My move is: e2e4", Answer::Other),
            ("tellics set 1 An engine", Answer::Other),
            ("# 1 2 3 4 e4", Answer::Other),
            ("", Answer::Other),
        ] {
            assert_eq!(Answer::read(line, &start), expected, "{line}");
        }
    }

    /// Lines of Crafty, GNU Chess, Phalanx, Sjeng, Fairy-Max and an engine with the longer form.
    #[test]
    fn thinking_output() {
        let start = Position::start();
        for (line, depth, score, nodes, pv) in [
            (
                "     16     30      85 2238813 1. Nf3 Nc6 2. Nc3",
                16,
                30,
                2_238_813,
                3,
            ),
            ("6 +18 2 18831 Nf3 Nc6 d4", 6, 18, 18_831, 3),
            (
                "  0      0     0        0  (Ng1-f3  Nb1-c3  , book1)",
                0,
                0,
                0,
                1,
            ),
            (" 2       1     1      165  d4 !", 2, 1, 165, 1),
            (" 3  -6 1 539  d4 d5 <Nf3> ", 3, -6, 539, 3),
            ("5&\t12\t3\t800\t1.e4 e5 2.Nf3", 5, 12, 800, 3),
            ("9 -40 3 1000 12 333000 0\te2e4 e7e5", 9, -40, 1000, 2),
            ("7 100003 3 1000 e2e4", 7, 32_762, 1000, 1),
            ("7 -100002 3 1000 e2e4", 7, -32_763, 1000, 1),
            ("7 999999 3 1000 e2e4", 7, 30_000, 1000, 1),
            ("7 5 3 1000 e2e5", 7, 5, 1000, 0),
        ] {
            let Answer::Thinking(read) = Answer::read(line, &start) else {
                panic!("no thinking output: {line}");
            };
            let found = (read.depth, read.score.ce(), read.nodes, read.pv.len());
            assert_eq!(found, (depth, score, nodes, pv), "{line}");
        }
    }

    #[test]
    fn moves_are_written() {
        let fen = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1";
        let position: Position = fen.parse().expect(fen);
        for (word, mode, plain, san) in [
            ("e1g1", CastlingMode::Standard, "e1g1", "O-O"),
            ("e1h1", CastlingMode::Chess960, "O-O", "O-O"),
            ("a7a8q", CastlingMode::Chess960, "a7a8q", "a8=Q"),
        ] {
            let mv = read_move(word, &position).expect(word);
            assert_eq!(move_text(&position, mv, mode, false), plain);
            assert_eq!(move_text(&position, mv, mode, true), san);
        }
    }

    #[test]
    fn boards_are_edited() {
        let commands = |fen: &str| edit_commands(&fen.parse().expect(fen));
        let edited = commands("4k3/p7/8/8/8/8/8/R3K3 b Q - 0 1").expect("usual");
        let expected = ["a2a3", "edit", "#", "Ra1", "Ke1", "c", "Pa7", "Ke8", "."];
        assert_eq!(edited, expected);
        for fen in [
            // A rook at home without its right, and en passant.
            "4k3/p7/8/8/8/8/8/R3K3 w - - 0 1",
            "4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1",
        ] {
            assert_eq!(commands(fen), None, "{fen}");
        }
    }
}
