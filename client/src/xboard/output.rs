//! What the engine says to the interface.

use std::io::{self, Write};

/// Prints a line. Errors are ignored: an interface that has gone ends the input as well.
pub(super) fn print(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// A comment, which interfaces show to people who look for faults.
pub(super) fn complain(text: &str) {
    print(&format!("# {text}"));
}
