//! Output to standard output, or to a file that is replaced atomically.

use std::fmt;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use crate::io::compression::{Compression, Encoder};
use crate::io::stream::Stream;
use crate::io::temporary::{Closed, Temporary};
use anyhow::{Context, bail};
use same_file::Handle;

/// An output stream. A file is replaced only by `finish`; dropping the stream leaves the file as it
/// was.
pub enum Output {
    Standard(BufWriter<Stdout>),
    /// A pipe or a device, which is written directly.
    Special {
        file: BufWriter<File>,
        path: PathBuf,
    },
    File {
        temporary: Box<Encoder<BufWriter<Temporary>>>,
        target: Target,
    },
    /// A file that is written under another name, where it can be inspected meanwhile.
    Part {
        file: BufWriter<File>,
        target: Target,
    },
}

/// A file to be replaced or created.
pub struct Target {
    path: PathBuf,
    /// The metadata of the existing file.
    existing: Option<Metadata>,
    compression: Option<Compression>,
}

/// An output that is complete: a temporary file, and the one that it replaces.
pub struct Complete(Option<(Closed, PathBuf)>);

impl Complete {
    /// Replaces the file.
    pub fn replace(self) -> anyhow::Result<()> {
        match self.0 {
            None => Ok(()),
            Some((closed, path)) => closed.persist(&path).with_context(|| cannot_write(&path)),
        }
    }
}

/// The context of errors in writing to standard output.
#[derive(Clone, Copy, Debug)]
pub struct StandardOutput;

impl fmt::Display for StandardOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot write standard output")
    }
}

/// Whether an error means that the reader of standard output closed the pipe. Other pipes do not
/// count: those to an engine or a referee, and one that is given as OUT.
pub fn is_closed_by_reader(error: &anyhow::Error) -> bool {
    let is_broken_pipe = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.is::<StandardOutput>() && error.downcast_ref().is_some_and(is_broken_pipe)
}

/// The files beside an unfinished output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The output so far.
    Part,
    /// The journal from which the run can be resumed.
    Journal,
}

impl Unfinished {
    /// The path, from that of the finished file.
    pub fn beside(self, path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(match self {
            Self::Part => ".part",
            Self::Journal => ".journal",
        });
        name.into()
    }
}

/// Refuses, before anything is written, a read-only OUT and one that would destroy IN.
pub fn check_destination(
    input: &Stream,
    compression: Option<Compression>,
    output: &Stream,
    force: bool,
) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {output}");
    let Some(path) = output.plain_file().with_context(cannot)? else {
        if output.path_to_write().is_none() && is_standard_output(input) {
            bail!("{input} is both the input and standard output, name another OUT");
        }
        return Ok(());
    };
    if !force && is_read_only(&path) {
        bail!("cannot write {output}: it is read-only (--force overwrites it)");
    }
    let becomes = Compression::of_name(&path);
    if is_same_file(input, output) && becomes != compression {
        let what = |compression: Option<Compression>| match compression {
            None => "plain text".to_owned(),
            Some(compression) => format!("compressed with {compression}"),
        };
        let (is, becomes) = (what(compression), what(becomes));
        bail!("{input} is {is} and would become {becomes}, name another OUT");
    }
    Ok(())
}

/// Whether the output would replace the file that the input is read from.
pub fn is_same_file(input: &Stream, output: &Stream) -> bool {
    match (input, output.path_to_write()) {
        (Stream::File(name), Some(path)) => {
            // Opening a pipe would wait for its other end.
            let are_files = input.is_regular() && path.is_file();
            are_files && same_file::is_same_file(name, path).unwrap_or(false)
        }
        _ => false,
    }
}

/// Refuses an output that would replace the input by something else than its records.
pub fn refuse_same_file(input: &Stream, output: &Stream) -> anyhow::Result<()> {
    if is_same_file(input, output) {
        bail!("{output} is one of the files to read, name another OUT");
    }
    Ok(())
}

/// Whether the input is the file that standard output is redirected to.
fn is_standard_output(input: &Stream) -> bool {
    let input = match input {
        Stream::Standard => Handle::stdin(),
        Stream::File(path) if input.is_regular() => Handle::from_path(path),
        Stream::File(_) => return false,
    };
    let is_file = |handle: &Handle| {
        let metadata = handle.as_file().metadata();
        metadata.is_ok_and(|metadata| metadata.is_file())
    };
    match (input, Handle::stdout()) {
        (Ok(input), Ok(output)) => input == output && is_file(&input),
        _ => false,
    }
}

/// Whether a file exists that this user may not write.
fn is_read_only(path: &Path) -> bool {
    let Ok(metadata) = fs::metadata(path) else {
        return false;
    };
    let opened = File::options().write(true).open(path);
    metadata.permissions().readonly()
        || opened.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

impl Target {
    fn new(path: PathBuf, compression: Option<Compression>) -> Self {
        Self {
            existing: fs::metadata(&path).ok(),
            path,
            compression,
        }
    }

    /// Makes a temporary file in the folder of the file.
    fn temporary(&self) -> io::Result<Temporary> {
        let folder = self.path.parent();
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        // A missing folder is reported by its own name, not by that of the temporary file.
        fs::metadata(folder)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".epode-");
        #[cfg(unix)]
        if self.existing.is_none() {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(Permissions::from_mode(0o666));
        }
        Temporary::create(&builder, folder)
    }

    fn part(&self) -> io::Result<File> {
        let file = File::create(Unfinished::Part.beside(&self.path))?;
        #[cfg(unix)]
        if let Some(existing) = &self.existing {
            use std::os::unix::fs::PermissionsExt;
            // With the permissions of the file it will replace, but writable.
            let mode = existing.permissions().mode() & 0o777 | 0o200;
            file.set_permissions(Permissions::from_mode(mode))?;
        }
        Ok(file)
    }

    /// Gives a file the owner, where that is permitted, and the mode of the one that it replaces.
    fn keep_attributes(&self, file: &File) -> io::Result<()> {
        let Some(existing) = &self.existing else {
            return Ok(());
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            // Set separately: users may set a group of their own, but not the owner.
            let _ = fchown(file, None, Some(existing.gid()));
            let _ = fchown(file, Some(existing.uid()), None);
        }
        file.set_permissions(existing.permissions())
    }

    /// Completes a temporary file.
    fn close(&self, temporary: Encoder<BufWriter<Temporary>>) -> io::Result<Closed> {
        let temporary = temporary
            .finish()?
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        self.keep_attributes(temporary.as_file())?;
        temporary.as_file().sync_all()?;
        Ok(temporary.close())
    }

    /// Replaces the file by the part file, compressed if requested.
    fn finish_part(&self, part: BufWriter<File>) -> io::Result<()> {
        let path = Unfinished::Part.beside(&self.path);
        let part = part.into_inner().map_err(io::IntoInnerError::into_error)?;
        if self.compression.is_some() {
            let temporary = BufWriter::new(self.temporary()?);
            let mut encoder = Encoder::new(temporary, self.compression)?;
            io::copy(&mut File::open(&path)?, &mut encoder)?;
            self.close(encoder)?.persist(&self.path)?;
            return fs::remove_file(path);
        }
        self.keep_attributes(&part)?;
        part.sync_all()?;
        fs::rename(path, &self.path)
    }
}

impl Output {
    /// Creates a file that is never compressed, whatever its name.
    pub fn create(stream: &Stream) -> anyhow::Result<Self> {
        if let Some(path) = stream.plain_file().ok().flatten()
            && is_read_only(&path)
        {
            bail!("cannot write {stream}: it is read-only");
        }
        Self::create_as_it_is(stream)
    }

    /// The same, even if the file is read-only. [`check_destination`] must have been called before.
    pub fn create_as_it_is(stream: &Stream) -> anyhow::Result<Self> {
        Self::create_as(stream, |_| None)
    }

    /// Creates a file of records, which is compressed if its name says so. [`check_destination`]
    /// must have been called before.
    pub fn create_records(stream: &Stream) -> anyhow::Result<Self> {
        Self::create_as(stream, Compression::of_name)
    }

    fn create_as(
        stream: &Stream,
        compression: impl Fn(&Path) -> Option<Compression>,
    ) -> anyhow::Result<Self> {
        let Some(name) = stream.path_to_write() else {
            return Ok(Self::Standard(BufWriter::new(io::stdout())));
        };
        let create = || {
            let Some(path) = stream.plain_file()? else {
                // For a folder, this error is the one to report.
                let file = BufWriter::new(File::options().write(true).open(name)?);
                let path = name.to_owned();
                return Ok(Self::Special { file, path });
            };
            let compression = compression(&path);
            let target = Target::new(path, compression);
            let temporary = BufWriter::new(target.temporary()?);
            let temporary = Box::new(Encoder::new(temporary, compression)?);
            io::Result::Ok(Self::File { temporary, target })
        };
        create().with_context(|| format!("cannot write {stream}"))
    }

    /// A file of records that grows beside its place for a long time, as plain text; other streams
    /// as they are.
    pub fn create_part(stream: &Stream) -> anyhow::Result<Self> {
        let create = || {
            let Some(path) = stream.plain_file()? else {
                return Ok(None);
            };
            let compression = Compression::of_name(&path);
            let target = Target::new(path, compression);
            let file = BufWriter::new(target.part()?);
            io::Result::Ok(Some(Self::Part { file, target }))
        };
        match create().with_context(|| format!("cannot write {stream}"))? {
            Some(part) => Ok(part),
            None => Self::create_records(stream),
        }
    }

    /// Writes a line. Standard output is flushed.
    pub fn line(&mut self, line: &impl std::fmt::Display) -> anyhow::Result<()> {
        self.write(format!("{line}\n").as_bytes())
    }

    /// Writes complete lines. Standard output and part files are flushed.
    pub fn write(&mut self, lines: &[u8]) -> anyhow::Result<()> {
        let is_flushed = matches!(self, Self::Standard(_) | Self::Part { .. });
        self.write_with(|out| {
            out.write_all(lines)?;
            if is_flushed { out.flush() } else { Ok(()) }
        })
    }

    /// Calls a function that writes.
    pub fn write_with(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let written = match self {
            Self::Standard(stdout) => write(stdout),
            Self::Special { file, .. } | Self::Part { file, .. } => write(file),
            Self::File { temporary, .. } => write(temporary),
        };
        written.map_err(|error| self.cannot_write(error))
    }

    /// Completes the output: replaces the file.
    pub fn finish(self) -> anyhow::Result<()> {
        self.complete()?.replace()
    }

    /// Completes the output, but does not replace the file yet.
    pub fn complete(self) -> anyhow::Result<Complete> {
        match self {
            Self::Standard(mut stdout) => stdout.flush().context(StandardOutput)?,
            Self::Special { mut file, path } => {
                file.flush().with_context(|| cannot_write(&path))?;
            }
            Self::File { temporary, target } => {
                let closed = target.close(*temporary);
                let closed = closed.with_context(|| cannot_write(&target.path))?;
                let path = target.path;
                return Ok(Complete(Some((closed, path))));
            }
            Self::Part { file, target } => {
                let finished = target.finish_part(file);
                finished.with_context(|| cannot_write(&target.path))?;
            }
        }
        Ok(Complete(None))
    }

    fn cannot_write(&self, error: io::Error) -> anyhow::Error {
        let error = anyhow::Error::from(error);
        match self {
            Self::Standard(_) => error.context(StandardOutput),
            Self::Special { path, .. } => error.context(cannot_write(path)),
            Self::File { target, .. } | Self::Part { target, .. } => {
                error.context(cannot_write(&target.path))
            }
        }
    }

    /// The path of the finished file; none for standard output, pipes and devices.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File { target, .. } | Self::Part { target, .. } => Some(&target.path),
            Self::Standard(_) | Self::Special { .. } => None,
        }
    }

    /// Keeps the unfinished part file; returns its path.
    pub fn leave(self) -> Option<PathBuf> {
        match self {
            Self::Part { target, .. } => Some(Unfinished::Part.beside(&target.path)),
            _ => None,
        }
    }

    /// Removes the unfinished part file.
    pub fn discard(self) -> io::Result<()> {
        self.leave().map_or(Ok(()), fs::remove_file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_pipe_of_standard_output_counts() {
        let broken = || io::Error::from(io::ErrorKind::BrokenPipe);
        let output = anyhow::Error::from(broken()).context(StandardOutput);
        assert!(is_closed_by_reader(&output));
        assert!(is_closed_by_reader(&output.context("the report")));
        let engine = anyhow::Error::from(broken()).context("cannot write to the engine");
        assert!(!is_closed_by_reader(&engine));
        let full = io::Error::from(io::ErrorKind::StorageFull);
        let full = anyhow::Error::from(full).context(StandardOutput);
        assert!(!is_closed_by_reader(&full));
        assert_eq!(full.to_string(), "cannot write standard output");
    }
}
