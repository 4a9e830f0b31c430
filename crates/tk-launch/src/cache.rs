//! The compile cache on disk: a key of everything that decides a compilation → the kernel image it made.
//!
//! One file per entry, named by a hash of the key. The file repeats the whole key, so two keys with one hash cannot be
//! mistaken for each other, and ends in a checksum, so a damaged file is no entry. Files are written beside their place
//! and renamed, so readers in other processes see a whole entry or none. Of several processes that need a kernel one compiles it
//! ([`Cache::look_up`]). Nothing here can fail a compilation: a lookup that goes wrong finds nothing.

mod keeping;
mod turn;

use crate::tuning::TuneReport;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use tk_diag::{Diagnostic, FILE, Result};
use tk_image::{KernelImage, decode_image, digest};

pub use keeping::{CacheEntry, Stored, Verified};
pub use turn::{LookUp, Turn};

/// How entry files end.
const EXTENSION: &str = "tkimage";

/// How files with the result of an autotuning end.
const TUNING_EXTENSION: &str = "tktuning.json";

/// How locks end, and how files begin that are not finished.
const LOCK_EXTENSION: &str = "tklock";
const PART_PREFIX: &str = ".part-";

/// Bytes the cache may take unless told otherwise.
const DEFAULT_CAP_BYTES: u64 = 512 << 20;

/// Where several machines keep what was compiled. Nothing of it can fail: what goes wrong costs time, and the implementation sees to it
/// that it costs little.
pub trait Remote: Send + Sync + std::fmt::Debug {
    /// The bytes under this name, which are untrusted.
    fn get(&self, name: &str) -> Option<Vec<u8>>;

    /// Keeps bytes under this name.
    fn put(&self, name: &str, bytes: Vec<u8>);
}

/// The on-disk compile cache, with the one of several machines behind it.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    cap_bytes: u64,
    remote: Option<Arc<dyn Remote>>,
}

impl Cache {
    /// The user's cache: `TK_CACHE_DIR`, else `$XDG_CACHE_HOME/tk`, else `~/.cache/tk`, of `TK_CACHE_SIZE` bytes (`2G`, `500M`).
    /// `None` when `TK_CACHE=0` or when there is no such place.
    pub fn open_default() -> Option<Self> {
        if std::env::var_os("TK_CACHE").is_some_and(|value| value == "0") {
            return None;
        }
        let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = from("TK_CACHE_DIR")
            .or_else(|| from("XDG_CACHE_HOME").map(|home| home.join("tk")))
            .or_else(|| from("HOME").map(|home| home.join(".cache").join("tk")))?;
        let cap_bytes = std::env::var("TK_CACHE_SIZE").ok().and_then(|text| read_size(&text));
        Some(Self::open(folder, cap_bytes.unwrap_or(DEFAULT_CAP_BYTES)))
    }

    /// A cache in this folder that keeps at most about `cap_bytes`. The folder is made when the first entry is stored.
    pub fn open(folder: impl Into<PathBuf>, cap_bytes: u64) -> Self {
        Self { folder: folder.into(), cap_bytes, remote: None }
    }

    /// With a cache of several machines, which is asked for what is not here and gets what is compiled here.
    pub fn with_remote(self, remote: Arc<dyn Remote>) -> Self {
        Self { remote: Some(remote), ..self }
    }

    /// Where the entries lie.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The image stored under this key. A damaged, foreign or older entry is none.
    pub fn find(&self, key: &str) -> Option<KernelImage> {
        let path = self.path_of(key);
        let image = decode(&std::fs::read(&path).ok()?, key)?;
        // Entries are dropped in the order of their last use; a read-only cache simply keeps the order of writing.
        let file = std::fs::File::options().append(true).open(&path);
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
        Some(image)
    }

    /// The image that another machine stored under this key; it is kept here, too.
    fn fetch(&self, key: &str) -> Option<KernelImage> {
        let path = self.path_of(key);
        let bytes = self.remote.as_ref()?.get(name_of(&path)?)?;
        let image = decode(&bytes, key)?;
        // A place that cannot be written only costs time.
        let _ = self.replace(&path, &bytes);
        Some(image)
    }

    /// Gives an entry to the other machines.
    fn share(&self, path: &Path, bytes: Vec<u8>) {
        if let (Some(remote), Some(name)) = (&self.remote, name_of(path)) {
            remote.put(name, bytes);
        }
    }

    /// Stores an image. The error is a [`FILE`] that callers may show as a warning.
    pub fn store(&self, key: &str, image: &KernelImage) -> Result<()> {
        let (path, bytes) = (self.path_of(key), encode(key, image));
        let stored = self.replace(&path, &bytes);
        self.share(&path, bytes);
        stored
    }

    /// The result of an autotuning stored under this key. A damaged or foreign file is none.
    pub fn find_tuning(&self, key: &str) -> Option<TuneReport> {
        let path = self.tuning_path(key);
        let here = std::fs::read(&path).ok().and_then(|bytes| read_tuning(&bytes, key));
        here.or_else(|| {
            let bytes = self.remote.as_ref()?.get(name_of(&path)?)?;
            let report = read_tuning(&bytes, key)?;
            let _ = self.replace(&path, &bytes);
            Some(report)
        })
    }

    /// Stores the result of an autotuning as JSON. The error is a [`FILE`] that callers may show as a warning.
    pub fn store_tuning(&self, key: &str, report: &TuneReport) -> Result<()> {
        let stored = StoredTuning { key: key.to_string(), report: report.clone() };
        let text = serde_json::to_vec_pretty(&stored)
            .map_err(|error| Diagnostic::bug(format!("a tuning report does not serialise: {error}")).boxed())?;
        let path = self.tuning_path(key);
        let stored = self.replace(&path, &text);
        self.share(&path, text);
        stored
    }

    /// Writes a file beside its place and renames it, so that readers see the old one or the new one.
    fn replace(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let failed = |error: std::io::Error| {
            let message = format!("cannot write the compile cache in {}: {error}", self.folder.display());
            Diagnostic::warning(FILE, message).help("set TK_CACHE_DIR to a writable folder, or TK_CACHE=0").boxed()
        };
        std::fs::create_dir_all(&self.folder).map_err(failed)?;
        let mut file = tempfile::Builder::new().prefix(PART_PREFIX).tempfile_in(&self.folder).map_err(failed)?;
        file.write_all(bytes).map_err(failed)?;
        file.persist(path).map_err(|error| failed(error.error))?;
        self.trim();
        Ok(())
    }

    fn lock_path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{}.{LOCK_EXTENSION}", digest(key)))
    }

    fn path_of(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{}.{EXTENSION}", digest(key)))
    }

    fn tuning_path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{}.{TUNING_EXTENSION}", digest(key)))
    }
}

/// A file with the result of an autotuning.
#[derive(Serialize, Deserialize)]
struct StoredTuning {
    key: String,
    report: TuneReport,
}

fn read_tuning(bytes: &[u8], key: &str) -> Option<TuneReport> {
    let stored: StoredTuning = serde_json::from_slice(bytes).ok()?;
    (stored.key == key && stored.report.is_sound()).then_some(stored.report)
}

fn name_of(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

/// The length of the key, the key, and the image in its own form, which has a checksum.
fn encode(key: &str, image: &KernelImage) -> Vec<u8> {
    let mut bytes = (key.len() as u64).to_le_bytes().to_vec();
    bytes.extend(key.as_bytes());
    bytes.extend(image.to_bytes());
    bytes
}

fn decode(bytes: &[u8], key: &str) -> Option<KernelImage> {
    let (stored, image) = parts(bytes)?;
    if stored == key.as_bytes() { decode_image(image).ok() } else { None }
}

/// The key and the image of an entry.
fn stored_image(bytes: &[u8]) -> Option<(String, KernelImage)> {
    let (key, image) = parts(bytes)?;
    Some((std::str::from_utf8(key).ok()?.to_string(), decode_image(image).ok()?))
}

fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
}

/// `2G`, `500M`, `64K` or bytes.
fn read_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, shift) = match text.char_indices().next_back()? {
        (at, 'K' | 'k') => (&text[..at], 10),
        (at, 'M' | 'm') => (&text[..at], 20),
        (at, 'G' | 'g') => (&text[..at], 30),
        _ => (text, 0),
    };
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests;
