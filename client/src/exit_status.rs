//! The exit status of the program.

use std::process::ExitCode;

/// The exit statuses, the worse ones later: the status of several files is the greatest of theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// 0: everything is in order.
    Success,
    /// 1: the input was read, and something in it is wrong.
    Faulty,
    /// 2: something could not be read, written or understood.
    Failed,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}
