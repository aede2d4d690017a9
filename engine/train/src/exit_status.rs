//! The exit status of the program.

use std::process::ExitCode;

/// The exit statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: success.
    Success,
    /// 1: a game file is damaged, or the search has a bug.
    Faulty,
    /// 2: something could not be read, written or understood.
    Failed,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}
