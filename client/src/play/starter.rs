//! The referee that started this player, if one did.

/// The variable of the environment by which a referee tells its process to the players that it starts.
const VARIABLE: &str = "EPODE_REFEREE_PROCESS";

/// Whether the referee that started this player has ended. A referee that resumes the event starts a new player.
#[cfg(unix)]
pub fn is_gone() -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    let number = std::env::var(VARIABLE).ok();
    let process = number.and_then(|number| Pid::from_raw(number.parse().ok()?));
    process.is_some_and(|process| test_kill_process(process) == Err(Errno::SRCH))
}

/// This system does not tell.
#[cfg(not(unix))]
pub fn is_gone() -> bool {
    let _ = VARIABLE;
    false
}
