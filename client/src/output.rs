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
}

impl Output {
    pub fn create(stream: &Stream) -> anyhow::Result<Self> {
        let Stream::File(name) = stream else {
            return Ok(Self::Standard(BufWriter::new(io::stdout())));
        };
        Self::create_file(name).with_context(|| format!("cannot write {stream}"))
    }

    fn create_file(name: &Path) -> io::Result<Self> {
        // The file behind a link is replaced, not the link.
        let path = name.canonicalize().unwrap_or_else(|_| name.to_owned());
        let existing = fs::metadata(&path).ok();
        if existing
            .as_ref()
            .is_some_and(|metadata| !metadata.is_file())
        {
            // A folder cannot be opened so, which is the error to report.
            return Ok(Self::Special(BufWriter::new(
                File::options().write(true).open(path)?,
            )));
        }
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
        }
    }

    /// Writes lines that are whole. On standard output they are seen at once.
    pub fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        match self {
            Self::Standard(stdout) => {
                stdout.write_all(lines)?;
                stdout.flush()
            }
            Self::Special(file) => file.write_all(lines),
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
        }
        Ok(())
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
