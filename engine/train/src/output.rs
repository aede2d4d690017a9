//! Output files.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

/// A stream for bytes: standard output for `-`, or a file. A regular file is replaced only by
/// [`finish`](Self::finish); a run that fails leaves it unchanged.
pub struct Output {
    path: PathBuf,
    target: BufWriter<Target>,
}

enum Target {
    /// Standard output, a pipe or a device.
    Stream(Box<dyn Write>),
    Temporary(NamedTempFile),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stream(stream) => stream.write(bytes),
            Self::Temporary(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stream(stream) => stream.flush(),
            Self::Temporary(file) => file.flush(),
        }
    }
}

impl Output {
    pub fn create(path: &Path) -> anyhow::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            target: BufWriter::new(open(path).with_context(|| cannot_write(path))?),
        })
    }

    pub fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let written = self.target.write_all(bytes);
        written.with_context(|| cannot_write(&self.path))
    }

    /// Completes the output: replaces the file.
    pub fn finish(self) -> anyhow::Result<()> {
        let Self { path, target } = self;
        let persist = || {
            match target
                .into_inner()
                .map_err(io::IntoInnerError::into_error)?
            {
                Target::Stream(mut stream) => stream.flush(),
                Target::Temporary(file) => {
                    file.as_file().sync_all()?;
                    // The file behind a link is replaced, not the link.
                    let path = path.canonicalize().unwrap_or_else(|_| path.clone());
                    if let Ok(existing) = fs::metadata(&path) {
                        file.as_file().set_permissions(existing.permissions())?;
                    }
                    file.persist(path).map(drop).map_err(|error| error.error)
                }
            }
        };
        persist().with_context(|| cannot_write(&path))
    }
}

fn open(path: &Path) -> io::Result<Target> {
    if path == Path::new("-") {
        return Ok(Target::Stream(Box::new(io::stdout())));
    }
    if path.exists() {
        // This also refuses folders and read-only files.
        let file = File::options().write(true).open(path)?;
        if !file.metadata()?.is_file() {
            return Ok(Target::Stream(Box::new(file)));
        }
    }
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    // The error for a missing folder would otherwise name a temporary file.
    fs::metadata(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".epode-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map(Target::Temporary)
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
