//! What an interface says, line by line.

use std::time::Duration;

use engine::{Clock, Limits};
use movegen::{Color, Coordinates, Game, Move, Position, Setup};

/// A line that means something.
#[derive(Debug)]
pub enum Command {
    Uci,
    IsReady,
    NewGame,
    Position(Box<Game>),
    SetOption(String, String),
    Go(Go),
    Stop,
    PonderHit,
    /// Not of the protocol: print the position.
    Show,
    Quit,
}

/// How long to think, and about what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// What White and Black have left.
    remaining: [Option<Duration>; 2],
    /// What their moves add.
    increment: [Duration; 2],
    /// The moves until more time is given.
    until_control: Option<u32>,
    move_time: Option<Duration>,
    depth: Option<usize>,
    nodes: Option<u64>,
    /// Moves to a mate.
    mate: Option<usize>,
    pub ponder: bool,
    /// The moves to choose from; all if there are none.
    pub moves: Vec<Move>,
}

impl Go {
    /// What the clock of the side to move shows, and what the move adds.
    pub fn clock(&self, turn: Color) -> Option<(Duration, Duration)> {
        let side = turn as usize;
        self.remaining[side].map(|remaining| (remaining, self.increment[side]))
    }

    /// What a search may spend for the side to move.
    pub fn limits(&self, turn: Color, overhead: Duration) -> Limits {
        let clock = self.clock(turn).map(|(remaining, increment)| Clock {
            remaining,
            increment,
            moves_to_go: self.until_control,
            overhead,
        });
        let mut limits = clock.map(|clock| clock.limits()).unwrap_or_default();
        if let Some(time) = self.move_time {
            let time = time.saturating_sub(overhead).max(Duration::from_millis(1));
            limits.hard_time = Some(limits.hard_time.map_or(time, |hard| hard.min(time)));
        }
        // A mate in so many moves shows at the latest in so many plies.
        let mate = self.mate.map(|moves| (4 * moves).clamp(1, engine::MAX_PLY));
        limits.depth = self.depth.or(mate);
        limits.nodes = self.nodes;
        limits
    }
}

impl Command {
    /// Reads a line; nothing if it is empty or not for us. Words before the first that is known are
    /// passed over, as the protocol asks for.
    pub fn read(line: &str, game: &Game) -> Result<Option<Self>, String> {
        let mut words = line.split_whitespace();
        let rest: Vec<_> = words.clone().collect();
        for (i, word) in rest.iter().enumerate() {
            words.next();
            let rest = &rest[i + 1..];
            return Ok(Some(match *word {
                "uci" => Self::Uci,
                "isready" => Self::IsReady,
                "ucinewgame" => Self::NewGame,
                "position" => Self::Position(Box::new(position(rest)?)),
                "setoption" => option(rest)?,
                "go" => Self::Go(go(rest, game.position())?),
                "stop" => Self::Stop,
                "ponderhit" => Self::PonderHit,
                "d" => Self::Show,
                "quit" => Self::Quit,
                "debug" | "register" => return Ok(None),
                _ => continue,
            }));
        }
        if rest.is_empty() {
            Ok(None)
        } else {
            Err(format!("unknown command: {}", rest.join(" ")))
        }
    }
}

fn position(words: &[&str]) -> Result<Game, String> {
    let (setup, moves) = match words.iter().position(|word| *word == "moves") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let start = match setup {
        ["startpos", ..] => Position::start(),
        ["fen", fields @ ..] => {
            let setup: Setup = fields
                .join(" ")
                .parse()
                .map_err(|error| format!("position: {error}"))?;
            Position::from_setup(&setup).map_err(|error| format!("position: {error}"))?
        }
        _ => return Err("position: expected startpos or fen".to_owned()),
    };
    let mut game = Game::new(start);
    for word in moves {
        let mv = coordinates(word, game.position())?;
        // It was found in this very position.
        let _ = game.play(mv);
    }
    Ok(game)
}

fn coordinates(word: &str, position: &Position) -> Result<Move, String> {
    let coordinates: Coordinates = word.parse().map_err(|error| format!("{word}: {error}"))?;
    coordinates
        .find(position)
        .map_err(|error| format!("{word}: {error}"))
}

/// `name <words> value <words>`
fn option(words: &[&str]) -> Result<Command, String> {
    let Some((&"name", words)) = words.split_first() else {
        return Err("setoption: expected name".to_owned());
    };
    let at = words
        .iter()
        .position(|word| *word == "value")
        .unwrap_or(words.len());
    let value = words.get(at + 1..).unwrap_or_default();
    Ok(Command::SetOption(words[..at].join(" "), value.join(" ")))
}

fn go(words: &[&str], position: &Position) -> Result<Go, String> {
    let mut go = Go::default();
    let mut words = words.iter().peekable();
    while let Some(&word) = words.next() {
        let mut number = || -> Result<i64, String> {
            let value = words
                .next()
                .ok_or_else(|| format!("go {word}: expected a number"))?;
            value
                .parse()
                .map_err(|_| format!("go {word}: {value:?} is no number"))
        };
        // Clocks of some interfaces show less than nothing.
        let milliseconds = |number: i64| Duration::from_millis(number.max(0) as u64);
        match word {
            "wtime" => go.remaining[0] = Some(milliseconds(number()?)),
            "btime" => go.remaining[1] = Some(milliseconds(number()?)),
            "winc" => go.increment[0] = milliseconds(number()?),
            "binc" => go.increment[1] = milliseconds(number()?),
            "movestogo" => go.until_control = Some(number()?.max(1) as u32),
            "movetime" => go.move_time = Some(milliseconds(number()?)),
            "depth" => go.depth = Some(number()?.clamp(1, engine::MAX_PLY as i64) as usize),
            "nodes" => go.nodes = Some(number()?.max(1) as u64),
            "mate" => go.mate = Some(number()?.max(1) as usize),
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let Some(mv) = words
                    .peek()
                    .and_then(|word| coordinates(word, position).ok())
                {
                    go.moves.push(mv);
                    words.next();
                }
            }
            // `infinite` sets no limit; of what is not known, none is known. Whoever asks waits for
            // a move all the same.
            _ => {}
        }
    }
    Ok(go)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Option<Command>, String> {
        Command::read(line, &Game::default())
    }

    fn limits(words: &str) -> Limits {
        match read(&format!("go {words}")) {
            Ok(Some(Command::Go(go))) => go.limits(Color::White, Duration::from_millis(10)),
            other => panic!("{words}: {other:?}"),
        }
    }

    #[test]
    fn lines_with_junk_are_understood() {
        assert!(matches!(read("  uci\r"), Ok(Some(Command::Uci))));
        assert!(matches!(read("joho debug on"), Ok(None)));
        assert!(matches!(read("please stop now"), Ok(Some(Command::Stop))));
        assert!(matches!(read(""), Ok(None)));
        assert_eq!(
            read("what is that").expect_err("junk"),
            "unknown command: what is that"
        );
    }

    #[test]
    fn positions() {
        let Ok(Some(Command::Position(game))) = read("position startpos moves e2e4 e7e5") else {
            panic!("a position");
        };
        assert_eq!(game.moves().len(), 2);
        let fen = "position fen 8/8/8/8/8/k7/8/K6R w - - 3 40 moves h1h2";
        let Ok(Some(Command::Position(game))) = read(fen) else {
            panic!("a position");
        };
        assert_eq!(game.position().halfmove_clock(), 4);
        for (line, why) in [
            ("position", "expected startpos or fen"),
            ("position fen 8/8 w - - 0 1", "ranks"),
            ("position fen 8/8/8/8/8/8/8/K7 w - - 0 1", "no black king"),
            ("position startpos moves e2e5", "e2e5"),
            ("position startpos moves x", "x"),
        ] {
            assert!(read(line).expect_err(line).contains(why), "{line}");
        }
    }

    #[test]
    fn limits_of_a_search() {
        assert_eq!(limits("infinite"), Limits::default());
        assert_eq!(limits("depth 7 nodes 500").depth, Some(7));
        assert_eq!(limits("nodes 500").nodes, Some(500));
        assert_eq!(
            limits("movetime 100").hard_time,
            Some(Duration::from_millis(90))
        );
        assert_eq!(limits("mate 3").depth, Some(12));
        let clock = limits("wtime 60000 btime -5 winc 1000 binc 0 movestogo 20");
        assert!(clock.fair_time.expect("set") > Duration::from_secs(1));
        assert!(limits("wtime -5 btime 100").hard_time.expect("set") <= Duration::from_millis(1));
        let Ok(Some(Command::Go(go))) = read("go searchmoves e2e4 d2d4 depth 3") else {
            panic!("a go");
        };
        assert_eq!((go.moves.len(), go.depth), (2, Some(3)));
        for line in ["go depth", "go depth x", "go mate"] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
