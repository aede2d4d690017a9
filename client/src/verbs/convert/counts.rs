//! Counts of what was read and written, and the summary of them.

use std::fmt::Write;

use crate::cli::DataFormat;
use crate::exit_status::ExitStatus;
use crate::text::counted;

/// What was read and written.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub records: usize,
    pub games: usize,
    pub faulty: usize,
    pub unreadable: usize,
    /// Blank lines and comments.
    pub skipped: usize,
    /// Records that the format has no place for.
    pub left_out: usize,
    /// Operations that FEN has no place for.
    pub operations: usize,
    /// Positions that came before.
    pub repeated: usize,
}

impl Counts {
    pub fn add(&mut self, other: &Self) {
        self.records += other.records;
        self.games += other.games;
        self.faulty += other.faulty;
        self.unreadable += other.unreadable;
        self.skipped += other.skipped;
        self.left_out += other.left_out;
        self.operations += other.operations;
    }

    pub fn status(&self) -> ExitStatus {
        if self.unreadable > 0 {
            ExitStatus::Failed
        } else if self.faulty + self.left_out > 0 {
            ExitStatus::Faulty
        } else {
            ExitStatus::Success
        }
    }

    pub fn summary(&self, from: DataFormat, to: DataFormat) -> String {
        let mut text = counted(self.records - self.repeated, "record", "records");
        if from == DataFormat::Pgn {
            let _ = write!(text, " from {}", counted(self.games, "game", "games"));
        }
        let _ = write!(text, ", {} with warnings", self.faulty);
        let what = if from == DataFormat::Pgn {
            ["game", "games"]
        } else {
            ["line", "lines"]
        };
        let _ = write!(
            text,
            "; {} not understood",
            counted(self.unreadable, what[0], what[1])
        );
        for (count, one, several) in [
            (self.left_out, "record left out", "records left out"),
            (
                self.repeated,
                "repeated position left out",
                "repeated positions left out",
            ),
            (
                self.skipped,
                "blank line or comment left out",
                "blank lines and comments left out",
            ),
        ] {
            if count > 0 {
                let _ = write!(text, "; {}", counted(count, one, several));
            }
        }
        // Those of games were made here.
        if to == DataFormat::Fen && from != DataFormat::Pgn && self.operations > 0 {
            let operations = counted(self.operations, "operation", "operations");
            let _ = write!(text, "; {operations} left out, which FEN has no place for");
        }
        text
    }
}
