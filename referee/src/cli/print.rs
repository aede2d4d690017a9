//! Output to people.

use std::io::{ErrorKind, Write as _};

/// Prints warnings on standard error.
pub fn warn(warnings: &[String]) {
    for warning in warnings {
        eprintln!("{WARNING}{warning}");
    }
}

/// What the lines of warnings begin with.
pub const WARNING: &str = "epode-referee: warning: ";

/// Prints a line of news. Errors are ignored: an event goes on when nobody reads its output.
pub fn print(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints a result that a command was called for. A reader that closes the pipe, such as `head`, is no error.
pub fn print_result(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(anyhow::Error::from(error).context("cannot write standard output"))
        }
        _ => Ok(()),
    }
}
