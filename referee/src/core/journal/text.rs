//! Texts of any characters and any length, in the strings of EPD.

use epd::{Operation, Record};

/// The longest part of a text in one string of a journal.
pub(in crate::core) const MAX_PART: usize = 240;

/// A text in characters that a string of EPD may have.
pub(in crate::core) fn escaped(text: &str) -> String {
    let letters = text.chars().map(|letter| match letter {
        '"' | '\\' => format!("\\u{{{:x}}}", u32::from(letter)),
        ' '..='~' => letter.to_string(),
        _ => format!("\\u{{{:x}}}", u32::from(letter)),
    });
    letters.collect()
}

/// The text that [`escaped`] has written.
pub(in crate::core) fn unescaped(text: &str) -> Option<String> {
    let mut found = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\u{") {
        let (code, after) = after.split_once('}')?;
        let code = u32::from_str_radix(code, 16).ok()?;
        found.push_str(before);
        found.push(char::from_u32(code)?);
        rest = after;
    }
    Some(found + rest)
}

/// An operation with a text of any characters and length.
pub(super) fn text_operation(opcode: &'static str, text: &str) -> Operation {
    let text = escaped(text);
    // Escaped text is ASCII.
    let parts = text.as_bytes().chunks(MAX_PART);
    parts.fold(Operation::new(opcode), |operation, part| {
        operation.string(&String::from_utf8_lossy(part))
    })
}

/// The text of an operation that [`text_operation`] has made.
pub(super) fn text_of(record: &Record, opcode: &str) -> Result<Option<String>, String> {
    let Some(operation) = record.get(opcode) else {
        return Ok(None);
    };
    let parts: String = operation.operands.iter().map(epd::Operand::text).collect();
    let text = unescaped(&parts).ok_or_else(|| format!("invalid escape in {opcode}"))?;
    Ok(Some(text))
}
