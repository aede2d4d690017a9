//! `token`: secrets with which players prove who they are.

use anyhow::bail;
use rand::Rng as _;
use referee::secret::Secret;

use super::print::print_result;
use crate::exit_status::ExitStatus;

/// Prints a new token of a player, or of the observer, and the lines to put into the event file. The token is not
/// stored.
pub fn token(player: Option<&str>) -> anyhow::Result<ExitStatus> {
    if let Some(name) = player
        && (name.trim() != name || name.is_empty())
    {
        bail!("{name:?} cannot be the name of a player: it is empty, or has a space at an end");
    }
    let mut bytes = [0; 16];
    rand::rng().fill_bytes(&mut bytes);
    let token = bytes.map(|byte| format!("{byte:02x}")).concat();
    let hash = Secret::of(&token);
    let text = match player {
        Some(name) => format!(
            "The token of {name}; it is shown only once:\n{token}\n\n\
             {name} puts it into a file for `epode client --password-file FILE`. In the event file:\n\
             [[player]]\nname = {name:?}\ntoken = \"{hash}\""
        ),
        None => format!(
            "The token of the observer; it is shown only once:\n{token}\n\n\
             Put it into a file for `epode-referee observe --token-file FILE`. In the event file:\n\
             observer = {{ token = \"{hash}\" }}"
        ),
    };
    print_result(&text)?;
    Ok(ExitStatus::Finished)
}
