//! `epode diagram`: draws records as SVG or PNG.
//!
//! `pages` reads the records, `picture` decides what the diagram of a record shows, `png` turns SVG into
//! PNG, `names` makes file names of ids. The drawing itself is in the crate `svg`, as for reports.

mod names;
mod pages;
mod picture;
mod png;

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use svg::{Colour, Scheme, Sheet};

use crate::cli::{Diagram, DiagramFormat, Theme};
use crate::exit_status::ExitStatus;
use crate::io::output::Output;
use crate::io::parallel::map_in_order;
use crate::io::stream::Stream;
use crate::text::counted;
use crate::verbs::filter::progress_bar;
use names::Names;
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

/// What is written, and whether OUT is a folder.
#[derive(Clone, Copy)]
struct Destination {
    folder: bool,
    format: DiagramFormat,
}

impl Destination {
    fn new(args: &Diagram) -> anyhow::Result<Self> {
        let Stream::File(path) = &args.output else {
            let format = args.format.unwrap_or(DiagramFormat::Svg);
            if format == DiagramFormat::Png && io::stdout().is_terminal() {
                bail!("standard output is a terminal, where a PNG cannot be shown: name OUT");
            }
            let folder = false;
            return Ok(Self { folder, format });
        };
        let extension = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        let named = match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("svg") => Some(DiagramFormat::Svg),
            Some("png") => Some(DiagramFormat::Png),
            _ => None,
        };
        let folder = path.is_dir()
            || path.to_string_lossy().ends_with(std::path::is_separator)
            || extension.is_none() && !path.exists();
        match (named, args.format) {
            _ if folder => {}
            (Some(named), Some(format)) if named != format => {
                bail!("{} does not end in the name of --format", path.display())
            }
            (None, None) => bail!(
                "{} is not a folder and does not end in .svg or .png, and no --format is given",
                path.display()
            ),
            _ => {}
        }
        if let Stream::File(input) = &args.input
            && same_file::is_same_file(input, path).unwrap_or(false)
        {
            bail!("{} is both IN and OUT", path.display());
        }
        let named = named.filter(|_| !folder);
        let format = args.format.or(named).unwrap_or(DiagramFormat::Svg);
        Ok(Self { folder, format })
    }
}

/// A page as it will be written.
struct DrawnPage {
    page: Page,
    diagrams: usize,
    /// What the file is named after if the page has one record.
    id: String,
    line: usize,
    bytes: Vec<u8>,
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

/// The files that are written.
struct Files<'a> {
    args: &'a Diagram,
    destination: Destination,
    names: Names,
    /// The first sheet for a file, until it is known whether others follow.
    first: Option<Vec<u8>>,
    written: usize,
}

impl<'a> Files<'a> {
    fn new(args: &'a Diagram, destination: Destination) -> anyhow::Result<Self> {
        if let (true, Stream::File(folder)) = (destination.folder, &args.output) {
            let failed = || format!("cannot write into {}", folder.display());
            fs::create_dir_all(folder).with_context(failed)?;
        }
        Ok(Self {
            args,
            destination,
            names: Names::default(),
            first: None,
            written: 0,
        })
    }

    fn add(&mut self, page: DrawnPage) -> anyhow::Result<()> {
        let Stream::File(out) = &self.args.output else {
            if self.first.replace(page.bytes).is_some() {
                bail!("standard output takes one sheet, and there are several: name a folder");
            }
            return Ok(());
        };
        if self.destination.folder {
            let name = match self.args.per_page {
                Some(_) => format!("{}-{}", self.input_name(), self.written + 1),
                None => self.names.unique(&page.id, &format!("line-{}", page.line)),
            };
            return self.write(
                &out.join(format!("{name}.{}", self.extension())),
                &page.bytes,
            );
        }
        if self.written == 0 && self.first.is_none() {
            self.first = Some(page.bytes);
            return Ok(());
        }
        if let Some(first) = self.first.take() {
            self.write(&numbered(out, 1), &first)?;
        }
        self.write(&numbered(out, self.written + 1), &page.bytes)
    }

    /// Writes what is left. Returns the number of files.
    fn finish(mut self) -> anyhow::Result<usize> {
        if let Some(bytes) = self.first.take() {
            match &self.args.output {
                Stream::File(out) => self.write(out, &bytes)?,
                Stream::Standard => self.write_to(&Stream::Standard, &bytes)?,
            }
        }
        Ok(self.written)
    }

    fn write(&mut self, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        self.write_to(&Stream::File(path.to_owned()), bytes)
    }

    fn write_to(&mut self, stream: &Stream, bytes: &[u8]) -> anyhow::Result<()> {
        let mut output = Output::create(stream)?;
        output.write(bytes)?;
        output.finish()?;
        self.written += 1;
        Ok(())
    }

    fn extension(&self) -> &'static str {
        match self.destination.format {
            DiagramFormat::Svg => "svg",
            DiagramFormat::Png => "png",
        }
    }

    /// The name of the input without its extensions, for sheets in a folder.
    fn input_name(&self) -> String {
        let Stream::File(path) = &self.args.input else {
            return "sheet".to_owned();
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut name = &*name;
        for extension in [".gz", ".zst", ".zstd", ".epd"] {
            name = name.strip_suffix(extension).unwrap_or(name);
        }
        Names::default().unique(name, "sheet")
    }
}

/// `out-3.svg` of `out.svg`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{number}.{}", extension.display()),
        None => format!("{stem}-{number}"),
    };
    path.with_file_name(name)
}
