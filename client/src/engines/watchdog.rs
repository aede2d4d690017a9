//! Engines end with this program, also if it is killed: one that hangs does not notice that its input is closed.

#[cfg(unix)]
use std::os::unix::process::CommandExt as _;
#[cfg(unix)]
use std::process::{Child, Command, Stdio};

/// Kills the process group that it is given when its own input ends.
#[cfg(unix)]
const SCRIPT: &str = "read -r line; kill -s KILL -- \"-$1\"";

/// A process that waits for the end of this one.
#[cfg(unix)]
pub struct Watchdog(Child);

#[cfg(unix)]
impl Watchdog {
    /// Kills a process group when this program ends before this value is dropped. None where there is no shell.
    pub fn of(group: u32) -> Option<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "watchdog", &group.to_string()]);
        command.stdin(Stdio::piped());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        // What kills this program with its group must not kill it.
        command.process_group(0);
        command.spawn().ok().map(Self)
    }
}

#[cfg(unix)]
impl Drop for Watchdog {
    fn drop(&mut self) {
        // The pipe is closed after that.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// There are no process groups here.
#[cfg(not(unix))]
pub struct Watchdog;

#[cfg(not(unix))]
impl Watchdog {
    pub const fn of(_: u32) -> Option<Self> {
        None
    }
}
