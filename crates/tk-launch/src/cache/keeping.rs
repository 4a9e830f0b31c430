//! What `tk cache` does: what is in a cache, whether it is whole, and what is dropped from it.

use super::{Cache, EXTENSION, LOCK_EXTENSION, PART_PREFIX, TUNING_EXTENSION, stored_image};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tk_diag::{Diagnostic, FILE, Result};
use tk_image::KernelImage;

/// How old a file that was never finished, or a lock, is before nobody can be at work on it.
const ABANDONED: Duration = Duration::from_secs(3600);

/// What a file of a cache holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Stored {
    /// A kernel.
    Kernel(Box<KernelImage>),
    /// The result of an autotuning, by the key that it was stored under.
    Tuning(String),
    /// Something that is no entry of this version of tk.
    Damaged,
}

/// A file of a cache.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheEntry {
    /// Where it is.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// When it was written or found the last time.
    pub used: SystemTime,
}

/// What [`Cache::verify`] found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verified {
    /// Entries that are whole.
    pub sound: usize,
    /// Entries that were not, and are removed.
    pub damaged: Vec<PathBuf>,
    /// Files that a process began and did not finish, and are removed.
    pub unfinished: usize,
}

/// What kind of file a name is of.
enum Kind {
    Entry,
    Unfinished,
    Foreign,
}

fn kind(path: &Path) -> Kind {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    if name.starts_with(PART_PREFIX) || name.ends_with(&format!(".{LOCK_EXTENSION}")) {
        Kind::Unfinished
    } else if name.ends_with(&format!(".{EXTENSION}")) || name.ends_with(&format!(".{TUNING_EXTENSION}")) {
        Kind::Entry
    } else {
        Kind::Foreign
    }
}

impl Cache {
    /// The entries, the one used last first.
    pub fn entries(&self) -> Vec<CacheEntry> {
        let mut entries: Vec<CacheEntry> =
            self.files().into_iter().filter(|entry| matches!(kind(&entry.path), Kind::Entry)).collect();
        entries.sort_by(|a, b| (b.used, &a.path).cmp(&(a.used, &b.path)));
        entries
    }

    fn files(&self) -> Vec<CacheEntry> {
        let Ok(folder) = std::fs::read_dir(self.folder()) else { return Vec::new() };
        let file = |entry: std::fs::DirEntry| {
            let data = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
            Some(CacheEntry { path: entry.path(), bytes: data.len(), used: data.modified().ok()? })
        };
        folder.filter_map(|entry| file(entry.ok()?)).collect()
    }

    /// Reads an entry.
    pub fn stored(&self, entry: &CacheEntry) -> Stored {
        let name = entry.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let Ok(bytes) = std::fs::read(&entry.path) else { return Stored::Damaged };
        if name.ends_with(TUNING_EXTENSION) {
            let stored = serde_json::from_slice::<super::StoredTuning>(&bytes).ok();
            let stored =
                stored.filter(|stored| stored.report.is_sound() && self.tuning_path(&stored.key) == entry.path);
            return stored.map_or(Stored::Damaged, |stored| Stored::Tuning(stored.key));
        }
        match stored_image(&bytes) {
            Some((key, image)) if self.path_of(&key) == entry.path => Stored::Kernel(Box::new(image)),
            _ => Stored::Damaged,
        }
    }

    /// Reads every entry, and removes what is damaged or abandoned.
    pub fn verify(&self) -> Verified {
        let mut verified = Verified::default();
        for entry in self.files() {
            match kind(&entry.path) {
                Kind::Entry if self.stored(&entry) == Stored::Damaged => {
                    let _ = std::fs::remove_file(&entry.path);
                    verified.damaged.push(entry.path);
                }
                Kind::Entry => verified.sound += 1,
                Kind::Unfinished if is_abandoned(&entry) => {
                    verified.unfinished += usize::from(std::fs::remove_file(&entry.path).is_ok());
                }
                Kind::Unfinished | Kind::Foreign => {}
            }
        }
        verified
    }

    /// Removes every entry. Files that are none stay. Gives how many there were.
    ///
    /// # Errors
    /// A file that cannot be removed.
    pub fn clear(&self) -> Result<usize> {
        let mut count = 0;
        for entry in self.files() {
            let is_entry = match kind(&entry.path) {
                Kind::Entry => true,
                Kind::Unfinished => is_abandoned(&entry),
                Kind::Foreign => false,
            };
            if is_entry {
                std::fs::remove_file(&entry.path).map_err(|error| {
                    let message = format!("{}: cannot be removed: {error}", entry.path.display());
                    Diagnostic::error(FILE, message).boxed()
                })?;
                count += usize::from(matches!(kind(&entry.path), Kind::Entry));
            }
        }
        Ok(count)
    }

    /// Drops the entries used longest ago until the cache is under its cap, and what was abandoned.
    pub(super) fn trim(&self) {
        let (mut entries, mut total) = (Vec::new(), 0);
        for entry in self.files() {
            match kind(&entry.path) {
                Kind::Entry => {
                    total += entry.bytes;
                    entries.push(entry);
                }
                Kind::Unfinished if is_abandoned(&entry) => {
                    let _ = std::fs::remove_file(&entry.path);
                }
                Kind::Unfinished | Kind::Foreign => {}
            }
        }
        if total <= self.cap_bytes {
            return;
        }
        entries.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
        // Going a quarter below the cap makes the next trims rare.
        for CacheEntry { bytes, path, .. } in entries {
            if total <= self.cap_bytes / 4 * 3 {
                return;
            }
            if std::fs::remove_file(path).is_ok() {
                total -= bytes;
            }
        }
    }
}

fn is_abandoned(entry: &CacheEntry) -> bool {
    entry.used.elapsed().is_ok_and(|age| age > ABANDONED)
}
