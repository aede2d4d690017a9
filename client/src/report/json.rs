//! A report as one JSON value. Its shape is that of [`Report`], whose fields are described there:
//!
//! ```json
//! {
//!   "files": [{"name": "a.epd", "records": 2, "solved": 1, "missed": 1, "unanswered": 0,
//!     "points": null, "most_points": null, "untargeted": 0, "illegal": 0, "unreadable": 0,
//!     "nodes": 40000, "milliseconds": null, "nodes_per_second": null}],
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

use super::summary::Report;

pub fn render(report: &Report) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(report)? + "\n")
}
