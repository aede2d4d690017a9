//! What must be true for any line: whether it is read, repaired or refused.

use epode_epd::{
    Diagnostic, Line, ReadError, ReadErrorKind, Reader, Record, Repair, RepairKind, diagnose, read,
};

/// Reads a line, and checks spans, the order of repairs, and that strict reading agrees.
pub fn read_and_check(line: &str) -> (Result<Record, ReadError>, Vec<Repair>) {
    let mut repairs = Vec::new();
    let result = read(line, &mut repairs);
    for repair in &repairs {
        assert!(
            line.get(repair.span.start..repair.span.end).is_some(),
            "{line:?}: {repair}"
        );
    }
    match &result {
        Ok(_) => assert!(
            repairs.is_sorted_by_key(|repair| repair.span.start),
            "{line:?}: {repairs:?}"
        ),
        Err(error) => assert!(
            line.get(error.span.start..error.span.end).is_some(),
            "{line:?}: {error}"
        ),
    }
    // Strict reading is lenient reading that stops at the first repair.
    match (line.parse::<Record>(), &result) {
        (Ok(exact), Ok(record)) => assert!(repairs.is_empty() && exact == *record, "{line:?}"),
        (Ok(_), Err(error)) => panic!("{line:?} can be read strictly only: {error}"),
        (Err(error), Ok(_)) => assert_eq!(
            (error.span, error.kind),
            (repairs[0].span, ReadErrorKind::NonStandard(repairs[0].kind)),
            "{line:?}"
        ),
        (Err(error), Err(same)) => assert_eq!(error, *same, "{line:?}"),
    }
    (result, repairs)
}

/// Checks everything that must be true for any line.
pub fn check_line(line: &str) {
    let (result, repairs) = read_and_check(line);
    let Ok(record) = result else { return };
    let normal = record.to_string();
    let (again, rest) = read_and_check(&normal);
    let again = again.unwrap_or_else(|error| panic!("{line:?} -> {normal:?}: {error}"));
    assert_eq!(again.to_string(), normal, "{line:?}");
    // Only deviations that normal form cannot repair without loss are left.
    for repair in rest {
        use RepairKind as Kind;
        assert!(
            matches!(
                repair.kind,
                Kind::NotAscii
                    | Kind::ControlCharacter
                    | Kind::ShortOpcode
                    | Kind::LongOpcode
                    | Kind::DuplicateOpcode
                    | Kind::LongString
                    | Kind::LongLine
            ),
            "{line:?} -> {normal:?}: {repair}"
        );
    }
    check_nothing_lost(line, &normal, &repairs);
    check_repair(line, &record);
    check_diagnostics(line);
}

/// Repair mode changes only operands, and its output needs no more repairs.
fn check_repair(line: &str, lenient: &Record) {
    let repair = Reader::repair();
    let repaired = repair.read(line, &mut Vec::new()).expect("read before");
    assert_eq!(repaired.setup, lenient.setup, "{line:?}");
    let opcodes = |record: &Record| -> Vec<_> {
        let operations = record.operations().iter();
        operations
            .map(|operation| operation.opcode.clone())
            .collect()
    };
    assert_eq!(opcodes(&repaired), opcodes(lenient), "{line:?}");
    let once = repaired.to_string();
    let mut repairs = Vec::new();
    let twice = repair.read(&once, &mut repairs).expect("a repaired line");
    assert_eq!(twice.to_string(), once, "{line:?}");
    assert!(
        repairs.iter().all(|repair| repair.replacement.is_none()),
        "{line:?} -> {once:?}: {repairs:?}"
    );
}

/// Diagnostics lie within the line, in order, and have known names.
fn check_diagnostics(line: &str) {
    let line = Line {
        number: 1,
        text: line.into(),
        raw: line.as_bytes(),
        broken_at: None,
    };
    let diagnostics = diagnose(&line, &Reader::lenient());
    assert!(
        diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span.start),
        "{line:?}: {diagnostics:?}"
    );
    for diagnostic in diagnostics {
        let span = diagnostic.span;
        assert!(
            line.text.get(span.start..span.end).is_some(),
            "{line:?}: {diagnostic:?}"
        );
        assert!(Diagnostic::names().any(|(name, _)| name == diagnostic.name));
    }
}

/// Every character of the operations is in the normal form, except for what a repair removes.
fn check_nothing_lost(line: &str, normal: &str, repairs: &[Repair]) {
    let has = |deviation| repairs.iter().any(|repair| repair.kind == deviation);
    let mut kept = words_of_operations(normal).concat();
    let mut lost = Vec::new();
    for letter in words_of_operations(line).concat().chars() {
        match kept.find(letter) {
            Some(at) => drop(kept.remove(at)),
            None => lost.push(letter),
        }
    }
    // White space beyond ASCII becomes a blank outside of strings.
    lost.retain(|letter| !letter.is_whitespace());
    // Commas, move numbers and glyphs around moves are reported one by one.
    let around = |repair: &&Repair| {
        use RepairKind::{CommaList, MoveGlyph, MoveNumber};
        matches!(repair.kind, CommaList | MoveGlyph | MoveNumber)
    };
    for letter in repairs
        .iter()
        .filter(around)
        .flat_map(|repair| repair.span.of(line).chars())
    {
        if let Some(at) = lost.iter().position(|&other| other == letter) {
            lost.remove(at);
        }
    }
    if has(RepairKind::FenCounters) || has(RepairKind::CountersDisagree) {
        lost.retain(|letter| !letter.is_ascii_digit());
    }
    if has(RepairKind::KeyValue) {
        lost.retain(|&letter| letter != '=');
    }
    if has(RepairKind::SurplusDash) {
        lost.retain(|&letter| letter != '-');
    }
    if has(RepairKind::OpcodeSynonym) {
        lost.clear();
    }
    assert!(lost.is_empty(), "{line:?} -> {normal:?}: lost {lost:?}");
}

/// The words after the four position fields, without semicolons and quotes. Apostrophes and backslashes
/// do not count either: an escaped quote becomes an apostrophe (decision 106).
fn words_of_operations(line: &str) -> Vec<String> {
    let is_space = |letter: char| letter.is_whitespace() || "\x0B\0".contains(letter);
    let mut rest = line;
    for field in 0..4 {
        rest = rest.trim_start_matches(is_space);
        let end = rest.find(|letter| is_space(letter) || letter == ';');
        let end = end.unwrap_or(rest.len());
        // A counter may follow the dash without a blank (decision 116).
        rest = match rest[..end].strip_prefix('-') {
            Some(_) if field == 3 => &rest[1..],
            _ => &rest[end..],
        };
    }
    let separates = |letter: char| {
        letter.is_ascii_whitespace() || letter.is_control() || ";\"'\\".contains(letter)
    };
    rest.split(separates)
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
