//! A report as one JSON value: title, conclusion, and the fields of [`Report`]; `run` is what
//! [`RunInfo`](crate::batch::run_info::RunInfo) is.
//!
//! ```json
//! {
//!   "title": "wacnew.epd, 20,000 nodes a position",
//!   "conclusion": ["1 of 2 solved (50%)."],
//!   "files": [{"name": "a.epd", "file": "a.epd", "run": {"format": "epode-run", ...},
//!     "records": 2, "solved": 1, "missed": 1, "unanswered": 0,
//!     "points": null, "most_points": null, "untargeted": 0, "illegal": 0, "unreadable": 0,
//!     "sts_rating": null, "nodes": 40000, "milliseconds": null, "nodes_per_second": null}],
//!   "themes": [{"name": "WAC", "files": [{"solved": 1, ...}]}],
//!   "distributions": [{"measure": "nodes", "part": "solution", "bins": [{"from": 500, "to": 999}],
//!     "files": [{"spread": {"count": 1, "least": 604, "median": 604.0, "mean": 604.0, "most": 604},
//!       "counts": [1]}]}],
//!   "curves": [{"measure": "nodes", "files": [[[604, 1]]]}],
//!   "comparisons": [{"files": [0, 1], "records": 2, "different_positions": 0, "both": 1,
//!     "only": [0, 1], "neither": 0, "p": 1.0,
//!     "sooner": [{"measure": "nodes", "less": [1, 0], "equal": 0, "p": 1.0}]}],
//!   "records": [{"id": "WAC.003", "theme": "WAC", "position": "... w - -", "best": ["Rg3"],
//!     "avoid": [], "answers": [{"line": 3, "status": "solved", "move": "Rg3", "ce": 355,
//!       "points": null, "most_points": null,
//!       "whole": {"nodes": 20000, "depth": 11, "milliseconds": null},
//!       "solution": {"nodes": 604, "depth": 3, "milliseconds": null}}]}]
//! }
//! ```

use std::io::{self, Write};

use serde::Serialize;

use super::summary::Report;
use super::{conclusion, title};

pub fn write(report: &Report, mut out: impl Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Whole<'a> {
        title: String,
        conclusion: Vec<String>,
        #[serde(flatten)]
        report: &'a Report,
    }
    let whole = Whole {
        title: title::title(report),
        conclusion: conclusion::sentences(report),
        report,
    };
    serde_json::to_writer_pretty(&mut out, &whole)?;
    out.write_all(b"\n")
}
