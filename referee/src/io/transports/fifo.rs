//! Pairs of named pipes: the player writes `BASE.pc0` and reads `BASE.pc1`.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use rustix::fs::{CWD, FileType, Mode, OFlags};
use tokio::net::unix::pipe;

use crate::io::stream::Stream;

/// The ends of the names of the pipes that the player writes and reads.
const ENDS: [&str; 2] = [".pc0", ".pc1"];

/// A pair of named pipes. Those that the referee made are removed when this is dropped.
pub struct Pair {
    base: PathBuf,
    made: Vec<PathBuf>,
}

impl Pair {
    /// Makes the pair, or what is missing of it. Only the user of the referee may use what it makes.
    pub fn make(base: &Path) -> anyhow::Result<Self> {
        let mut pair = Self {
            base: base.to_owned(),
            made: Vec::new(),
        };
        for end in ENDS {
            let path = path_of(base, end);
            match make(&path) {
                Ok(()) => pair.made.push(path),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    let metadata = fs::metadata(&path);
                    let metadata = metadata.with_context(|| path.display().to_string())?;
                    if !metadata.file_type().is_fifo() {
                        bail!("{} exists and is not a named pipe", path.display());
                    }
                }
                Err(error) => {
                    return Err(error).with_context(|| format!("cannot make {}", path.display()));
                }
            }
        }
        Ok(pair)
    }

    /// Whether a player waits at the other end that has nothing to say: one that signed on at an earlier
    /// referee.
    pub fn has_a_reader(&self) -> bool {
        let [written, read] = ENDS.map(|end| path_of(&self.base, end));
        let flags = OFlags::NONBLOCK.bits().cast_signed();
        let reader = OpenOptions::new()
            .write(true)
            .custom_flags(flags)
            .open(read);
        let waiting = OpenOptions::new()
            .read(true)
            .custom_flags(flags)
            .open(written);
        let waiting = waiting.map(rustix::io::ioctl_fionread);
        reader.is_ok() && matches!(waiting, Ok(Ok(0)))
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        for path in &self.made {
            // Somebody else may have removed it.
            let _ = fs::remove_file(path);
        }
    }
}

fn path_of(base: &Path, end: &str) -> PathBuf {
    let mut path = base.as_os_str().to_owned();
    path.push(end);
    path.into()
}

#[cfg(not(target_vendor = "apple"))]
fn make(path: &Path) -> io::Result<()> {
    let mode = Mode::RUSR | Mode::WUSR;
    Ok(rustix::fs::mknodat(CWD, path, FileType::Fifo, mode, 0)?)
}

#[cfg(target_vendor = "apple")]
fn make(path: &Path) -> io::Result<()> {
    Ok(rustix::fs::mkfifoat(CWD, path, Mode::RUSR | Mode::WUSR)?)
}

/// Opens a pair. The end that is read is opened for reading alone, so that it ends when the player does.
/// The other end is opened for both, as the EPD Kit opens it, so that it need not wait for the player.
pub fn open(base: &Path, patience: Duration) -> anyhow::Result<Stream> {
    let [written, read] = ENDS.map(|end| path_of(base, end));
    let cannot_open = |path: &Path| format!("cannot open {}", path.display());
    let receiver = pipe::OpenOptions::new().open_receiver(&written);
    let receiver = receiver.with_context(|| cannot_open(&written))?;
    let file = OpenOptions::new().read(true).write(true).open(&read);
    let sender = pipe::Sender::from_file(file.with_context(|| cannot_open(&read))?);
    let sender = sender.with_context(|| cannot_open(&read))?;
    Ok(Stream::local(receiver, sender, patience))
}
