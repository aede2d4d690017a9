//! The files that are written, and their names.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::names::Names;
use super::pages::Page;
use crate::cli::{Diagram, DiagramFormat};
use crate::io::output::Output;
use crate::io::stream::Stream;

/// What is written, and whether OUT is a folder.
#[derive(Clone, Copy)]
pub struct Destination {
    pub folder: bool,
    pub format: DiagramFormat,
}

impl Destination {
    pub fn new(args: &Diagram) -> anyhow::Result<Self> {
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
pub struct DrawnPage {
    pub page: Page,
    pub diagrams: usize,
    /// What the file is named after if the page has one record.
    pub id: String,
    pub line: usize,
    pub bytes: Vec<u8>,
}

/// The files that are written.
pub struct Files<'a> {
    args: &'a Diagram,
    destination: Destination,
    names: Names,
    /// The first sheet for a file, until it is known whether others follow.
    first: Option<Vec<u8>>,
    written: usize,
}

impl<'a> Files<'a> {
    pub fn new(args: &'a Diagram, destination: Destination) -> anyhow::Result<Self> {
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

    pub fn add(&mut self, page: DrawnPage) -> anyhow::Result<()> {
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
    pub fn finish(mut self) -> anyhow::Result<usize> {
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
