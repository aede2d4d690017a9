//! python-chess reads what the verbs write, with the same meaning. Tested if `EPODE_PYTHON` names a
//! Python with python-chess 1.11.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::Folder;
use epd::{LineKind, Operand, Record};
use movegen::UciMove;

/// The verbs with their options, except for those whose output python-chess does not support:
/// `--counters fields`, and `--write` with `cte`, `ctu` and `ts`.
const RUNS: [(&str, &str, &str); 12] = [
    ("pfdn", "in.epd", "pfdn.epd"),
    ("pfdn --canonical", "in.epd", "canonical.epd"),
    ("pfdr --quiet", "in.epd", "pfdr.epd"),
    ("pfop c9,acn", "in.epd", "pfop.epd"),
    ("pfop --keep bm,am,id,D*", "in.epd", "kept.epd"),
    (
        "pfga --nodes 60 --multipv 3 --write default,acs,dm,pes,sm",
        "in.epd",
        "pfga.epd",
    ),
    // Over the output of an earlier run.
    (
        "pfga --depth 1 --multipv 2 --write default,pes --keep-old Old_ --min-acs 1",
        "pfga.epd",
        "again.epd",
    ),
    (
        "pfts --depth 2 --write default,acs,dm",
        "in.epd",
        "pfts.epd",
    ),
    (
        "pfts --nodes 60 --soft --until-solved 1 --keep-old Old_ --write none",
        "pfts.epd",
        "pfts-again.epd",
    ),
    ("pfms --moves 1 --nodes 200", "in.epd", "pfms.epd"),
    (
        "pfms --moves 2 --nodes 50 --scan --write default,acs,pes,sm --keep-old Old_",
        "pfms.epd",
        "scan.epd",
    ),
    ("pfdr --quiet", "again.epd", "pfdr-again.epd"),
];

/// The maximum number of records of a suite: Python takes a millisecond for each in each run.
const EACH: usize = 30;

/// Records with properties that no suite has.
const OTHERS: &str = "\
4k3/8/8/8/8/8/8/4K2R w K - bm 1.O-O!, Rh8+; am Zz Kd1; eval = draw; v=-3; free text here;
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq - bm e4,d4; c0 \"caf\u{e9}\";
r3k2r/8/8/8/8/8/8/R3K2R w KQAb - bm 0-0 e1c1; pv 1. O-O 0-0; pm O-O; pes MateIn3;
8/P7/8/8/8/8/5k2/K7 w - - am a8(N); bm a8Q a7-a8=R; Src \"a book\" 12; draw;
7k/5Q2/6K1/8/8/8/8/8 b - - bm Kg8; hmvc 3; fmvn 40;
8/8/8/8/8/8/8/K7 w - - bm Kb1; ce -5;
";

/// Records of all suites in one file, spread evenly over each. Other lines are left out.
fn suites() -> String {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../suites");
    let mut text = OTHERS.to_owned();
    for folder in [Some(ours), crate::common::shared("suites")]
        .into_iter()
        .flatten()
    {
        let files = fs::read_dir(folder).expect("a folder");
        let files = files.map(|file| file.expect("a file").path());
        for path in files.filter(|path| path.extension().is_some_and(|end| end == "epd")) {
            let bytes = fs::read(path).expect("readable");
            let lines = String::from_utf8_lossy(&bytes);
            let records = lines.lines().filter(|line| {
                LineKind::of(line) == LineKind::Record && epd::read(line, &mut Vec::new()).is_ok()
            });
            let records: Vec<_> = records.collect();
            let step = records.len().div_ceil(EACH).max(1);
            let some = records.iter().step_by(step);
            text.extend(some.flat_map(|line| [line, "\n"]));
        }
    }
    text
}

#[test]
fn python_chess_reads_what_the_verbs_write_of_shared_suites() {
    let Some(python) = std::env::var_os("EPODE_PYTHON") else {
        println!("not tested: EPODE_PYTHON names no Python with python-chess");
        return;
    };
    let folder = Folder::with("in.epd", suites());
    for (verb, input, output) in RUNS {
        // A record that is given up has a note, which must be readable too.
        let mut command = folder.command(&format!("{verb} {input} {output}"));
        let code = command.output().expect("it runs").status.code();
        assert!(folder.path(output).exists(), "{verb}: {code:?}");
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python_chess.py");
    let read = Command::new(python)
        .arg(script)
        .args(RUNS.map(|(.., output)| folder.path(output)))
        .output()
        .expect("Python runs");
    let errors = String::from_utf8_lossy(&read.stderr);
    let first: Vec<_> = errors.lines().take(20).collect();
    assert!(read.status.success(), "{}", first.join("\n"));

    let told = String::from_utf8(read.stdout).expect("UTF-8");
    let mut told = told.lines();
    for (verb, _, output) in RUNS {
        let text = folder.read(output);
        assert!(!text.is_empty(), "{verb}");
        for line in text.lines() {
            compare(line, told.next().expect("a line for each"));
        }
    }
    assert_eq!(told.next(), None);
}

/// Checks that python-chess read the same position, counters and moves.
fn compare(line: &str, told: &str) {
    let record = epd::read(line, &mut Vec::new()).unwrap_or_else(|error| panic!("{line}: {error}"));
    let fields: Vec<_> = told.split('\t').collect();
    // python-chess corrects illegal positions.
    let Ok(position) = record.position() else {
        return;
    };
    assert_eq!(fields[2], position.to_string(), "{line}");
    for opcode in ["am", "bm", "pm", "pv", "sm"] {
        let found = fields[3..].iter().find_map(|field| {
            let (name, moves) = field.split_once(' ')?;
            (name == opcode).then_some(moves)
        });
        assert_eq!(found, ours(&record, &position, opcode).as_deref(), "{line}");
    }
}

/// The moves of an operation in coordinates; none if it is quoted.
fn ours(record: &Record, position: &movegen::Position, opcode: &str) -> Option<String> {
    let mut all = record.operations().iter();
    // python-chess keeps the last of several operations with one opcode.
    let operation = all.rfind(|operation| operation.opcode == opcode)?;
    if let [Operand::String(_)] = operation.operands[..] {
        return None;
    }
    let moves = match opcode {
        "pv" => operation.variation(position),
        _ => operation.moves(position),
    };
    let mut current = *position;
    let mut texts = Vec::new();
    for mv in moves.expect(opcode) {
        let uci = UciMove::of(&current, mv, position.castling_mode());
        texts.push(uci.to_string());
        if opcode == "pv" {
            current.play(mv);
        }
    }
    Some(texts.join(","))
}
