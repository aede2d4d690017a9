//! The settings of endgame tablebases.

use std::sync::Arc;

use engine::Probing;
use syzygy::{Rule50, Tablebases};

use crate::text::counted;

/// A new value of one of the options.
pub enum Setting {
    /// `SyzygyPath` of UCI, `egtpath syzygy` of xboard; none for no tables.
    Path(Option<String>),
    /// `SyzygyProbeDepth`
    Depth(u16),
    /// `SyzygyProbeLimit`
    Limit(usize),
    /// `Syzygy50MoveRule`
    Rule50(Rule50),
}

impl Setting {
    /// The value of `SyzygyPath`: a list of folders, or `<empty>`.
    pub fn path(value: &str) -> Self {
        let is_empty = value.is_empty() || value == "<empty>";
        Self::Path((!is_empty).then(|| value.to_owned()))
    }
}

/// The values of the options.
pub struct Syzygy {
    tablebases: Option<Arc<Tablebases>>,
    depth: u16,
    limit: usize,
    rule50: Rule50,
}

impl Default for Syzygy {
    fn default() -> Self {
        Self {
            tablebases: None,
            depth: 1,
            limit: 7,
            rule50: Rule50::Counts,
        }
    }
}

impl Syzygy {
    /// Sets an option, and returns how the engine is to probe from now on.
    pub fn set(&mut self, setting: Setting, tell: fn(&str)) -> Option<Probing> {
        match setting {
            Setting::Path(path) => {
                let tables = path.and_then(|path| open(&path, tell));
                self.tablebases = tables.map(Arc::new);
            }
            Setting::Depth(depth) => self.depth = depth,
            Setting::Limit(limit) => self.limit = limit,
            Setting::Rule50(rule50) => self.rule50 = rule50,
        }
        self.tablebases.clone().map(|tablebases| Probing {
            tablebases,
            depth: self.depth,
            limit: self.limit,
            rule50: self.rule50,
        })
    }
}

/// Opens the tables of a list of folders, and tells what it found. As in Stockfish, a folder that cannot be
/// read leaves those of the others in use.
fn open(path: &str, tell: fn(&str)) -> Option<Tablebases> {
    let unreadable = |error| tell(&format!("SyzygyPath: {error}"));
    match Tablebases::open_readable(path, unreadable) {
        Ok(tablebases) => {
            tell_bad_tables(&tablebases, tell);
            let count = counted(tablebases.count() as u64, "tablebase", "tablebases");
            let most = tablebases.max_pieces();
            tell(&format!("Found {count} (up to {most} pieces)"));
            Some(tablebases)
        }
        Err(error) => {
            tell(&format!("SyzygyPath: {error}; no tablebases are used"));
            None
        }
    }
}

/// Tells which tables were found to be damaged since the last call.
pub fn tell_bad_tables(tablebases: &Tablebases, mut tell: impl FnMut(&str)) {
    for bad in tablebases.bad_tables() {
        tell(&format!("SyzygyPath: {bad}; it is not used"));
    }
}
