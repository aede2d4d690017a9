//! Checks that every line must pass, whatever it contains. The fuzzer and the tests share this file.

use epode_epd::{
    Lexicon, LexiconEntry, Line, Lines, MAX_LINE, MAX_STRING, Operand, Reader, Record, Span,
    diagnose, lines::count_line_ends, read,
};
use movegen::san;

/// Checks bytes as lines of text: as UTF-8, or else as lossy UTF-8 and as Latin-1.
pub fn check(bytes: &[u8]) {
    check_lines(bytes);
    if let Ok(line) = std::str::from_utf8(bytes) {
        check_line(line);
    } else {
        check_line(&String::from_utf8_lossy(bytes));
        check_line(&bytes.iter().copied().map(char::from).collect::<String>());
    }
}

/// The lines of a file together are all of its bytes except line endings.
fn check_lines(bytes: &[u8]) {
    let text = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes.retain(|byte| !matches!(byte, b'\r' | b'\n'));
        bytes
    };
    let lines: Vec<_> = Lines::new(bytes, 1).collect();
    let kept: Vec<&[u8]> = lines.iter().flat_map(Line::raw_lines).collect();
    assert_eq!(kept.concat(), text(bytes), "{bytes:?}");
    let ends = usize::from(!matches!(bytes, [] | [.., b'\r' | b'\n'])) + count_line_ends(bytes);
    assert_eq!(kept.len(), ends, "{bytes:?}");
    let mut number = 1;
    for line in &lines {
        assert_eq!(line.number, number, "{bytes:?}");
        number += line.raw_lines().count();
    }
}

fn check_line(line: &str) {
    let mut found = Vec::new();
    let result = read(line, &mut found);
    let within = |span: Span| line.get(span.start..span.end).is_some();
    for repair in &found {
        assert!(within(repair.span), "{line:?}: {repair}");
    }
    let exact = line.parse::<Record>();
    let record = match result {
        Ok(record) => record,
        Err(error) => {
            assert!(within(error.span), "{line:?}: {error}");
            assert!(
                exact.is_err(),
                "{line:?} can be read strictly only: {error}"
            );
            return;
        }
    };
    assert_eq!(exact.is_ok(), found.is_empty(), "{line:?}: {found:?}");
    if let Ok(exact) = exact {
        assert_eq!(exact, record, "{line:?}");
        check_exact(line, &record);
    }
    check_nothing_lost(line, &record);
    let lexicon = Lexicon::standard();
    let mut normal = record.clone();
    normal.normalise(&lexicon);
    for printed in [&record, &normal] {
        // A record with moves as opcodes must be readable, and no more.
        if has_move_for_opcode(printed) {
            assert!(
                read(&printed.to_string(), &mut Vec::new()).is_ok(),
                "{line:?}"
            );
        } else {
            check_print(printed);
        }
    }
    let mut again = normal.clone();
    again.normalise(&lexicon);
    assert_eq!(again, normal, "{line:?}: normal form is not stable");
    // These must not panic.
    let _ = (epode_epd::check(&record, &lexicon), record.position());
    check_others(line);
}

/// Repair mode reads every line that lenient mode reads, and diagnostics lie within the line.
fn check_others(line: &str) {
    assert!(
        Reader::repair().read(line, &mut Vec::new()).is_ok(),
        "{line:?}"
    );
    for line in Lines::new(line.as_bytes(), 1) {
        for diagnostic in diagnose(&line, &Reader::lenient()) {
            let span = diagnostic.span;
            assert!(
                line.text.get(span.start..span.end).is_some(),
                "{line:?}: {diagnostic}"
            );
        }
    }
}

/// A printed record reads back as the same record, and needs no repairs but those that printing cannot
/// make.
fn check_print(record: &Record) {
    let print = record.to_string();
    let mut left = Vec::new();
    let again = read(&print, &mut left).unwrap_or_else(|error| panic!("{print:?}: {error}"));
    assert_eq!(again.to_string(), print, "the print of the print");
    if can_be_printed(record) {
        assert_eq!(again, *record, "{print:?}");
    }
    assert_eq!(
        left.is_empty(),
        is_standard(record, &print),
        "{print:?}: {left:?}"
    );
}

/// Whether an opcode reads as a move. Sorting may bring it next to the moves of `bm` and `am`, which it
/// then joins (decision 118).
fn has_move_for_opcode(record: &Record) -> bool {
    let Ok(position) = record.position() else {
        return false;
    };
    record.operations().iter().any(|operation| {
        let text = operation.to_string().replace([' ', ';'], "");
        LexiconEntry::find(&operation.opcode).is_none()
            && san::parse_lenient(&position, &text).is_ok()
    })
}

/// Whether printing changes nothing: a quote inside a string becomes an apostrophe, a control
/// character a blank.
fn can_be_printed(record: &Record) -> bool {
    let mut operands = record
        .operations()
        .iter()
        .flat_map(|operation| &operation.operands);
    operands.all(|operand| match operand {
        Operand::Symbol(_) => true,
        Operand::String(text) => {
            !text.contains(|letter: char| letter == '"' || letter.is_control())
        }
    })
}

/// Whether a record is within the limits of EPD 4 and 5, which printing cannot repair without loss.
fn is_standard(record: &Record, print: &str) -> bool {
    let operations = record.operations();
    let strings = operations.iter().flat_map(|operation| &operation.operands);
    is_printing(print)
        && print.len() <= MAX_LINE
        && operations
            .iter()
            .all(|operation| (2..=15).contains(&operation.opcode.len()))
        && operations.is_sorted_by(|one, next| one.opcode < next.opcode)
        && strings.into_iter().all(|operand| match operand {
            Operand::Symbol(_) => true,
            Operand::String(_) => operand.to_string().len() <= "\"\"".len() + MAX_STRING,
        })
}

fn is_printing(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// A line that can be read strictly is printing ASCII, and only the order of operations may change.
fn check_exact(line: &str, record: &Record) {
    assert!(is_printing(line), "{line:?}");
    let sorted = |line: &str| {
        let mut operations = line
            .splitn(5, ' ')
            .nth(4)
            .unwrap_or_default()
            .as_bytes()
            .to_vec();
        operations.sort_unstable();
        operations
    };
    assert_eq!(sorted(line), sorted(&record.to_string()), "{line:?}");
}

/// No letter of an operation is lost. Signs and digits do not count, since they may be counters, dashes
/// or fields; nor do lines with `draw_decline` (decision 67).
fn check_nothing_lost(line: &str, record: &Record) {
    if line.contains("draw_decline") {
        return;
    }
    let print = record.to_string();
    let mut kept = letters_of_operations(&print);
    for letter in letters_of_operations(line) {
        let at = kept.iter().position(|&other| other == letter);
        let at = at.unwrap_or_else(|| panic!("{line:?} -> {print:?}: lost {letter:?}"));
        kept.swap_remove(at);
    }
}

/// The letters after the first four words.
fn letters_of_operations(line: &str) -> Vec<char> {
    let is_space = |letter: char| letter.is_ascii_whitespace() || "\x0B\0".contains(letter);
    let mut rest = line.strip_prefix('\u{FEFF}').unwrap_or(line);
    for _ in 0..4 {
        rest = rest.trim_start_matches(is_space);
        let end = rest.find(|letter| is_space(letter) || letter == ';');
        rest = &rest[end.unwrap_or(rest.len())..];
    }
    rest.chars()
        .filter(|letter| letter.is_alphabetic())
        .collect()
}
