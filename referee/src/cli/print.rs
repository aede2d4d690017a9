//! Output to people.

use std::io::Write as _;

/// Prints warnings on standard error.
pub fn warn(warnings: &[String]) {
    for warning in warnings {
        eprintln!("{WARNING}{warning}");
    }
}

/// What the lines of warnings begin with.
pub const WARNING: &str = "epode-referee: warning: ";

/// Prints a line. Errors are ignored: an event goes on when nobody reads its output.
pub fn print(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}
