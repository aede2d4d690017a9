//! Where output goes: standard output, or a file that appears whole or not at all.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

use crate::args::Stream;

/// An output stream that is finished explicitly: dropped before, a file is left as it was.
pub enum Output {
    Standard(BufWriter<Stdout>),
    /// A pipe or a device: there is nothing to keep whole.
    Special(BufWriter<File>),
    File {
        temporary: BufWriter<NamedTempFile>,
        path: PathBuf,
    },
    /// A file that grows under another name, where it can be looked at.
    Part {
        file: BufWriter<File>,
        path: PathBuf,
    },
}

/// What stands beside a file that is not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// What is written so far.
    Part,
    /// What there is to know to go on.
    Journal,
}

impl Unfinished {
    /// The name, from that of the file.
    pub fn beside(self, path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(match self {
            Self::Part => ".part",
            Self::Journal => ".journal",
        });
        name.into()
    }
}

impl Stream {
    /// The file that is to be replaced or made; none for pipes, devices and standard output. The
    /// file behind a link is replaced, not the link.
    pub fn plain_file(&self) -> io::Result<Option<PathBuf>> {
        let Self::File(name) = self else {
            return Ok(None);
        };
        let path = name.canonicalize().unwrap_or_else(|_| name.clone());
        match fs::metadata(&path) {
            Ok(metadata) if !metadata.is_file() => Ok(None),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(Some(path)),
        }
    }
}

impl Output {
    pub fn create(stream: &Stream) -> anyhow::Result<Self> {
        let Stream::File(name) = stream else {
            return Ok(Self::Standard(BufWriter::new(io::stdout())));
        };
        Self::create_file(stream, name).with_context(|| format!("cannot write {stream}"))
    }

    /// A file that grows beside its place for a long time; other streams as they are.
    pub fn create_part(stream: &Stream) -> anyhow::Result<Self> {
        let create = || {
            let Some(path) = stream.plain_file()? else {
                return Ok(None);
            };
            let file = File::create(Unfinished::Part.beside(&path))?;
            if let Ok(metadata) = fs::metadata(&path) {
                file.set_permissions(metadata.permissions())?;
            }
            let file = BufWriter::new(file);
            io::Result::Ok(Some(Self::Part { file, path }))
        };
        match create().with_context(|| format!("cannot write {stream}"))? {
            Some(part) => Ok(part),
            None => Self::create(stream),
        }
    }

    fn create_file(stream: &Stream, name: &Path) -> io::Result<Self> {
        let Some(path) = stream.plain_file()? else {
            // A folder cannot be opened so, which is the error to report.
            return Ok(Self::Special(BufWriter::new(
                File::options().write(true).open(name)?,
            )));
        };
        let existing = fs::metadata(&path).ok();
        let temporary = temporary_beside(&path, existing.map(|metadata| metadata.permissions()))?;
        Ok(Self::File {
            temporary: BufWriter::new(temporary),
            path,
        })
    }

    /// Writes a line. On standard output it is seen at once.
    pub fn line(&mut self, line: &impl std::fmt::Display) -> io::Result<()> {
        match self {
            Self::Standard(stdout) => {
                writeln!(stdout, "{line}")?;
                stdout.flush()
            }
            Self::Special(file) => writeln!(file, "{line}"),
            Self::File { temporary, .. } => writeln!(temporary, "{line}"),
            Self::Part { file, .. } => {
                writeln!(file, "{line}")?;
                file.flush()
            }
        }
    }

    /// Writes lines that are whole. On standard output they are seen at once.
    pub fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        match self {
            Self::Standard(stdout) => {
                stdout.write_all(lines)?;
                stdout.flush()
            }
            Self::Special(file) | Self::Part { file, .. } => file.write_all(lines),
            Self::File { temporary, .. } => temporary.write_all(lines),
        }
    }

    /// Puts a file in its place.
    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Standard(mut stdout) => stdout.flush()?,
            Self::Special(mut file) => file.flush()?,
            Self::File { temporary, path } => {
                let written = || format!("cannot write {}", path.display());
                let temporary = temporary
                    .into_inner()
                    .map_err(io::IntoInnerError::into_error);
                let temporary = temporary.with_context(written)?;
                temporary.as_file().sync_all().with_context(written)?;
                temporary
                    .persist(&path)
                    .map_err(|error| error.error)
                    .with_context(written)?;
            }
            Self::Part { file, path } => {
                let written = || format!("cannot write {}", path.display());
                let file = file.into_inner().map_err(io::IntoInnerError::into_error);
                file.and_then(|file| file.sync_all())
                    .and_then(|()| fs::rename(Unfinished::Part.beside(&path), &path))
                    .with_context(written)?;
            }
        }
        Ok(())
    }

    /// Leaves a file that grows as it is; returns where it is.
    pub fn leave(self) -> Option<PathBuf> {
        match self {
            Self::Part { path, .. } => Some(Unfinished::Part.beside(&path)),
            _ => None,
        }
    }

    /// Removes a file that grows.
    pub fn discard(self) -> io::Result<()> {
        self.leave().map_or(Ok(()), fs::remove_file)
    }
}

/// A temporary file in the folder of another, with its permissions or those of any new file.
fn temporary_beside(path: &Path, permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    // A missing folder is told of before the random name of a file in it would be.
    fs::metadata(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".epode-");
    #[cfg(unix)]
    if permissions.is_none() {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(0o666));
    }
    let temporary = builder.tempfile_in(folder)?;
    if let Some(permissions) = permissions {
        temporary.as_file().set_permissions(permissions)?;
    }
    Ok(temporary)
}

/// Whether an error is that nobody reads standard output any more.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
