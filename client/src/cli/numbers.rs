//! Errors of numbers on the command line, in words of the program.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseIntError};

use clap::Command;
use clap::error::{ContextKind, Error, ErrorKind};

/// The error with what is expected, if it is about the text of a whole number: the standard library says no
/// more than "invalid digit found in string".
pub fn in_words(error: Error, command: &Command) -> Error {
    let source = error.source().and_then(|source| source.downcast_ref());
    let (Some(source), Some(value), Some(argument)) = (
        source,
        error.get(ContextKind::InvalidValue),
        error.get(ContextKind::InvalidArg),
    ) else {
        return error;
    };
    let expected = expected(source, &value.to_string());
    let message = format!(
        "invalid value '{value}' for '{argument}': {expected}\n\nFor more information, try '--help'.\n"
    );
    Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
}

fn expected(error: &ParseIntError, value: &str) -> &'static str {
    let is_negative = value
        .strip_prefix('-')
        .is_some_and(|digits| digits.parse::<u64>().is_ok());
    match error.kind() {
        IntErrorKind::Zero => "expected 1 or more",
        IntErrorKind::PosOverflow => "the number is too large",
        IntErrorKind::NegOverflow => "the number is too small",
        _ if is_negative => "expected a number that is not negative",
        _ => "expected a whole number",
    }
}
