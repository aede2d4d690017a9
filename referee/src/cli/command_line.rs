//! Reads the command line.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser as _};

use super::args::Args;

/// The arguments of the program. Ends it if they are wrong, or if they ask for help.
pub fn read() -> Args {
    Args::try_parse().unwrap_or_else(|error| unknown_order(&error).unwrap_or(error).exit())
}

/// The error for a word that is no order of `control`, which clap calls an unexpected argument.
fn unknown_order(error: &clap::Error) -> Option<clap::Error> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else {
        return None;
    };
    // Words after an order are another matter.
    if word.starts_with('-') || !usage.to_string().contains("<ORDER>") {
        return None;
    }
    let mut command = Args::command();
    command.build();
    let control = command.find_subcommand_mut("control")?;
    let orders: Vec<_> = control
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    let message = format!(
        "there is no order '{word}'; the orders are {}",
        orders.join(", ")
    );
    Some(control.error(ErrorKind::InvalidSubcommand, message))
}
