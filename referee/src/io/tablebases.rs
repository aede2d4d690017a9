//! Endgame tablebases that adjudicate games.

use std::fmt;
use std::path::Path;

use movegen::pgn::Outcome;
use movegen::{Color, Position};
use syzygy::{Tablebases, Wdl};

use crate::core::adjudication::Judge;

/// The tables of a list of folders.
#[derive(Debug)]
pub struct Tables(Tablebases);

impl Tables {
    /// Opens the tables of a list of folders, relative to the folder of the event file.
    pub fn open(list: &str, folder: &Path) -> anyhow::Result<Self> {
        let folders = std::env::split_paths(list).map(|path| folder.join(path));
        let folders = std::env::join_paths(folders)?;
        Ok(Self(Tablebases::open(folders)?))
    }

    /// What was found to be wrong with the files since the last call.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let bad = self.0.bad_tables();
        bad.iter()
            .map(|bad| format!("{bad}; it is not used"))
            .collect()
    }

    /// The result for the side to move, if it is certain. A table has the result at a halfmove clock of 0.
    /// If the clock has run, a win also needs its distance to be within the fifty moves, one ply less
    /// because distances can be too small by one.
    fn certain(&self, position: &Position) -> Option<Wdl> {
        let wdl = self.0.wdl(position).ok()?;
        let clock = i32::from(position.halfmove_clock());
        if !matches!(wdl, Wdl::Win | Wdl::Loss) || clock == 0 {
            return Some(wdl);
        }
        let distance = self.0.dtz(position).ok()?.abs();
        (distance + clock < 100).then_some(wdl)
    }
}

impl Judge for Tables {
    fn result(&self, position: &Position) -> Option<Outcome> {
        if position.occupied().len() as usize > self.0.max_pieces() {
            return None;
        }
        let certain = self.certain(position);
        for warning in self.warnings() {
            eprintln!("epode-referee: {warning}");
        }
        Some(match (certain?, position.turn()) {
            // The fifty-move rule makes the cursed ones draws.
            (Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss, _) => Outcome::Draw,
            (Wdl::Win, Color::White) | (Wdl::Loss, Color::Black) => Outcome::White,
            (Wdl::Win, Color::Black) | (Wdl::Loss, Color::White) => Outcome::Black,
        })
    }
}

/// How many tables there are, for `check`.
impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, most) = (self.0.count(), self.0.max_pieces());
        write!(
            f,
            "adjudication by {count} tablebases of up to {most} pieces"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of three pieces, which the repository has.
    fn result(fen: &str) -> Option<Outcome> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../movegen/syzygy");
        let tables = Tables::open("tables", &folder).expect("tables");
        tables.result(&fen.parse().expect(fen))
    }

    #[test]
    fn results_are_certain() {
        for (fen, expected) in [
            ("8/8/8/8/8/2k5/8/K6R w - - 0 1", Some(Outcome::White)),
            ("8/8/8/8/8/2k5/8/K6R b - - 0 1", Some(Outcome::White)),
            ("8/8/8/8/8/2K5/8/k6r w - - 0 1", Some(Outcome::Black)),
            ("8/8/8/4k3/4P3/4K3/8/8 w - - 0 1", Some(Outcome::Draw)),
            // Enough time for the win, and too little.
            ("8/8/8/8/8/2k5/8/K6R w - - 50 90", Some(Outcome::White)),
            ("8/8/8/8/8/2k5/8/K6R w - - 90 99", None),
            // A draw remains one.
            ("8/8/8/4k3/4P3/4K3/8/8 w - - 90 99", Some(Outcome::Draw)),
            // Castling, and too many pieces.
            ("8/8/8/8/8/2k5/8/4K2R w K - 0 1", None),
            ("8/8/8/8/8/2k5/7r/K6R w - - 0 1", None),
        ] {
            assert_eq!(result(fen), expected, "{fen}");
        }
    }
}
