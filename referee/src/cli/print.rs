//! Output to people.

use std::io::Write as _;

/// Prints a line. Errors are ignored: an event goes on when nobody reads its output.
pub fn print(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}
