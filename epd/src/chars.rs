//! Classes of characters.

/// The byte order mark that some editors write before the first line.
pub(crate) const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// Whether the standard allows a byte in a record (EPD 4).
pub(crate) const fn is_printing(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// Whether a byte is white space or a control character, such as NUL, which many files have at the end of
/// lines (decisions 107 and 119).
pub(crate) const fn is_space(byte: u8) -> bool {
    byte <= b' '
}

/// Whether a character is white space beyond ASCII, such as a no-break space.
pub(crate) fn is_wide_space(letter: char) -> bool {
    !letter.is_ascii() && letter.is_whitespace() && !letter.is_control()
}

/// Whether a character is white space of any kind, or a control character of ASCII.
pub(crate) fn is_any_space(letter: char) -> bool {
    u8::try_from(letter).is_ok_and(is_space) || is_wide_space(letter)
}

/// The bytes that end a word: white space and the semicolon. A table, because the parser looks at every
/// byte of a line.
const ENDS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = byte == b';' as usize || is_space(byte as u8);
        byte += 1;
    }
    table
};

/// Whether a byte ends a word.
pub(crate) const fn ends_word(byte: u8) -> bool {
    ENDS_WORD[byte as usize]
}
