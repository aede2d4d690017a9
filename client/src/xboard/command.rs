//! The commands of an interface.

use std::time::Duration;

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub enum Command<'l> {
    /// The interface speaks version 2 or later, and wants to know the features.
    Protocol,
    New,
    Variant(&'l str),
    Quit,
    Force,
    Go,
    /// Play the side that is not to move.
    PlayOther,
    /// So many moves (0: all) in this time, with an increment for each move.
    Level(u32, Duration, Duration),
    FixedTime(Duration),
    FixedDepth(usize),
    /// So many nodes count as a second; 0 for real time.
    NodeRate(u64),
    /// The time of the engine, and that of its opponent.
    Time(Duration),
    OtherTime(Duration),
    Move(&'l str),
    MoveNow,
    Ping(&'l str),
    DrawOffer,
    Result,
    SetBoard(&'l str),
    Undo,
    /// Undo the last two moves.
    Remove,
    Hard,
    Easy,
    Post,
    NoPost,
    Analyze,
    Exit,
    /// Tell how far the analysis is.
    Status,
    Memory(u32),
    Cores(u32),
    /// Where the endgame tables of a kind are.
    TablebasePath(&'l str, &'l str),
    Option(&'l str, &'l str),
    /// Nothing follows from it.
    Ignored,
}

/// Why a line is no command, in the words of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault(pub &'static str);

impl<'l> Command<'l> {
    /// Reads a line; an empty one is ignored. Moves may come without `usermove`, as `e2e4`.
    pub fn read(line: &'l str) -> Result<Self, Fault> {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        let fault = Fault("expected a number");
        Ok(match word {
            "protover" => Self::Protocol,
            "new" => Self::New,
            "variant" => Self::Variant(rest),
            "quit" => Self::Quit,
            "force" => Self::Force,
            "go" => Self::Go,
            "playother" => Self::PlayOther,
            "level" => level(rest).ok_or(Fault("expected MOVES MINUTES[:SECONDS] INCREMENT"))?,
            "st" => Self::FixedTime(seconds(rest).ok_or(fault)?),
            "sd" => Self::FixedDepth(rest.parse().map_err(|_| fault)?),
            "nps" => Self::NodeRate(rest.parse().map_err(|_| fault)?),
            "time" => Self::Time(centiseconds(rest).ok_or(fault)?),
            "otim" => Self::OtherTime(centiseconds(rest).ok_or(fault)?),
            "usermove" => Self::Move(rest),
            "?" => Self::MoveNow,
            "ping" => Self::Ping(rest),
            "draw" => Self::DrawOffer,
            "result" => Self::Result,
            "setboard" => Self::SetBoard(rest),
            "undo" => Self::Undo,
            "remove" => Self::Remove,
            "hard" => Self::Hard,
            "easy" => Self::Easy,
            "post" => Self::Post,
            "nopost" => Self::NoPost,
            "analyze" => Self::Analyze,
            "exit" => Self::Exit,
            "." => Self::Status,
            "egtpath" => {
                let (kind, path) = rest.split_once(' ').ok_or(Fault("expected KIND PATH"))?;
                Self::TablebasePath(kind, path.trim())
            }
            "memory" => Self::Memory(rest.parse().map_err(|_| fault)?),
            "cores" => Self::Cores(rest.parse().map_err(|_| fault)?),
            "option" => {
                let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
                Self::Option(name.trim(), value.trim())
            }
            "" | "xboard" | "accepted" | "rejected" | "random" | "computer" | "name" | "rating"
            | "ics" | "hint" | "bk" | "pause" | "resume" => Self::Ignored,
            _ if rest.is_empty() && looks_like_a_move(word) => Self::Move(word),
            _ => return Err(Fault("unknown command")),
        })
    }
}

/// `e2e4`, `e7e8q`, `O-O`
fn looks_like_a_move(word: &str) -> bool {
    match word.as_bytes() {
        [
            b'a'..=b'h',
            b'1'..=b'8',
            b'a'..=b'h',
            b'1'..=b'8',
            promotion @ ..,
        ] => promotion.len() <= 1,
        _ => ["O-O", "O-O-O"].contains(&word),
    }
}

/// `40 5 0`, `0 0:30 1`, `0 2 0.5`
fn level(text: &str) -> Option<Command<'_>> {
    let mut words = text.split_whitespace();
    let moves = words.next()?.parse().ok()?;
    let base = words.next()?;
    let (minutes, rest) = base.split_once(':').unwrap_or((base, "0"));
    let base = seconds(minutes)? * 60 + seconds(rest)?;
    let increment = seconds(words.next()?)?;
    words
        .next()
        .is_none()
        .then_some(Command::Level(moves, base, increment))
}

/// At most a year, so that sums cannot overflow.
fn seconds(text: &str) -> Option<Duration> {
    const MOST: f64 = 366.0 * 86_400.0;
    let seconds: f64 = text.parse().ok()?;
    (0.0..=MOST)
        .contains(&seconds)
        .then(|| Duration::from_secs_f64(seconds))
}

/// A negative time is that of a player whose flag has fallen.
fn centiseconds(text: &str) -> Option<Duration> {
    let hundredths: i64 = text.parse().ok()?;
    Some(Duration::from_millis(
        hundredths.clamp(0, 3_000_000_000) as u64 * 10,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let ms = Duration::from_millis;
        for (line, expected) in [
            ("usermove e2e4", Command::Move("e2e4")),
            ("e7e8q", Command::Move("e7e8q")),
            ("level 40 5 0", Command::Level(40, ms(300_000), ms(0))),
            ("level 0 0:30 1", Command::Level(0, ms(30_000), ms(1000))),
            ("level 0 2 0.1", Command::Level(0, ms(120_000), ms(100))),
            ("st 5", Command::FixedTime(ms(5000))),
            ("time 1234", Command::Time(ms(12_340))),
            ("otim -5", Command::OtherTime(ms(0))),
            ("option Clear Hash", Command::Option("Clear Hash", "")),
            ("option Elo = 1500", Command::Option("Elo", "1500")),
            ("setboard 8/8 w - -", Command::SetBoard("8/8 w - -")),
            (" ping  7 ", Command::Ping("7")),
            ("accepted ping", Command::Ignored),
            ("", Command::Ignored),
        ] {
            assert_eq!(Command::read(line), Ok(expected), "{line}");
        }
        for (line, fault) in [
            ("frobnicate", "unknown command"),
            ("e2e4 e7e5", "unknown command"),
            ("sd x", "expected a number"),
            ("st -1", "expected a number"),
            ("st 1e99", "expected a number"),
            ("level 40 5", "expected MOVES MINUTES[:SECONDS] INCREMENT"),
            ("level 0 x 0", "expected MOVES MINUTES[:SECONDS] INCREMENT"),
        ] {
            assert_eq!(Command::read(line), Err(Fault(fault)), "{line}");
        }
    }
}
