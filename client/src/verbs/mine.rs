//! `epode mine`: positions of games where one move is clearly best.

mod judge;
mod source;

use std::collections::HashSet;

use anyhow::{Context, bail};
use epd::Record;
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::{Mine, SamePosition};
use crate::exit_status::ExitStatus;
use crate::io::output::{Output, Unfinished, check_destination, refuse_same_file};
use crate::io::parallel::map_in_order;
use crate::io::stream::Stream;
use crate::text::{counted, grouped_count};
use crate::verbs::identity::Identity;

use self::judge::Judge;
use self::source::{Game, Source};

/// How many games may be finished before an earlier one, for each job.
const GAMES_AHEAD: usize = 8;

/// Ends the loop over the games.
enum End {
    Enough,
    Failed(anyhow::Error),
}

impl From<anyhow::Error> for End {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

pub fn run(args: &Mine) -> anyhow::Result<ExitStatus> {
    if args
        .engine
        .options
        .iter()
        .any(|option| option.0.eq_ignore_ascii_case("MultiPV"))
    {
        bail!("--option MultiPV: the number of lines is chosen by the search");
    }
    let source = Source::open(&args.input, args.from_ply..=args.to_ply, args.castling)?;
    refuse_same_file(&args.input, &args.output)?;
    check_destination(&args.input, source.compression(), &args.output, args.force)?;
    if !args.force {
        refuse_unfinished(&args.output)?;
    }
    // A wrong engine is an error before anything is written.
    drop(Judge::start(args)?);
    let mut output = Output::create_part(&args.output)?;
    let bar = spinner();
    let (mut games, mut faulty, mut positions, mut written) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut known = HashSet::new();
    let ended = map_in_order(
        source,
        args.jobs.get(),
        GAMES_AHEAD * args.jobs.get(),
        || {
            // A later start that fails is reported for each game.
            let mut judge = Judge::start(args);
            move |game: anyhow::Result<Game>| -> anyhow::Result<(Game, Vec<Record>)> {
                let game = game?;
                let judge = judge
                    .as_mut()
                    .map_err(|error| anyhow::anyhow!("{error:#}"))?;
                let found = judge.best_moves(&game)?;
                Ok((game, found))
            }
        },
        |result| {
            let (game, found) = result?;
            games += 1;
            positions += game.positions.len() as u64;
            faulty += u64::from(game.error.is_some());
            for message in game.error.iter().chain(&game.remark) {
                bar.suspend(|| eprintln!("{message}"));
            }
            for mut record in found {
                if !known.insert(Identity::new(&record, SamePosition::REPEATED).hash()) {
                    continue;
                }
                if args.max_count == Some(written) {
                    return Err(End::Enough);
                }
                written += 1;
                let lexicon = epd::Lexicon::standard();
                record.normalise(&lexicon);
                record.make_portable(&lexicon);
                output.line(&record)?;
            }
            bar.set_message(format!(
                "{games} games, {positions} positions, {written} found"
            ));
            bar.tick();
            Ok(())
        },
    );
    bar.finish_and_clear();
    if let Err(End::Failed(error)) = ended {
        return Err(error);
    }
    output.finish()?;
    eprintln!(
        "{} found in {} of {}",
        counted(written, "position", "positions"),
        grouped_count(positions, "position", "positions"),
        grouped_count(games, "game or record", "games or records"),
    );
    Ok(if faulty > 0 {
        ExitStatus::Faulty
    } else {
        ExitStatus::Success
    })
}

/// Refuses to replace what an unfinished run has found.
fn refuse_unfinished(output: &Stream) -> anyhow::Result<()> {
    let path = output.plain_file();
    let path = path.with_context(|| format!("cannot write {output}"))?;
    let Some(part) = path.map(|path| Unfinished::Part.beside(&path)) else {
        return Ok(());
    };
    if part.exists() {
        bail!(
            "{} belongs to an unfinished run: rename it to keep it, or --force replaces it",
            part.display()
        );
    }
    Ok(())
}

fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
    ProgressBar::new_spinner().with_style(style.unwrap_or(ProgressStyle::default_spinner()))
}
