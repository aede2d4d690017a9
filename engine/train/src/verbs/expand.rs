//! Expands game files into data points.

use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::Context;
use crc::{CRC_32_ISO_HDLC, Crc};
use epode_train::data_point::{DataPoint, Stored};
use epode_train::games::{Block, Blocks, Counts, Damage};

use crate::parallel::map_in_order;

/// The data points of a block of games, one after the other as [`DataPoint::to_bytes`] writes them.
pub struct Expanded {
    pub counts: Counts,
    pub bytes: Vec<u8>,
}

/// The checksum that decides which data points belong to a share.
static CHECKSUM: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// Which data points are taken from the games, and with which scores.
#[derive(Clone, Copy)]
pub struct Selection {
    /// [`PlayedGame::data_points`](epode_train::selfplay::PlayedGame::data_points) describes it.
    pub td_lambda: f64,
    /// Scores beyond this many centipawns are left out.
    pub max_score: Option<u16>,
    /// The percentage that is kept of the data points that do not come from side lines.
    pub game_share: usize,
}

impl Default for Selection {
    /// All data points, with their own scores.
    fn default() -> Self {
        Self {
            td_lambda: 0.0,
            max_score: None,
            game_share: 100,
        }
    }
}

impl Selection {
    /// Whether a data point is kept. Chance is decided by a checksum, so that it does not depend on the order
    /// of the data points, and a greater share keeps all those of a smaller one.
    fn keeps(&self, data_point: &DataPoint, stored: &Stored) -> bool {
        let is_small = |limit| data_point.score.unsigned_abs() <= limit;
        let is_drawn = || CHECKSUM.checksum(stored) % 100 < self.game_share as u32;
        self.max_score.is_none_or(is_small) && (data_point.result.is_none() || is_drawn())
    }
}

/// Expands the blocks of a game file on several threads, and passes them on in the order of the file.
/// Reports damaged parts on standard error, and returns whether there are any; `None` if the file does
/// not start like a game file.
pub fn expand(
    path: &Path,
    selection: Selection,
    threads: NonZeroUsize,
    mut sink: impl FnMut(Expanded) -> anyhow::Result<()>,
) -> anyhow::Result<Option<bool>> {
    let Some(mut blocks) = Blocks::open(path)? else {
        return Ok(None);
    };
    let mut damages = Vec::new();
    map_in_order(
        &mut blocks,
        threads.get(),
        || move |block: anyhow::Result<Block>| expand_block(path, selection, &block?),
        |expanded| {
            match expanded? {
                Ok(expanded) => sink(expanded)?,
                Err(damage) => damages.push(damage),
            }
            anyhow::Ok(())
        },
    )?;
    damages.extend(blocks.damages());
    damages.sort_unstable_by_key(|damage| damage.offset);
    for damage in &damages {
        eprintln!("{}: {damage}", path.display());
    }
    Ok(Some(!damages.is_empty()))
}

fn expand_block(
    path: &Path,
    selection: Selection,
    block: &Block,
) -> anyhow::Result<Result<Expanded, Damage>> {
    let games = match block.games() {
        Ok(games) => games,
        Err(damage) => return Ok(Err(damage)),
    };
    let mut bytes = Vec::new();
    for game in &games {
        let data_points = game.data_points(selection.td_lambda);
        let data_points = data_points.with_context(|| path.display().to_string())?;
        for data_point in &data_points {
            let stored = data_point.to_bytes();
            if selection.keeps(data_point, &stored) {
                bytes.extend(stored);
            }
        }
    }
    let counts = Counts {
        games: games.len() as u64,
        positions: (bytes.len() / DataPoint::SIZE) as u64,
    };
    Ok(Ok(Expanded { counts, bytes }))
}
