//! Expands game files into data points.

use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::Context;
use epode_train::data_point::DataPoint;
use epode_train::games::{Block, Blocks, Counts, Damage};
use epode_train::selection::Selection;

use crate::parallel::map_in_order;

/// The data points of a block of games, one after the other as [`DataPoint::to_bytes`] writes them.
pub struct Expanded {
    pub counts: Counts,
    pub bytes: Vec<u8>,
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
