//! Records, counters and moves read back as they were written, and a record keeps operations like a
//! map.

use std::collections::BTreeMap;

use epode_epd::{Operation, Record};
use movegen::Position;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::checks::{check_line, read_and_check};
use crate::config;
use crate::drafts::{drafts, games, record_of};

proptest! {
    #![proptest_config(config(2000))]

    /// A record prints as a line that can be read strictly and reads back as the same record.
    #[test]
    fn prints_what_it_reads((position, operations) in drafts()) {
        let record = record_of(&position, &operations);
        let line = record.to_string();
        let exact = line.parse::<Record>();
        prop_assert_eq!(exact.as_ref(), Ok(&record), "{}", &line);
        prop_assert_eq!(record.position(), exact.expect("just read").position());
        check_line(&line);
    }

    /// EPD 5.1: the order of operations means nothing.
    #[test]
    fn any_order_reads_the_same((position, operations) in drafts()) {
        let record = record_of(&position, &operations);
        let mut line = record_of(&position, &[]).to_string();
        for operation in &operations {
            line.push(' ');
            line.push_str(&operation.to_string());
        }
        prop_assert_eq!(line.parse::<Record>(), Ok(record.clone()), "{}", line);
        prop_assert!(record.operations().is_sorted_by(|one, next| one.opcode < next.opcode));
    }

    /// `hmvc` and `fmvn` are the counters of the position.
    #[test]
    fn counters_are_operations((position, _) in games()) {
        let clock = Operation::new("hmvc").symbol(position.halfmove_clock());
        let number = Operation::new("fmvn").symbol(position.fullmove_number());
        let record = record_of(&position, &[clock, number]);
        let back = record.position().expect("legal");
        prop_assert_eq!(back.to_string(), position.to_string());
        // Decision 116: FEN counters mean the same.
        let fen = position.to_string();
        let (from_fen, repairs) = read_and_check(&fen);
        prop_assert_eq!(from_fen, Ok(record));
        prop_assert_eq!(repairs.len(), 1);
        check_line(&fen);
    }

    /// Variations and lists of moves read back.
    #[test]
    fn moves_are_what_was_written((position, line) in games()) {
        let pv = Operation::new("pv").line(&position, &line);
        let all = position.legal_moves();
        let bm = all.iter().fold(Operation::new("bm"), |bm, &mv| {
            bm.symbol(movegen::San::of(&position, mv))
        });
        let text = record_of(&position, &[pv, bm]).to_string();
        let record: Record = text.parse().expect("exact");
        let (pv, bm) = (record.get("pv").expect("there"), record.get("bm").expect("there"));
        prop_assert_eq!(pv.variation(&position), Ok(line));
        prop_assert_eq!(bm.moves(&position), Ok(all.to_vec()));
    }

    /// A record keeps operations like a map, except that it can have duplicates.
    #[test]
    fn a_record_is_a_map(steps in vec((0..3_u8, select(&["am", "bm", "id", "c0"][..]), 0..99_u8), 0..20)) {
        let mut record = record_of(&Position::start(), &[]);
        let mut model: BTreeMap<&str, Vec<Operation>> = BTreeMap::new();
        for (step, opcode, operand) in steps {
            let operation = Operation::new(opcode).symbol(operand);
            match step {
                0 => {
                    model.insert(opcode, vec![operation.clone()]);
                    record.set(operation);
                }
                1 => {
                    model.entry(opcode).or_default().push(operation.clone());
                    record.add(operation);
                }
                _ => prop_assert_eq!(record.remove(opcode), model.remove(opcode).is_some()),
            }
            prop_assert!(record.operations().iter().eq(model.values().flatten()));
            for opcode in ["am", "bm", "id", "c0", "pv"] {
                let first = model.get(opcode).and_then(|operations| operations.first());
                prop_assert_eq!(record.get(opcode), first);
            }
        }
    }
}
