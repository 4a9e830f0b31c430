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
use tk_types::{DotPolicy, Facts, ImageParam, KernelImage, ParamKind, ResourceUse, ScalarType, TensorMapSpec};

/// First bytes of every entry; the digit is the version of the format.
const MAGIC: &[u8; 8] = b"tkcache5";

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
        self.replace(&self.path_of(key), &encode(key, image)?)
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
        self.folder.join(format!("{:032x}.{EXTENSION}", hash(key.as_bytes())))
    }

    fn tuning_path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{:032x}.{TUNING_EXTENSION}", hash(key.as_bytes())))
    }
}

/// A file with the result of an autotuning.
#[derive(Serialize, Deserialize)]
struct StoredTuning {
    key: String,
    report: TuneReport,
}

/// A short name of a text that is the same in every build, in hexadecimal.
pub fn digest(text: &str) -> String {
    format!("{:032x}", hash(text.as_bytes()))
}

/// FNV-1a of 128 bits (Fowler, Noll, Vo): stable across builds, unlike the standard library's hasher.
fn hash(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

/// Everything of an entry but the long texts.
#[derive(Serialize, Deserialize)]
struct Header {
    entry: String,
    params: Vec<StoredParam>,
    num_warps: u32,
    num_ctas: u32,
    shared_bytes: u32,
    global_scratch_bytes: u32,
    target: String,
    registers: Option<u32>,
    spill_bytes: Option<u32>,
    instructions: u32,
    shared_buffers: Vec<(String, u32, u32)>,
    scalar_dots: Vec<String>,
    dots_wait: bool,
    has_cubin: bool,
}

/// A parameter of the entry point.
#[derive(Serialize, Deserialize)]
struct StoredParam {
    name: String,
    kind: StoredKind,
    multiple_of: u32,
    is_positive: bool,
}

impl StoredParam {
    fn of(param: &ImageParam) -> Self {
        let Facts { multiple_of, is_positive } = param.facts;
        Self { name: param.name.clone(), kind: StoredKind::of(&param.kind), multiple_of, is_positive }
    }

    fn param(self) -> Option<ImageParam> {
        let facts = Facts { multiple_of: self.multiple_of, is_positive: self.is_positive };
        Some(ImageParam { name: self.name, kind: self.kind.kind()?, facts })
    }
}

/// What a parameter is, with element types by name.
#[derive(Serialize, Deserialize)]
enum StoredKind {
    Scalar(String),
    Pointer(Option<String>),
    TensorMap { element: String, block: Vec<u32>, swizzle_bytes: u32, pad_nan: bool },
    DescriptorBase { element: String, rank: u32 },
    MapOfPointer { map: Box<StoredKind>, base: u32, stride: u32 },
}

impl StoredKind {
    fn of(kind: &ParamKind) -> Self {
        let name = |ty: &ScalarType| ty.name().to_string();
        match kind {
            ParamKind::Scalar(ty) => Self::Scalar(name(ty)),
            ParamKind::Pointer(ty) => Self::Pointer(ty.as_ref().map(name)),
            ParamKind::TensorMap(TensorMapSpec { element, block, swizzle_bytes, pad_nan }) => Self::TensorMap {
                element: name(element),
                block: block.clone(),
                swizzle_bytes: *swizzle_bytes,
                pad_nan: *pad_nan,
            },
            ParamKind::DescriptorBase { element, rank } => Self::DescriptorBase { element: name(element), rank: *rank },
            ParamKind::MapOfPointer { map, base, stride } => {
                let map = Box::new(Self::of(&ParamKind::TensorMap(map.clone())));
                Self::MapOfPointer { map, base: *base, stride: *stride }
            }
        }
    }

    fn kind(self) -> Option<ParamKind> {
        let ty = |name: String| ScalarType::parse(&name);
        Some(match self {
            Self::Scalar(name) => ParamKind::Scalar(ty(name)?),
            Self::Pointer(None) => ParamKind::Pointer(None),
            Self::Pointer(Some(name)) => ParamKind::Pointer(Some(ty(name)?)),
            Self::TensorMap { element, block, swizzle_bytes, pad_nan } => {
                ParamKind::TensorMap(TensorMapSpec { element: ty(element)?, block, swizzle_bytes, pad_nan })
            }
            Self::DescriptorBase { element, rank } => ParamKind::DescriptorBase { element: ty(element)?, rank },
            Self::MapOfPointer { map, base, stride } => match map.kind()? {
                ParamKind::TensorMap(map) => ParamKind::MapOfPointer { map, base, stride },
                _ => return None,
            },
        })
    }
}

/// Magic, checksum of the rest, then four parts with their lengths before them: key, header, PTX, machine code.
fn encode(key: &str, image: &KernelImage) -> Result<Vec<u8>> {
    let header = serde_json::to_vec(&header_of(image))
        .map_err(|error| Diagnostic::bug(format!("a kernel image does not serialise: {error}")).boxed())?;
    let cubin = image.cubin.as_deref().unwrap_or_default();
    let mut body = Vec::with_capacity(key.len() + header.len() + image.ptx.len() + cubin.len() + 32);
    for part in [key.as_bytes(), &header, image.ptx.as_bytes(), cubin] {
        body.extend((part.len() as u64).to_le_bytes());
        body.extend(part);
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(hash(&body).to_le_bytes());
    bytes.extend(body);
    Ok(bytes)
}

fn decode(bytes: &[u8], key: &str) -> Option<KernelImage> {
    let (checksum, mut body) = bytes.strip_prefix(MAGIC)?.split_at_checked(16)?;
    if hash(body).to_le_bytes() != checksum {
        return None;
    }
    let mut part = || {
        let (length, rest) = body.split_at_checked(8)?;
        let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
        let (part, rest) = rest.split_at_checked(length)?;
        body = rest;
        Some(part)
    };
    if part()? != key.as_bytes() {
        return None;
    }
    let header: Header = serde_json::from_slice(part()?).ok()?;
    let ptx = std::str::from_utf8(part()?).ok()?.to_string();
    let cubin = part()?.to_vec();
    image_of(header, ptx, cubin)
}

fn header_of(image: &KernelImage) -> Header {
    Header {
        entry: image.entry.clone(),
        params: image.params.iter().map(StoredParam::of).collect(),
        num_warps: image.num_warps,
        num_ctas: image.num_ctas,
        shared_bytes: image.shared_bytes,
        global_scratch_bytes: image.global_scratch_bytes,
        target: image.target.clone(),
        registers: image.resources.registers,
        spill_bytes: image.resources.spill_bytes,
        instructions: image.resources.instructions,
        shared_buffers: image.resources.shared_buffers.clone(),
        scalar_dots: image.resources.scalar_dots.clone(),
        dots_wait: image.resources.dots == DotPolicy::Wait,
        has_cubin: image.cubin.is_some(),
    }
}

fn image_of(header: Header, ptx: String, cubin: Vec<u8>) -> Option<KernelImage> {
    Some(KernelImage {
        entry: header.entry,
        ptx,
        cubin: header.has_cubin.then_some(cubin),
        params: header.params.into_iter().map(StoredParam::param).collect::<Option<_>>()?,
        num_warps: header.num_warps,
        num_ctas: header.num_ctas,
        shared_bytes: header.shared_bytes,
        global_scratch_bytes: header.global_scratch_bytes,
        target: header.target,
        resources: ResourceUse {
            registers: header.registers,
            spill_bytes: header.spill_bytes,
            instructions: header.instructions,
            shared_buffers: header.shared_buffers,
            scalar_dots: header.scalar_dots,
            dots: if header.dots_wait { DotPolicy::Wait } else { DotPolicy::Overlap },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(ptx: &str) -> KernelImage {
        let map =
            TensorMapSpec { element: ScalarType::F8E5M2, block: vec![64, 128], swizzle_bytes: 128, pad_nan: true };
        let base = ParamKind::DescriptorBase { element: ScalarType::U32, rank: 3 };
        KernelImage {
            entry: "k".into(),
            ptx: ptx.into(),
            cubin: Some(vec![0, 159, 146, 150]),
            params: vec![
                ImageParam::pointer("x", Some(ScalarType::BF16)),
                ImageParam::pointer("y", None),
                ImageParam::scalar("n", ScalarType::I1),
                ImageParam { facts: Facts::from_suffix(64, true).unwrap(), ..ImageParam::scalar("m", ScalarType::I32) },
                ImageParam::new("d", ParamKind::TensorMap(map.clone())),
                ImageParam::new("e", base),
                ImageParam::new("x", ParamKind::MapOfPointer { map, base: 0, stride: 2 }),
            ],
            num_warps: 8,
            num_ctas: 2,
            shared_bytes: 4096,
            global_scratch_bytes: 128,
            target: "sm_90a".into(),
            resources: ResourceUse {
                registers: Some(32),
                spill_bytes: None,
                instructions: 7,
                shared_buffers: vec![("a tile \"quoted\"".into(), 0, 4096)],
                scalar_dots: vec!["full f32 (line 3)".into()],
                dots: DotPolicy::Wait,
            },
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

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(hash(b""), 0x6c62272e07bb014262b821756295c58d);
        assert_eq!(hash(b"a"), 0xd228cb696f1a8caf78912b704e4a8964);
    }
}
