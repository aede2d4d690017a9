//! What an engine says to the interface that runs it, by UCI or `XBoard`.

use std::io::{self, Write};

/// Prints a line. Errors are ignored: an interface that has gone ends the input as well.
pub fn print(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
