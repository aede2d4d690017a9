//! `epode stats`: what a file contains.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use epd::opcode::Basetype;
use epd::{Lexicon, Record};
use movegen::Color;
use serde::Serialize;

use crate::cli::{SamePosition, Stats as Args, StatsFormat};
use crate::exit_status::ExitStatus;
use crate::io::output::Output;
use crate::io::stream::Stream;
use crate::query::{Facts, Value, phase, signature};
use crate::text::{grouped, trimmed};
use crate::verbs::identity::Identity;
use crate::verbs::lines::{Content, Depth, Input, Streams};

/// How many of the most frequent materials are listed.
const MATERIALS: usize = 10;

pub fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    let streams = Streams {
        input: &args.input,
        output: &Stream::Standard,
        force: false,
        castling: args.castling,
        jobs: args.jobs.get(),
        depth: Depth::Operations,
    };
    let mut totals = Totals::default();
    let counts = Input::open(&args.input)?.read_only(
        &streams,
        |_, record| Examined::new(record, args.same),
        |entry| {
            if let Content::Record(examined) = entry.content {
                totals.add(examined);
            }
            Ok(())
        },
    )?;
    let mut stats = totals.stats();
    (stats.records, stats.unreadable, stats.blank_or_comment) =
        (counts.records, counts.unreadable, counts.others);
    let text = match args.format {
        StatsFormat::Text => stats.text(),
        StatsFormat::Json => serde_json::to_string_pretty(&stats)? + "\n",
    };
    let mut output = Output::create(&Stream::Standard)?;
    output.write(text.as_bytes())?;
    output.finish()?;
    Ok(counts.status())
}

/// What is counted of a record.
struct Examined {
    identity: [u32; 4],
    is_legal: bool,
    in_check: bool,
    turn: Color,
    pieces: f64,
    phase: f64,
    material: String,
    operations: Vec<(String, Option<f64>)>,
}

impl Examined {
    fn new(record: &Record, same: SamePosition) -> Self {
        let facts = Facts::new(record);
        let number = |operation: &epd::Operation| {
            let operand = operation
                .operands
                .first()
                .filter(|_| operation.operands.len() == 1)?;
            match Value::of(operand.text()) {
                Value::Number(number) => Some(number),
                Value::Text(_) => None,
            }
        };
        let operations = record.operations().iter();
        Self {
            identity: Identity::new(record, same).hash(),
            is_legal: facts.position().is_some(),
            in_check: facts.position().is_some_and(movegen::Position::is_check),
            turn: record.setup.turn,
            pieces: record.setup.board.iter().flatten().count() as f64,
            phase: phase(&record.setup).into(),
            material: signature(&record.setup),
            operations: operations
                .map(|operation| (operation.opcode.to_string(), number(operation)))
                .collect(),
        }
    }
}

/// The sums over all records.
#[derive(Default)]
struct Totals {
    positions: HashSet<[u32; 4]>,
    illegal: u64,
    in_check: u64,
    to_move: [u64; 2],
    pieces: Range,
    phase: Range,
    materials: HashMap<String, u64>,
    opcodes: BTreeMap<String, (u64, Range)>,
}

impl Totals {
    fn add(&mut self, examined: Examined) {
        self.positions.insert(examined.identity);
        self.illegal += u64::from(!examined.is_legal);
        self.in_check += u64::from(examined.in_check);
        self.to_move[examined.turn as usize] += 1;
        self.pieces.add(examined.pieces);
        self.phase.add(examined.phase);
        *self.materials.entry(examined.material).or_default() += 1;
        for (opcode, number) in examined.operations {
            let (count, range) = self.opcodes.entry(opcode).or_default();
            *count += 1;
            if let Some(number) = number {
                range.add(number);
            }
        }
    }

    fn stats(self) -> Stats {
        let different_materials = self.materials.len();
        let mut materials: Vec<_> = self
            .materials
            .into_iter()
            .map(|(material, records)| Material { material, records })
            .collect();
        materials.sort_by(|one, two| {
            two.records
                .cmp(&one.records)
                .then_with(|| one.material.cmp(&two.material))
        });
        materials.truncate(MATERIALS);
        let lexicon = Lexicon::standard();
        let opcodes = self.opcodes.into_iter().map(|(opcode, (records, range))| {
            // Texts that happen to be numbers are not counted.
            let entry = lexicon.find(&opcode);
            let basetype = entry.and_then(|entry| entry.arity.basetype(0));
            let is_number = matches!(basetype, Some(Basetype::Integer(..)));
            let numbers = range
                .summary()
                .filter(|_| is_number || range.count == records);
            (opcode, OpcodeStats { records, numbers })
        });
        Stats {
            records: 0,
            unreadable: 0,
            blank_or_comment: 0,
            positions: self.positions.len(),
            illegal_positions: self.illegal,
            white_to_move: self.to_move[Color::White as usize],
            black_to_move: self.to_move[Color::Black as usize],
            in_check: self.in_check,
            pieces: self.pieces.summary(),
            phase: self.phase.summary(),
            different_materials,
            materials,
            opcodes: opcodes.collect(),
        }
    }
}

/// The least, the greatest and the mean of some numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Range {
    count: u64,
    sum: f64,
    least: f64,
    greatest: f64,
}

impl Range {
    fn add(&mut self, number: f64) {
        let (least, greatest) = if self.count == 0 {
            (number, number)
        } else {
            (self.least, self.greatest)
        };
        self.least = least.min(number);
        self.greatest = greatest.max(number);
        self.count += 1;
        self.sum += number;
    }

    fn summary(&self) -> Option<Summary> {
        (self.count > 0).then(|| Summary {
            least: self.least,
            mean: self.sum / self.count as f64,
            greatest: self.greatest,
        })
    }
}

#[derive(Serialize)]
struct Summary {
    least: f64,
    mean: f64,
    greatest: f64,
}

#[derive(Serialize)]
struct Material {
    material: String,
    records: u64,
}

#[derive(Serialize)]
struct OpcodeStats {
    records: u64,
    #[serde(flatten)]
    numbers: Option<Summary>,
}

/// What is printed.
#[derive(Serialize)]
struct Stats {
    records: u64,
    unreadable: u64,
    blank_or_comment: u64,
    positions: usize,
    illegal_positions: u64,
    white_to_move: u64,
    black_to_move: u64,
    in_check: u64,
    pieces: Option<Summary>,
    phase: Option<Summary>,
    different_materials: usize,
    materials: Vec<Material>,
    opcodes: BTreeMap<String, OpcodeStats>,
}

impl Stats {
    fn text(&self) -> String {
        let mut text = String::new();
        let lines = [
            ("records", self.records),
            ("lines not understood", self.unreadable),
            ("blank lines and comments", self.blank_or_comment),
            ("different positions", self.positions as u64),
            ("illegal positions", self.illegal_positions),
            ("White to move", self.white_to_move),
            ("Black to move", self.black_to_move),
            ("in check", self.in_check),
            ("different materials", self.different_materials as u64),
        ];
        for (name, number) in lines {
            let _ = writeln!(text, "{name:<24} {:>12}", grouped(number));
        }
        let header = |text: &mut String, name: &str| {
            let _ = writeln!(
                text,
                "\n{name:<24} {:>12} {:>12} {:>12} {:>12}",
                "records", "least", "mean", "greatest"
            );
        };
        let row = |text: &mut String, name: &str, records: u64, numbers: Option<&Summary>| {
            let _ = write!(text, "{name:<24} {:>12}", grouped(records));
            if let Some(Summary {
                least,
                mean,
                greatest,
            }) = numbers
            {
                let numbers = [*least, *mean, *greatest].map(|number| trimmed(number, 2));
                let [least, mean, greatest] = numbers;
                let _ = write!(text, " {least:>12} {mean:>12} {greatest:>12}");
            }
            text.push('\n');
        };
        header(&mut text, "board");
        row(&mut text, "pieces", self.records, self.pieces.as_ref());
        row(&mut text, "phase", self.records, self.phase.as_ref());
        header(&mut text, "opcode");
        for (opcode, stats) in &self.opcodes {
            row(&mut text, opcode, stats.records, stats.numbers.as_ref());
        }
        let _ = writeln!(text, "\n{:<24} {:>12}", "material", "records");
        for Material { material, records } in &self.materials {
            let _ = writeln!(text, "{material:<24} {:>12}", grouped(*records));
        }
        text
    }
}
