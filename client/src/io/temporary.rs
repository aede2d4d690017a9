//! Temporary files, which are removed even if a signal ends the program.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use tempfile::{Builder, NamedTempFile, TempPath};

/// The files that exist. They are made, named and removed under its lock.
static FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
/// Whether somebody waits for signals.
static LISTENER: Once = Once::new();

/// A file that is removed when it is dropped.
pub struct Temporary {
    file: NamedTempFile,
    listed: Listed,
}

/// A file that is complete and no longer open.
pub struct Closed {
    path: TempPath,
    /// Dropped after the file is removed.
    _listed: Listed,
}

/// An entry in the list of files.
struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        files().remove(&self.0);
    }
}

fn files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Temporary {
    pub fn create(builder: &Builder<'_, '_>, folder: &Path) -> io::Result<Self> {
        LISTENER.call_once(listen);
        let mut files = files();
        let file = builder.tempfile_in(folder)?;
        let path = file.path().to_owned();
        files.insert(path.clone());
        let listed = Listed(path);
        Ok(Self { file, listed })
    }

    pub fn as_file(&self) -> &File {
        self.file.as_file()
    }

    pub fn close(self) -> Closed {
        Closed {
            path: self.file.into_temp_path(),
            _listed: self.listed,
        }
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Closed {
    /// Gives the file its name; it replaces one that has it.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        let files = files();
        let persisted = self.path.persist(path);
        // The entry in the list needs the lock too.
        drop(files);
        persisted.map_err(|error| error.error)
    }
}

/// Removes the files of all threads. Until the lock is dropped, there are no new ones.
fn remove_all() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    let files = files();
    for path in files.iter() {
        // It may be gone already.
        let _ = fs::remove_file(path);
    }
    files
}

/// Removes the files and exits.
pub fn exit(status: i32) -> ! {
    let _files = remove_all();
    std::process::exit(status)
}

/// Leaves the signals to the caller, who ends the program by [`exit`]. To be called before a file is created.
pub fn leave_signals() {
    LISTENER.call_once(|| {});
}

/// Removes the files when a signal ends the program.
#[cfg(unix)]
fn listen() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    let deadly = [SIGHUP, SIGINT, SIGTERM];
    // Without a handler, files are left behind. That is no reason not to go on.
    let Ok(mut signals) = Signals::new(deadly.iter().filter(|&&signal| !is_ignored(signal))) else {
        return;
    };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _files = remove_all();
            let _ = emulate_default_handler(signal);
        }
    });
}

/// Whether the program was started with a signal ignored, as `nohup` does.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    match mask {
        Some(mask) => mask >> (signal - 1) & 1 == 1,
        // Systems without such a file do not tell.
        None => signal == signal_hook::consts::SIGHUP,
    }
}

#[cfg(not(unix))]
fn listen() {
    // The status of a program that Ctrl-C ends.
    let _ = ctrlc::try_set_handler(|| exit(130));
}
