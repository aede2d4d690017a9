//! The exit status of the program.

/// The program's exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: every game was played.
    Finished,
    /// 1: every game was played, and at least one was forfeited.
    Forfeits,
    /// 2: something could not be read, written or understood.
    Error,
    /// 3: the event was stopped before its end and can be resumed.
    Stopped,
}
