//! What the benches share: their positions, the programs that some of them run, and what those take.

use std::fs;
use std::path::PathBuf;

/// A position with the number of leaves at a depth.
pub struct Perft {
    /// What it is called in reports.
    pub name: &'static str,
    /// The position.
    pub fen: &'static str,
    /// The depth to count at.
    pub depth: u32,
    /// The count (<https://www.chessprogramming.org/Perft_Results>).
    pub leaves: u64,
}

const fn perft(name: &'static str, fen: &'static str, depth: u32, leaves: u64) -> Perft {
    Perft {
        name,
        fen,
        depth,
        leaves,
    }
}

/// The positions by which generators are compared.
pub const PERFTS: [Perft; 6] = [
    perft(
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        6,
        119_060_324,
    ),
    perft(
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
    perft(
        "endgame",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        7,
        178_633_661,
    ),
    perft(
        "position-4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
    perft(
        "position-5",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 0 1",
        5,
        89_941_194,
    ),
    perft(
        "position-6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 1",
        5,
        164_075_551,
    ),
];

/// Positions as a search meets them: openings, middlegames with and without a check, endgames.
pub const POSITIONS: [&str; 12] = [
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "r1bqk2r/2ppbppp/p1n2n2/1p2p3/4P3/1B3N2/PPPP1PPP/RNBQR1K1 b kq - 1 7",
    "r2q1rk1/pb1nbppp/1pp1pn2/3p4/2PP1B2/2N1PN1P/PPQ1BPP1/R4RK1 w - - 0 11",
    "2rq1rk1/1b2bppp/pn2pn2/1p2N3/3P4/P1NB4/1P2QPPP/R1BR2K1 b - - 3 15",
    "r4rk1/pp2ppbp/2nqb1p1/8/3PB3/2N2N1P/PP3PP1/R2QR1K1 b - - 0 16",
    "3r1rk1/p4pp1/1p2p2p/2q1P3/2b2P2/2N2Q1P/PP4P1/3R1RK1 w - - 2 24",
    // In check, and with pieces pinned.
    "r3k2r/pbp2ppp/1pn1pn2/3q4/1b1P4/2N1PN2/PPQB1PPP/R3KB1R w KQkq - 4 10",
    "2r3k1/pp3ppp/4b3/3p4/8/1P2PN2/P2q1PPP/R2R2K1 w - - 0 21",
    "4r1k1/5ppp/8/2B5/8/4nP2/PP4PP/3RK3 w - - 0 30",
    // A few pieces.
    "8/5pk1/R5p1/7p/7P/6PK/r4P2/8 w - - 0 40",
    "8/2k2p2/1p4p1/pP1bP2p/P2B1P1P/3K2P1/8/8 b - - 5 48",
    "8/1P4k1/8/5K2/8/8/1r5p/7R w - - 0 60",
];

/// Records of EPD in normal form: the suite of Bratko and Kopec.
pub const SUITE: &str = include_str!("../suites/bratko-kopec.epd");

/// A program of the workspace, beside the benches where `cargo build --release` puts it, or the one
/// that an environment variable names.
#[must_use]
pub fn program(name: &str, variable: &str) -> Option<PathBuf> {
    if let Some(path) = std::env::var_os(variable) {
        return Some(path.into());
    }
    let here = std::env::current_exe().ok()?;
    let path = here.parent()?.parent()?.join(name);
    path.exists().then_some(path)
}

/// Whose processor time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// That of a process.
    Own,
    /// That of its children that have ended.
    Children,
}

/// Seconds of processor time, in the program and for it in the system, of a process, which is a number
/// or `self`: what Linux says in `/proc`, and none elsewhere.
#[must_use]
pub fn processor_time(process: &str, whose: Whose) -> f64 {
    /// A tick of the clock in `/proc`, in seconds.
    const TICK: f64 = 0.01;
    // Where the times stand after the name.
    let fields = match whose {
        Whose::Own => [11, 12],
        Whose::Children => [13, 14],
    };
    let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let rest = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let words: Vec<_> = rest.split_whitespace().collect();
    let ticks = fields.map(|field| words.get(field).and_then(|word| word.parse::<f64>().ok()));
    ticks.into_iter().flatten().sum::<f64>() * TICK
}
