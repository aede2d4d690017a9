//! The logs of a player: all records sent and received, and its games as PGN.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use jiff::Timestamp;

use super::pgn;
use super::session::Played;

/// The log files of a player, each of them optional.
pub struct Log {
    records: Option<File>,
    games: Option<File>,
    /// A game without a result, which may go on: after a break of the connection, or from an earlier
    /// position.
    unfinished: Option<Played>,
}

impl Log {
    /// Appends to these files.
    pub fn open(records: Option<&Path>, games: Option<&Path>) -> anyhow::Result<Self> {
        let open = |path: &Path| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.with_context(|| format!("cannot write {}", path.display()))
        };
        Ok(Self {
            records: records.map(open).transpose()?,
            games: games.map(open).transpose()?,
            unfinished: None,
        })
    }

    /// Writes a record with the time, in milliseconds of UTC, and its direction: `<` came, `>` went.
    pub fn record(&mut self, direction: char, line: &str) -> anyhow::Result<()> {
        let Some(file) = &mut self.records else {
            return Ok(());
        };
        let now = Timestamp::now();
        writeln!(file, "{now:.3} {direction} {line}").context("cannot write the log")
    }

    /// Writes what is no record, such as the restart of an engine, as a comment with the time.
    pub fn note(&mut self, text: &str) -> anyhow::Result<()> {
        self.record('#', text)
    }

    /// Takes a game that is over, or that may go on later. It is written once it has a result, or
    /// another one begins.
    pub fn game(&mut self, mut played: Played) -> anyhow::Result<()> {
        if self.games.is_none() {
            return Ok(());
        }
        if let Some(before) = self.unfinished.take() {
            if played.continues(&before) {
                played.learn_from(&before);
            } else {
                self.write(&before)?;
            }
        }
        if played.is_finished() {
            return self.write(&played);
        }
        self.unfinished = Some(played);
        Ok(())
    }

    fn write(&mut self, played: &Played) -> anyhow::Result<()> {
        let Some(file) = &mut self.games else {
            return Ok(());
        };
        let text = pgn::text(played)?;
        // In one piece: another player may append to the same file.
        file.write_all(text.as_bytes())
            .context("cannot write the game")
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        if let Some(played) = self.unfinished.take()
            && let Err(error) = self.write(&played)
        {
            eprintln!("epode: {error:#}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use movegen::{Position, san};

    use super::*;
    use crate::play::session::Ply;

    /// A game with these moves. We move for White; our n-th move has a score and takes n seconds, if we
    /// made it in this part of the game.
    fn part(round: &str, result: &str, moves: &str, first: usize) -> Played {
        let mut position = Position::start();
        let plies = moves.split_whitespace().enumerate().map(|(i, text)| {
            let (mv, _) = san::parse_lenient(&position, text).expect(text);
            position.play(mv);
            let is_ours = i % 2 == 0 && i >= first;
            Ply {
                mv,
                score: is_ours.then_some(10),
                time: is_ours.then_some(Duration::from_secs(i as u64 / 2 + 1)),
                clock: None,
            }
        });
        let tags = [("White", "W"), ("Round", round), ("Result", result)];
        Played {
            start: Position::start(),
            plies: plies.collect(),
            tags: tags
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
        }
    }

    fn written(parts: Vec<Played>) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let mut log = Log::open(None, Some(&path)).expect("a file");
        for part in parts {
            log.game(part).expect("written");
        }
        drop(log);
        let text = std::fs::read_to_string(path).expect("a file");
        let games = text.split("\n\n").skip(1).step_by(2);
        games.collect::<Vec<_>>().join(" | ").replace('\n', " ")
    }

    #[test]
    fn parts_of_a_game_are_one_game() {
        // The connection broke after 1. e4 e5; then two half-moves were taken back.
        let parts = vec![
            part("1.1", "*", "e4 e5", 0),
            part("1.1", "*", "e4 e5 Nf3 Nc6", 2),
            part("1.1", "1-0", "e4 e5 Bc4", 2),
        ];
        assert_eq!(
            written(parts),
            "1. e4 {[%eval 0.10] [%emt 0:00:01]} 1... e5 2. Bc4 {[%eval 0.10] [%emt 0:00:02]} 1-0"
        );
    }

    #[test]
    fn games_that_do_not_go_on_are_kept() {
        let parts = vec![
            part("1.1", "*", "e4", 1),
            part("1.2", "0-1", "d4", 1),
            part("1.3", "*", "c4", 1),
        ];
        assert_eq!(written(parts), "1. e4 * | 1. d4 0-1 | 1. c4 *");
    }
}
