//! What holds of every line, whatever is in it. The fuzzer and the tests share this.

use epode_epd::{
    Lexicon, LexiconEntry, Line, Lines, MAX_LINE, MAX_STRING, Operand, Reader, Record, Span, check,
    diagnose, lines::count_line_ends, read,
};
use movegen::san;

/// Holds the laws against bytes: as UTF-8, or else in both ways that are usual.
pub fn hold(bytes: &[u8]) {
    hold_lines(bytes);
    if let Ok(line) = std::str::from_utf8(bytes) {
        hold_line(line);
    } else {
        hold_line(&String::from_utf8_lossy(bytes));
        hold_line(&bytes.iter().copied().map(char::from).collect::<String>());
    }
}

/// The lines of any bytes, one after the other, are all of the bytes but the ends of the lines.
fn hold_lines(bytes: &[u8]) {
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

fn hold_line(line: &str) {
    let mut found = Vec::new();
    let result = read(line, &mut found);
    let within = |span: Span| line.get(span.start..span.end).is_some();
    for told in &found {
        assert!(within(told.span), "{line:?}: {told}");
    }
    let exact = line.parse::<Record>();
    let record = match result {
        Ok(record) => record,
        Err(error) => {
            assert!(within(error.span), "{line:?}: {error}");
            assert!(exact.is_err(), "{line:?} is exact and yet: {error}");
            return;
        }
    };
    assert_eq!(exact.is_ok(), found.is_empty(), "{line:?}: {found:?}");
    if let Ok(exact) = exact {
        assert_eq!(exact, record, "{line:?}");
        hold_exact(line, &record);
    }
    hold_nothing_lost(line, &record);
    let lexicon = Lexicon::standard();
    let mut normal = record.clone();
    normal.normalise(&lexicon);
    for printed in [&record, &normal] {
        // One that has moves for opcodes must only be a record.
        if has_move_for_opcode(printed) {
            assert!(
                read(&printed.to_string(), &mut Vec::new()).is_ok(),
                "{line:?}"
            );
        } else {
            hold_print(printed);
        }
    }
    let mut again = normal.clone();
    again.normalise(&lexicon);
    assert_eq!(again, normal, "{line:?}: normal form is not stable");
    // Whatever they say of it.
    let _ = (check(&record, &lexicon), record.position());
    hold_others(line);
}

/// Repair reads what the lenient reader reads, and everything that is told lies within its line.
fn hold_others(line: &str) {
    assert!(
        Reader::repair().read(line, &mut Vec::new()).is_ok(),
        "{line:?}"
    );
    for line in Lines::new(line.as_bytes(), 1) {
        for told in diagnose(&line, &Reader::lenient()) {
            let span = told.span;
            assert!(
                line.text.get(span.start..span.end).is_some(),
                "{line:?}: {told}"
            );
        }
    }
}

/// A record's print is a record, namely that one, and has no deviations but those that no print
/// can repair.
fn hold_print(record: &Record) {
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

/// Whether an operation reads as a move, which joins those of `bm` and the like when sorting brings
/// it beside them (decision 118).
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

/// Whether the print loses nothing: a quote inside a string becomes an apostrophe, a control
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

/// Whether a record keeps to the limits of EPD 4 and 5, which no print can repair without loss.
fn is_standard(record: &Record, print: &str) -> bool {
    let operations = record.operations();
    let strings = operations.iter().flat_map(|operation| &operation.operands);
    let castling = print.split(' ').nth(2).unwrap_or_default();
    is_printing(print)
        && castling.chars().all(|letter| "KQkq-".contains(letter))
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

/// An exact line is in printing ASCII, and only the order of the operations changes.
fn hold_exact(line: &str, record: &Record) {
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

/// No letter of an operation gets lost, however odd the line; signs and digits may be counters,
/// dashes or fields. One opcode is another in the standard (decision 67).
fn hold_nothing_lost(line: &str, record: &Record) {
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

/// The letters after the four position fields. A field that is left out is an operation that is
/// not looked at.
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
