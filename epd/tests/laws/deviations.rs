//! Lines with several deviations from the standard at once: they read as the record without them.

use epode_epd::Operation;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::checks::{check_line, read_and_check};
use crate::config;
use crate::drafts::{drafts, record_of};

/// Deviations from the standard, by their place in a record.
#[derive(Clone, Debug)]
struct Deviations {
    /// Blanks and tabs before the first field and before each operation or operand.
    gaps: Vec<&'static str>,
    /// Extra semicolons before these operations.
    semicolons: Vec<Index>,
    /// FEN counters.
    counters: Option<(u16, u16)>,
    ends_without_semicolon: bool,
    end: &'static str,
}

fn deviations() -> impl Strategy<Value = Deviations> {
    let parts = (
        vec(select(&[" ", "  ", "\t", " \t "][..]), 1..8),
        vec(any::<Index>(), 0..3),
        proptest::option::of(any::<(u16, u16)>()),
        any::<bool>(),
        select(&["", " ", "\0", "\r", " \0\r", "\t  "][..]),
    );
    parts.prop_map(
        |(gaps, semicolons, counters, ends_without_semicolon, end)| Deviations {
            gaps,
            semicolons,
            counters,
            ends_without_semicolon,
            end,
        },
    )
}

proptest! {
    #![proptest_config(config(2000))]

    /// Deviations of several kinds in one line do not change the record.
    #[test]
    fn deviations_do_not_change_the_record((position, operations) in drafts(), deviant in deviations()) {
        let mut record = record_of(&position, &operations);
        let mut gaps = deviant.gaps.iter().cycle();
        let mut line = String::new();
        let mut put = |line: &mut String, word: &str| {
            line.push_str(gaps.next().expect("a cycle"));
            line.push_str(word);
        };
        for field in record_of(&position, &[]).to_string().split(' ') {
            put(&mut line, field);
        }
        if let Some((clock, number)) = deviant.counters {
            put(&mut line, &clock.to_string());
            put(&mut line, &number.to_string());
            for (opcode, count) in [("hmvc", clock), ("fmvn", number)] {
                if record.get(opcode).is_none() {
                    record.add(Operation::new(opcode).symbol(count));
                }
            }
        }
        for (i, operation) in operations.iter().enumerate() {
            for _ in deviant.semicolons.iter().filter(|at| at.index(operations.len()) == i) {
                put(&mut line, ";");
            }
            put(&mut line, &operation.opcode);
            for operand in &operation.operands {
                put(&mut line, &operand.to_string());
            }
            if i + 1 < operations.len() || !deviant.ends_without_semicolon {
                put(&mut line, ";");
            }
        }
        line.push_str(deviant.end);
        // A long line is reported, but not cut.
        let (result, repairs) = read_and_check(&line);
        prop_assert_eq!(result, Ok(record), "{:?}", &line);
        prop_assert!(!repairs.is_empty());
        check_line(&line);
    }
}
