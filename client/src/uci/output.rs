//! What the engine says to the interface.

use std::io::{self, Write};

/// Prints a line. Errors are ignored: an interface that has gone ends the input as well.
pub fn print(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Prints an `info string`, which interfaces show to people.
pub fn print_info(text: &str) {
    print(&format!("info string {text}"));
}
