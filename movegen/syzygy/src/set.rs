//! A set of tables, found in a list of folders.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use movegen::Position;

use crate::error::{BadTable, Fault, Kind, OpenError, ProbeError, TableName};
use crate::file::{KEPT, TableFile};
use crate::material::Material;
use crate::table::{Distance, Table};
use crate::wdl::Wdl;

/// A set of Syzygy tablebases. It can be probed by many threads at once, and there can be many sets.
///
/// ```
/// use epode_syzygy::{Tablebases, Wdl};
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");
/// let tablebases = Tablebases::open(path)?;
/// assert_eq!((tablebases.max_pieces(), tablebases.count()), (3, 5));
/// let position = "8/8/8/8/8/2k5/2p5/2K5 w - - 0 1".parse()?;
/// assert_eq!(tablebases.wdl(&position)?, Wdl::Draw);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tablebases {
    files: HashMap<Material, [Option<Slot>; 2]>,
    max_pieces: usize,
    count: usize,
    bad: Mutex<Vec<BadTable>>,
    /// Files up to this size are opened at once, and kept in memory.
    kept: u64,
}

/// A file, opened at its first use unless it is small.
struct Slot {
    path: PathBuf,
    table: OnceLock<Option<Table>>,
}

impl Tablebases {
    /// Opens all tables of the folders in a list, which is separated by `:`, or by `;` on Windows. Of
    /// two files with the same name the first counts.
    ///
    /// The sizes and the first bytes of all files are checked, and the checksums of those up to 1 MiB.
    /// What is wrong is reported by [`bad_tables`](Self::bad_tables).
    ///
    /// # Errors
    ///
    /// If a folder cannot be read, or none has a table.
    pub fn open(folders: impl AsRef<OsStr>) -> Result<Self, OpenError> {
        Self::open_keeping(folders, KEPT)
    }

    /// Like [`open`](Self::open), but goes on without the folders that cannot be read, and tells why.
    ///
    /// # Errors
    ///
    /// If no folder has a table.
    pub fn open_readable(
        folders: impl AsRef<OsStr>,
        mut tell: impl FnMut(OpenError),
    ) -> Result<Self, OpenError> {
        Self::open_where(folders.as_ref(), KEPT, &mut |error| {
            tell(error);
            Ok(())
        })
    }

    /// Like [`open`](Self::open), with another size than 1 MiB.
    #[doc(hidden)]
    pub fn open_keeping(folders: impl AsRef<OsStr>, kept: u64) -> Result<Self, OpenError> {
        Self::open_where(folders.as_ref(), kept, &mut Err)
    }

    /// Opens the tables of a list of folders. What cannot be read is an error if `unreadable` says so.
    fn open_where(
        list: &OsStr,
        kept: u64,
        unreadable: &mut dyn FnMut(OpenError) -> Result<(), OpenError>,
    ) -> Result<Self, OpenError> {
        let mut tablebases = Self {
            files: HashMap::new(),
            max_pieces: 0,
            count: 0,
            bad: Mutex::default(),
            kept,
        };
        for folder in std::env::split_paths(list) {
            if folder.as_os_str().is_empty() {
                continue;
            }
            if let Err(error) = tablebases.add_folder(&folder) {
                unreadable(OpenError::Folder { folder, error })?;
            }
        }
        tablebases.count = tablebases.usable(Kind::Wdl).count();
        let pieces = tablebases.usable(Kind::Wdl).map(Material::pieces);
        tablebases.max_pieces = pieces.max().unwrap_or(0);
        if tablebases.files.is_empty() {
            return Err(OpenError::NoTables(list.into()));
        }
        tablebases.lock_bad().sort_by(|a, b| a.path.cmp(&b.path));
        Ok(tablebases)
    }

    /// Adds the tables of a folder.
    fn add_folder(&mut self, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            self.add(&entry?.path());
        }
        Ok(())
    }

    /// Adds a file if it is named like a table.
    fn add(&mut self, path: &Path) {
        let mut kinds = Kind::ALL.into_iter();
        let kind = kinds.find(|kind| path.extension() == Some(OsStr::new(kind.extension())));
        let stem = path.file_stem().and_then(OsStr::to_str);
        let (Some(kind), Some(material)) = (kind, stem.and_then(Material::parse)) else {
            return;
        };
        let slot = &mut self.files.entry(material).or_default()[kind as usize];
        if slot.is_some() {
            return;
        }
        let new = slot.insert(Slot {
            path: path.to_owned(),
            table: OnceLock::new(),
        });
        let is_small = path.metadata().is_ok_and(|data| data.len() <= self.kept);
        let checked = if is_small {
            Table::open(path, material, kind, self.kept).map(|table| {
                let _ = new.table.set(Some(table));
            })
        } else {
            TableFile::check(path, kind)
        };
        if let Err(fault) = checked {
            let _ = new.table.set(None);
            self.report(path, fault);
        }
    }

    fn lock_bad(&self) -> std::sync::MutexGuard<'_, Vec<BadTable>> {
        self.bad.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report(&self, path: &Path, fault: Fault) {
        let path = path.to_owned();
        let mut bad = self.lock_bad();
        if bad.iter().all(|known| known.path != path) {
            bad.push(BadTable { path, fault });
        }
    }

    /// The material of all tables of a kind that are not known to be bad.
    fn usable(&self, kind: Kind) -> impl Iterator<Item = Material> {
        self.files.iter().filter_map(move |(&material, slots)| {
            let slot = slots[kind as usize].as_ref()?;
            (!matches!(slot.table.get(), Some(None))).then_some(material)
        })
    }

    /// The number of tables: of WDL files, as other engines count.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The greatest number of pieces of a table, kings included.
    #[must_use]
    pub const fn max_pieces(&self) -> usize {
        self.max_pieces
    }

    /// The files found to be bad since the last call. They are treated as missing.
    #[must_use]
    pub fn bad_tables(&self) -> Vec<BadTable> {
        std::mem::take(&mut self.lock_bad())
    }

    /// Asks the table of a position.
    fn ask<T>(
        &self,
        position: &Position,
        kind: Kind,
        ask: impl FnOnce(&Table) -> Result<T, Fault>,
    ) -> Result<T, ProbeError> {
        let own = Material::of(position);
        let named = [own, own.flipped()].into_iter();
        let mut found = named.filter_map(|material| Some((material, self.files.get(&material)?)));
        let missing = |material| ProbeError::Missing(TableName { material, kind });
        let (material, slots) = found.next().ok_or(missing(own))?;
        let missing = missing(material);
        let slot = slots[kind as usize].as_ref().ok_or(missing)?;
        let table = slot.table.get_or_init(|| {
            let opened = Table::open(&slot.path, material, kind, self.kept);
            opened.map_err(|fault| self.report(&slot.path, fault)).ok()
        });
        let table = table.as_ref().ok_or(missing)?;
        ask(table).map_err(|fault| {
            self.report(&slot.path, fault);
            missing
        })
    }

    /// The result in the table of a position, captures and en passant aside.
    pub(crate) fn table_wdl(&self, position: &Position) -> Result<Wdl, ProbeError> {
        self.ask(position, Kind::Wdl, |table| table.wdl(position))
    }

    /// The distance in the table of a position.
    pub(crate) fn table_distance(
        &self,
        position: &Position,
        wdl: Wdl,
    ) -> Result<Distance, ProbeError> {
        self.ask(position, Kind::Dtz, |table| table.distance(position, wdl))
    }
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Tablebases");
        shown.field("count", &self.count).finish_non_exhaustive()
    }
}
