//! Where output goes: standard output, or a file that appears whole or not at all.

use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

use crate::args::Stream;

/// An output stream that is finished explicitly: dropped before, a file is left as it was.
pub enum Output {
    Standard(BufWriter<Stdout>),
    File {
        temporary: BufWriter<NamedTempFile>,
        path: PathBuf,
    },
}

impl Output {
    pub fn create(stream: &Stream) -> anyhow::Result<Self> {
        match stream {
            Stream::Standard => Ok(Self::Standard(BufWriter::new(io::stdout()))),
            Stream::File(path) => {
                let temporary =
                    temporary_beside(path).with_context(|| format!("cannot write {stream}"))?;
                Ok(Self::File {
                    temporary: BufWriter::new(temporary),
                    path: path.clone(),
                })
            }
        }
    }

    /// Writes a line. On standard output it is seen at once.
    pub fn line(&mut self, line: &impl std::fmt::Display) -> io::Result<()> {
        match self {
            Self::Standard(stdout) => {
                writeln!(stdout, "{line}")?;
                stdout.flush()
            }
            Self::File { temporary, .. } => writeln!(temporary, "{line}"),
        }
    }

    /// Puts a file in its place.
    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Standard(mut stdout) => stdout.flush()?,
            Self::File { temporary, path } => {
                let written = || format!("cannot write {}", path.display());
                let temporary = temporary
                    .into_inner()
                    .map_err(io::IntoInnerError::into_error);
                let temporary = temporary.with_context(written)?;
                temporary.as_file().sync_all().with_context(written)?;
                temporary.persist(&path).with_context(written)?;
            }
        }
        Ok(())
    }
}

/// A temporary file in the folder of another, with the permissions that any new file has.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".epode-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder.unwrap_or(Path::new(".")))
}

/// Whether an error is that nobody reads standard output any more.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
