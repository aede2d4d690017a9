//! `epode diagram`: draws records as SVG or PNG.
//!
//! `pages` reads the records, `picture` decides what the diagram of a record shows, `png` turns SVG into
//! PNG, `files` writes them, `names` makes file names of ids. The drawing itself is in the crate `svg`, as for reports.

mod files;
mod names;
mod pages;
mod picture;
pub mod png;

use anyhow::bail;
use svg::{Colour, Scheme, Sheet};

use crate::cli::{Diagram, DiagramFormat, Theme};
use crate::exit_status::ExitStatus;
use crate::io::parallel::map_in_order;
use crate::text::counted;
use crate::verbs::filter::progress_bar;
use files::{Destination, DrawnPage, Files};
use pages::{Choice, Page, Pages};
use picture::Picture;

/// The greatest number of diagrams on a sheet; the same as in the range of --per-page.
const MOST_ON_A_SHEET: usize = 200;

/// The maximum number of finished pages that wait for an earlier one.
const PAGES_AHEAD: usize = 8;

pub fn run(args: &Diagram) -> anyhow::Result<ExitStatus> {
    let destination = Destination::new(args)?;
    let per_page = match args.per_page {
        Some(number) => number.into(),
        None if destination.folder => 1,
        None => MOST_ON_A_SHEET + 1,
    };
    let pages = Pages::open(Choice {
        stream: &args.input,
        castling: args.castling,
        only: args.only.as_ref(),
        per_page,
    })?;
    let bar = progress_bar(&args.input, &args.output, pages.is_compressed());
    let mut files = Files::new(args, destination)?;
    let (mut drawn, mut faulty, mut unreadable) = (0, 0, 0);
    map_in_order(
        pages,
        args.jobs.get(),
        PAGES_AHEAD,
        || |page: anyhow::Result<Page>| draw(page?, args, destination.format),
        |sheet: anyhow::Result<DrawnPage>| {
            let sheet = sheet?;
            bar.inc(sheet.page.bytes as u64);
            if !sheet.page.messages.is_empty() {
                bar.suspend(|| eprint!("{}", sheet.page.messages));
            }
            drawn += sheet.diagrams;
            faulty += sheet.page.faulty;
            unreadable += sheet.page.unreadable;
            if sheet.diagrams == 0 {
                return Ok(());
            }
            files.add(sheet)
        },
    )?;
    let written = files.finish()?;
    bar.finish_and_clear();
    eprintln!(
        "{} in {}, {faulty} with warnings; {} not understood",
        counted(drawn, "diagram", "diagrams"),
        counted(written, "file", "files"),
        counted(unreadable, "line", "lines"),
    );
    Ok(match (unreadable, faulty) {
        (0, 0) => ExitStatus::Success,
        (0, _) => ExitStatus::Faulty,
        _ => ExitStatus::Failed,
    })
}

fn draw(mut page: Page, args: &Diagram, format: DiagramFormat) -> anyhow::Result<DrawnPage> {
    let entries = std::mem::take(&mut page.entries);
    if entries.len() > MOST_ON_A_SHEET {
        bail!(
            "{} has more than {MOST_ON_A_SHEET} records, too many for one sheet: give --per-page, --only or \
             a folder",
            args.input
        );
    }
    let first = entries.first();
    let id = first.and_then(|entry| entry.record.id().ok().flatten());
    let id = id.unwrap_or_default().to_owned();
    let line = first.map_or(0, |entry| entry.line);
    let pictures: Vec<_> = entries
        .into_iter()
        .map(|entry| Picture::new(entry, args))
        .collect();
    let diagrams: Vec<_> = pictures.iter().map(Picture::diagram).collect();
    let mut drawn = DrawnPage {
        page,
        diagrams: diagrams.len(),
        id,
        line,
        bytes: Vec::new(),
    };
    if drawn.diagrams == 0 {
        return Ok(drawn);
    }
    let paints = args.colors.iter().map(|paint| Colour {
        name: &paint.name,
        light: &paint.value,
        dark: &paint.value,
    });
    // Of several values for one name, the last counts.
    let colours: Vec<_> = paints.rev().collect();
    let on_a_page = args.per_page.map_or(diagrams.len(), usize::from);
    let sheet = Sheet {
        columns: args.columns.map_or_else(|| columns(on_a_page), usize::from),
        size: args.size.into(),
        scheme: match args.theme {
            Theme::Auto if format == DiagramFormat::Svg => Scheme::Both,
            Theme::Auto | Theme::Light => Scheme::Light,
            Theme::Dark => Scheme::Dark,
        },
        colours: &colours,
    };
    let svg = sheet.to_file(&diagrams);
    drawn.bytes = match format {
        DiagramFormat::Svg => svg.into_bytes(),
        DiagramFormat::Png => png::render(&svg)?,
    };
    Ok(drawn)
}

/// The number of columns with which so many diagrams make a sheet that is higher than wide, as paper is.
fn columns(diagrams: usize) -> usize {
    const PAPER: f64 = 1.4;
    (diagrams as f64 / PAPER).sqrt().round().max(1.0) as usize
}
