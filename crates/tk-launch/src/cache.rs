//! The compile cache on disk: a key of everything that decides a compilation → the kernel image it made.
//!
//! One file per entry, named by a hash of the key. The file repeats the whole key, so two keys with one hash cannot be
//! mistaken for each other, and ends in a checksum, so a damaged file is no entry. Files are written beside their place
//! and renamed, so readers in other processes see a whole entry or none. Nothing here can fail a compilation: a lookup
//! that goes wrong finds nothing.

use crate::tuning::TuneReport;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tk_diag::{Diagnostic, FILE, Result};
use tk_image::{KernelImage, decode_image, digest};

/// How entry files end.
const EXTENSION: &str = "tkimage";

/// How files with the result of an autotuning end.
const TUNING_EXTENSION: &str = "tktuning.json";

/// Bytes the cache may take unless told otherwise.
const DEFAULT_CAP_BYTES: u64 = 512 << 20;

/// The on-disk compile cache.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    cap_bytes: u64,
}

impl Cache {
    /// The user's cache: `TK_CACHE_DIR`, else `$XDG_CACHE_HOME/tk`, else `~/.cache/tk`.
    /// `None` when `TK_CACHE=0` or when there is no such place.
    pub fn open_default() -> Option<Self> {
        if std::env::var_os("TK_CACHE").is_some_and(|value| value == "0") {
            return None;
        }
        let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = from("TK_CACHE_DIR")
            .or_else(|| from("XDG_CACHE_HOME").map(|home| home.join("tk")))
            .or_else(|| from("HOME").map(|home| home.join(".cache").join("tk")))?;
        Some(Self::open(folder, DEFAULT_CAP_BYTES))
    }

    /// A cache in this folder that keeps at most about `cap_bytes`. The folder is made when the first entry is stored.
    pub fn open(folder: impl Into<PathBuf>, cap_bytes: u64) -> Self {
        Self { folder: folder.into(), cap_bytes }
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

    /// Stores an image. The error is a [`FILE`] that callers may show as a warning.
    pub fn store(&self, key: &str, image: &KernelImage) -> Result<()> {
        self.replace(&self.path_of(key), &encode(key, image))
    }

    /// The result of an autotuning stored under this key. A damaged or foreign file is none.
    pub fn find_tuning(&self, key: &str) -> Option<TuneReport> {
        let stored: StoredTuning = serde_json::from_slice(&std::fs::read(self.tuning_path(key)).ok()?).ok()?;
        let report = stored.report;
        (stored.key == key && report.is_sound()).then_some(report)
    }

    /// Stores the result of an autotuning as JSON. The error is a [`FILE`] that callers may show as a warning.
    pub fn store_tuning(&self, key: &str, report: &TuneReport) -> Result<()> {
        let stored = StoredTuning { key: key.to_string(), report: report.clone() };
        let text = serde_json::to_vec_pretty(&stored)
            .map_err(|error| Diagnostic::bug(format!("a tuning report does not serialise: {error}")).boxed())?;
        self.replace(&self.tuning_path(key), &text)
    }

    /// Writes a file beside its place and renames it, so that readers see the old one or the new one.
    fn replace(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let failed = |error: std::io::Error| {
            let message = format!("cannot write the compile cache in {}: {error}", self.folder.display());
            Diagnostic::warning(FILE, message).help("set TK_CACHE_DIR to a writable folder, or TK_CACHE=0").boxed()
        };
        std::fs::create_dir_all(&self.folder).map_err(failed)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder).map_err(failed)?;
        file.write_all(bytes).map_err(failed)?;
        file.persist(path).map_err(|error| failed(error.error))?;
        self.trim();
        Ok(())
    }

    /// Drops the entries used longest ago until the cache is under its cap.
    fn trim(&self) {
        let Ok(folder) = std::fs::read_dir(&self.folder) else { return };
        let is_entry = |path: &Path| {
            let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
            name.ends_with(&format!(".{EXTENSION}")) || name.ends_with(&format!(".{TUNING_EXTENSION}"))
        };
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = folder
            .filter_map(|entry| entry.ok().filter(|entry| is_entry(&entry.path())))
            .filter_map(|entry| entry.metadata().ok().map(|data| (data, entry.path())))
            .filter_map(|(data, path)| Some((data.modified().ok()?, data.len(), path)))
            .collect();
        let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        if total <= self.cap_bytes {
            return;
        }
        entries.sort();
        // Going a quarter below the cap makes the next trims rare.
        for (_, bytes, path) in entries {
            if total <= self.cap_bytes / 4 * 3 {
                return;
            }
            if std::fs::remove_file(path).is_ok() {
                total -= bytes;
            }
        }
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

/// The length of the key, the key, and the image in its own form, which has a checksum.
fn encode(key: &str, image: &KernelImage) -> Vec<u8> {
    let mut bytes = (key.len() as u64).to_le_bytes().to_vec();
    bytes.extend(key.as_bytes());
    bytes.extend(image.to_bytes());
    bytes
}

fn decode(bytes: &[u8], key: &str) -> Option<KernelImage> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let (stored, image) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    if stored == key.as_bytes() { decode_image(image).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tk_image::{ImageParam, LaunchLimits, ResourceUse};
    use tk_types::ScalarType;

    fn image(note: &str) -> KernelImage {
        KernelImage {
            entry: "k".into(),
            ptx: format!(".entry k(.param .u64 x, .param .u8 n)\n{{ ret; }} // {note}"),
            cubin: Some(vec![0, 159, 146, 150]),
            params: vec![ImageParam::pointer("x", Some(ScalarType::BF16)), ImageParam::scalar("n", ScalarType::I1)],
            num_warps: 8,
            num_ctas: 2,
            shared_bytes: 4096,
            global_scratch_bytes: 0,
            target: "sm_90a".into(),
            resources: ResourceUse::default(),
            limits: LaunchLimits::default(),
        }
    }

    fn entry_files(cache: &Cache) -> Vec<PathBuf> {
        let mut files: Vec<_> = std::fs::read_dir(cache.folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    #[test]
    fn an_image_comes_back_whole() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path().join("made/on/demand"), 1 << 20);
        assert_eq!(cache.find("key"), None);
        for stored in [image("text ✓"), KernelImage { cubin: None, ..image("") }] {
            cache.store("key", &stored).unwrap();
            assert_eq!(cache.find("key"), Some(stored));
        }
        assert_eq!(cache.find("another key"), None);
        assert_eq!(entry_files(&cache).len(), 1, "no temporary file stays");
    }

    #[test]
    fn a_damaged_entry_is_no_entry() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 1 << 20);
        cache.store("key", &image("text")).unwrap();
        let path = entry_files(&cache).remove(0);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(cache.find("key"), None, "cut at {length}");
        }
        for index in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[index] ^= 0x20;
            std::fs::write(&path, &damaged).unwrap();
            assert_eq!(cache.find("key"), None, "byte {index} flipped");
        }
        std::fs::write(&path, &whole).unwrap();
        assert!(cache.find("key").is_some());
    }

    #[test]
    fn keys_with_one_hash_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 1 << 20);
        cache.store("key", &image("text")).unwrap();
        std::fs::rename(cache.path_of("key"), cache.path_of("other")).unwrap();
        assert_eq!(cache.find("other"), None);
    }

    #[test]
    fn the_oldest_entries_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 44_000);
        let text = "x".repeat(9_000);
        for (age, key) in ["a", "b", "c", "d"].into_iter().enumerate() {
            cache.store(key, &image(&text)).unwrap();
            let file = std::fs::File::options().append(true).open(cache.path_of(key)).unwrap();
            file.set_modified(SystemTime::now() - std::time::Duration::from_secs(100 - age as u64)).unwrap();
        }
        assert!(cache.find("a").is_some(), "a lookup makes an entry young");
        cache.store("e", &image(&text)).unwrap();
        let left: Vec<&str> = ["a", "b", "c", "d", "e"].into_iter().filter(|key| cache.find(key).is_some()).collect();
        assert_eq!(left, ["a", "d", "e"]);
    }

    #[test]
    fn a_tuning_comes_back_and_a_damaged_one_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 1 << 20);
        let report = crate::tuning::example();
        cache.store_tuning("key", &report).unwrap();
        assert_eq!(cache.find_tuning("key"), Some(report.clone()));
        assert_eq!(cache.find_tuning("other"), None);
        let path = cache.tuning_path("key");
        std::fs::rename(&path, cache.tuning_path("other")).unwrap();
        assert_eq!(cache.find_tuning("other"), None, "the key inside the file is compared");
        let whole = std::fs::read_to_string(cache.tuning_path("other")).unwrap();
        for length in (0..whole.len()).filter(|length| whole.is_char_boundary(*length)) {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(cache.find_tuning("key"), None, "cut at {length}");
        }
        std::fs::write(&path, &whole).unwrap();
        assert!(cache.find_tuning("key").is_some());
        for winner in [1, 99] {
            cache.store_tuning("key", &TuneReport { winner, ..report.clone() }).unwrap();
            assert_eq!(cache.find_tuning("key"), None, "a winner that did not run");
        }
    }

    #[test]
    fn an_unwritable_place_is_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let error = Cache::open(file.join("below"), 1).store("key", &image("")).unwrap_err();
        assert_eq!((error.severity, error.code), (tk_diag::Severity::Warning, FILE));
    }
}
