//! Perft counts of well-known positions, and of one position for each special case of the rules.
//!
//! The counts of well-known positions are from
//! <https://www.chessprogramming.org/Perft_Results>. Two move generators agree on all others.

use std::fs;
use std::path::{Path, PathBuf};

use epode_movegen::{PerftOptions, Position, divide, perft, perft_at_most, perft_with};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const POSITION_4: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
const POSITION_4_MIRRORED: &str =
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1";
const POSITION_5: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 0 1";
const POSITION_6: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 1";
const PROMOTIONS: &str = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Checks the counts from depth 1.
#[track_caller]
fn counts(fen: &str, expected: &[u64]) {
    let position = position(fen);
    for (depth, &leaves) in (1..).zip(expected) {
        assert_eq!(perft(&position, depth), leaves, "depth {depth} of {fen}");
    }
}

#[test]
fn start() {
    counts(START, &[20, 400, 8902, 197_281, 4_865_609]);
}

#[test]
fn kiwipete() {
    counts(KIWIPETE, &[48, 2039, 97_862, 4_085_603]);
}

#[test]
fn endgame() {
    counts(ENDGAME, &[14, 191, 2812, 43_238, 674_624, 11_030_083]);
}

#[test]
fn position_4() {
    counts(POSITION_4, &[6, 264, 9467, 422_333, 15_833_292]);
}

#[test]
fn position_4_mirrored() {
    counts(POSITION_4_MIRRORED, &[6, 264, 9467, 422_333]);
}

#[test]
fn position_5() {
    counts(POSITION_5, &[44, 1486, 62_379, 2_103_487]);
}

#[test]
fn position_6() {
    counts(POSITION_6, &[46, 2079, 89_890, 3_894_594]);
}

#[test]
fn promotions() {
    counts(PROMOTIONS, &[24, 496, 9483, 182_838, 3_605_103]);
    // Pinned along its only capture, and free to make both.
    counts("2b1k3/1P6/K7/8/8/8/8/8 w - - 0 1", &[8, 57, 671, 5912]);
    counts("1n6/P1K5/8/8/8/8/5k2/8 w - - 0 1", &[14, 135, 1716, 14_257]);
}

#[test]
fn en_passant_must_not_uncover_the_king() {
    // Along the rank, which two pawns leave at once.
    counts("8/8/8/8/R2pP2k/8/8/4K3 b - e3 0 1", &[6, 94, 620, 10_473]);
    counts("5k2/8/8/r2pPK2/8/8/8/8 w - d6 0 1", &[7, 97, 645, 10_686]);
    // Along the diagonal on which the captured pawn stood.
    counts("8/8/3k4/8/4pP2/8/7B/6K1 b - f3 0 1", &[8, 47, 382, 3260]);
    // The captured pawn gives check and blocks another check.
    counts("7b/8/8/4pP2/3K4/8/8/7k w - e6 0 1", &[7, 41, 283, 2520]);
}

#[test]
fn en_passant_can_capture_the_checking_pawn() {
    counts("8/8/8/4pP2/3K4/8/8/7k w - e6 0 1", &[9, 33, 255, 1515]);
    counts("8/8/8/4k3/3pP3/8/8/3K4 b - e3 0 1", &[7, 36, 273, 1634]);
}

/// With nothing in the way, king and rooks have 26 moves. Attacks take some of them away.
#[test]
fn castling_out_of_through_and_into_check() {
    counts("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", &[26, 112, 3189]);
    // Out of check, and through check on both sides.
    counts("4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", &[4, 68, 1654]);
    counts("3rkr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", &[20, 418, 9069]);
    // Into check on one side.
    counts("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", &[25, 320, 8103]);
    counts("2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", &[25, 344, 8812]);
    // The rook can cross an attacked square.
    counts("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", &[26, 357, 9198]);
    // A piece is in the way.
    counts("rn2k1nr/8/8/8/8/8/8/4K3 b kq - 0 1", &[25, 115, 3430]);
}

#[test]
fn capturing_a_rook_ends_its_castling_right() {
    let fen = "r3k2r/8/1N4N1/8/8/1n4n1/8/R3K2R w KQkq - 0 1";
    counts(fen, &[33, 976, 29_708, 870_687]);
}

#[test]
fn double_check() {
    counts("4k3/8/5N2/8/8/8/8/4RK2 b - - 0 1", &[3, 69, 214, 4782]);
    counts("3rk3/3p1p2/3N4/8/8/8/8/4RK2 b - - 0 1", &[1, 23, 198, 4477]);
    counts("7k/8/8/4N3/8/8/1B6/K5R1 w - - 0 1", &[27, 41, 1067, 2862]);
}

#[test]
fn no_moves_no_leaves() {
    for stalemate in [
        "7k/8/6Q1/8/8/8/8/K7 b - - 0 1",
        "k7/P7/K7/8/8/8/8/8 b - - 0 1",
        // Sam Loyd's stalemate in ten moves.
        "5bnr/4p1pq/4Qpkr/7p/2P4P/8/PP1PPPP1/RNB1KBNR b KQ - 0 10",
    ] {
        counts(stalemate, &[0, 0, 0]);
        assert!(position(stalemate).is_stalemate(), "{stalemate}");
    }
    for mate in [
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    ] {
        counts(mate, &[0, 0, 0]);
        assert!(position(mate).is_checkmate(), "{mate}");
    }
}

#[test]
fn depth_0_is_one_leaf() {
    for fen in [START, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"] {
        let position = position(fen);
        let options = PerftOptions::default();
        assert_eq!(perft(&position, 0), 1);
        assert_eq!(perft_with(&position, 0, options), Ok(1));
        assert_eq!(divide(&position, 0, options), Ok(Vec::new()));
    }
}

/// A small table overwrites its entries; a large one finds them again.
#[test]
fn threads_and_hash_do_not_change_a_count() {
    for (fen, depth) in [
        (START, 5),
        (KIWIPETE, 4),
        (ENDGAME, 5),
        (POSITION_4, 4),
        (PROMOTIONS, 4),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 3),
    ] {
        let position = position(fen);
        for depth in 0..=depth {
            let plain = perft(&position, depth);
            for threads in 0..=2 {
                for hash_mib in [0, 1, 16] {
                    let options = PerftOptions { threads, hash_mib };
                    let leaves = perft_with(&position, depth, options);
                    assert_eq!(leaves, Ok(plain), "depth {depth} of {fen}, {options:?}");
                }
            }
        }
    }
}

/// A count ends soon after its limit, however deep it is.
#[test]
fn a_count_ends_at_its_limit() {
    let position = position(START);
    for threads in [0, 1, 2, 1_000_000] {
        for hash_mib in [0, 1] {
            let options = PerftOptions { threads, hash_mib };
            for (depth, most, expected) in [
                (0, 0, None),
                (0, 1, Some(1)),
                (1, 19, None),
                (1, 20, Some(20)),
                (5, 4_865_608, None),
                (5, 4_865_609, Some(4_865_609)),
                (64, 100_000, None),
            ] {
                let leaves = perft_at_most(&position, depth, most, options);
                assert_eq!(leaves, Ok(expected), "depth {depth}, {most}, {options:?}");
            }
        }
    }
}

#[test]
fn divide_counts_the_leaves_of_each_move() {
    for (fen, depth) in [(START, 4), (KIWIPETE, 3), (ENDGAME, 4), (PROMOTIONS, 3)] {
        let position = position(fen);
        for depth in 1..=depth {
            let divided = divide(&position, depth, PerftOptions::default());
            let divided = divided.expect("no table");
            let moves = divided.iter().map(|&(mv, _)| mv);
            assert!(moves.eq(position.legal_moves()), "{fen}");
            for &(mv, leaves) in &divided {
                let mut after = position;
                after.play(mv);
                assert_eq!(leaves, perft(&after, depth - 1), "{mv} in {fen}");
            }
            let sum: u64 = divided.iter().map(|&(_, leaves)| leaves).sum();
            assert_eq!(sum, perft(&position, depth), "depth {depth} of {fen}");
        }
    }
}

/// Checks all counts of a file up to `limit` and returns how many there were.
///
/// Each line is a position (four or six fields) and operations such as `D1 20`, separated by
/// semicolons. Carriage returns, NUL bytes, empty lines and extra blanks are ignored.
fn check_file(path: &Path, limit: u64) -> u32 {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = String::from_utf8_lossy(&bytes).replace(['\0', '\r'], " ");
    let mut checked = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let place = || format!("{}:{number}", path.display());
        let first_count = line.match_indices('D').find_map(|(at, _)| {
            let before = line[..at].ends_with([' ', ';']);
            let after = line[at + 1..].starts_with(|letter: char| letter.is_ascii_digit());
            (before && after).then_some(at.saturating_sub(1))
        });
        let Some(end) = first_count else {
            assert!(line.trim().is_empty(), "{}: no count", place());
            continue;
        };
        let fields = line[..end].trim().trim_end_matches(';');
        let position: Position = fields
            .parse()
            .unwrap_or_else(|error| panic!("{}: {error}", place()));
        for operation in line[end..].split(';') {
            let mut words = operation.split_whitespace();
            let Some(depth) = words.next().and_then(|opcode| opcode.strip_prefix('D')) else {
                continue;
            };
            let depth = depth.parse().unwrap_or_else(|_| panic!("{}", place()));
            let leaves: u64 = words
                .next()
                .and_then(|operand| operand.parse().ok())
                .unwrap_or_else(|| panic!("{}: D{depth} has no count", place()));
            if leaves <= limit {
                assert_eq!(perft(&position, depth), leaves, "{}: D{depth}", place());
                checked += 1;
            }
        }
    }
    checked
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn own_suite() {
    for (name, fewest) in [("perft.epd", 200), ("perft-960.epd", 150)] {
        let checked = check_file(&root().join("suites").join(name), 1_000_000);
        assert!(checked > fewest, "{name}: {checked}");
    }
}

/// Suites from other programs, in a folder beside the repository if there is one.
#[test]
fn shared_suites() {
    let Ok(folder) = fs::read_dir(root().join("../shared/suites")) else {
        println!("no ../shared/suites: nothing checked");
        return;
    };
    for entry in folder {
        let path = entry.expect("readable folder").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("perft") && path.extension().is_some_and(|ending| ending == "epd") {
            let checked = check_file(&path, 1_000_000);
            println!("{name}: {checked} counts");
            assert!(checked > 0, "{name}");
        }
    }
}

/// Eight billion leaves: `cargo test --release -p epode-movegen --test perft -- --ignored`.
#[test]
#[ignore = "ten seconds of a release build"]
fn deep() {
    for (fen, depth, leaves) in [
        (START, 7, 3_195_901_860),
        (KIWIPETE, 5, 193_690_690),
        (ENDGAME, 8, 3_009_794_393),
        (POSITION_4, 6, 706_045_033),
        (POSITION_5, 5, 89_941_194),
        (POSITION_6, 5, 164_075_551),
        (PROMOTIONS, 6, 71_179_139),
    ] {
        assert_eq!(perft(&position(fen), depth), leaves, "{fen}");
    }
    for name in ["perft.epd", "perft-960.epd"] {
        check_file(&root().join("suites").join(name), u64::MAX);
    }
}
