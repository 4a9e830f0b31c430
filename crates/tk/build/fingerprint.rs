//! A name for what the compiler is made from: the contents of files, and nothing of where they lie or when they were written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders beside the sources of a crate that do not become part of it.
const APART: [&str; 3] = ["tests", "examples", "benches"];

/// The files and folders, from the root of the workspace, that this crate is made from with all crates of the workspace that it depends on.
/// Nothing where there is no workspace.
pub(crate) fn places(root: &Path, first: &str) -> Option<Vec<PathBuf>> {
    let workspace = std::fs::read_to_string(root.join("Cargo.toml")).ok()?;
    let mut places: BTreeSet<PathBuf> = ["Cargo.toml", "Cargo.lock"].map(PathBuf::from).into();
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![first.to_string()]);
    while let Some(name) = waiting.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let folder = folder_of(&workspace, &name)?;
        let manifest = std::fs::read_to_string(root.join(&folder).join("Cargo.toml")).ok()?;
        waiting.extend(dependencies(&manifest));
        let is_part = |entry: &std::fs::DirEntry| !APART.iter().any(|apart| entry.file_name() == *apart);
        let entries = std::fs::read_dir(root.join(&folder)).ok()?.flatten().filter(is_part);
        places.extend(entries.map(|entry| folder.join(entry.file_name())));
    }
    Some(places.into_iter().collect())
}

/// Where a crate lies: `tk-ir = { path = "crates/tk-ir" }`.
fn folder_of(workspace: &str, name: &str) -> Option<PathBuf> {
    let start = format!("{name} = {{ path = \"");
    let line = workspace.lines().find_map(|line| line.strip_prefix(&start))?;
    Some(line.split('"').next()?.into())
}

/// The crates of the workspace that a manifest names outside of its dependencies for tests.
fn dependencies(manifest: &str) -> Vec<String> {
    let own = manifest.split("[dev-dependencies]").next().unwrap_or_default();
    let named = own.lines().filter_map(|line| line.split_once([' ', '.']));
    let is_crate = |(name, rest): &(&str, &str)| name.starts_with("tk-") && rest.contains("workspace = true");
    named.filter(is_crate).map(|(name, _)| name.to_string()).collect()
}

/// A name of the contents of files and folders, each with its path from the root.
pub(crate) fn of_files(root: &Path, places: &[PathBuf]) -> String {
    let mut hash = Hash::new();
    places.iter().for_each(|place| add(&mut hash, root, place));
    hash.name()
}

fn add(hash: &mut Hash, root: &Path, place: &Path) {
    let path = root.join(place);
    match std::fs::read_dir(&path) {
        Ok(entries) => {
            let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
            names.sort();
            names.iter().for_each(|name| add(hash, root, &place.join(name)));
        }
        Err(_) => {
            hash.part(place.to_string_lossy().as_bytes());
            hash.part(&std::fs::read(&path).unwrap_or_default());
        }
    }
}

/// A name of the names and sizes of LLVM's libraries in a folder: gigabytes are not read.
pub(crate) fn of_libraries(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let describe = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_one = ["libLLVM", "libMLIR"].iter().any(|start| name.starts_with(start));
        let size = entry.metadata().ok().filter(|file| is_one && file.is_file())?.len();
        Some(format!("{name} {size}"))
    };
    let mut lines: Vec<String> = entries.filter_map(describe).collect();
    lines.sort();
    of_text(&lines.join("\n"))
}

/// A name of a text.
pub(crate) fn of_text(text: &str) -> String {
    let mut hash = Hash::new();
    hash.part(text.as_bytes());
    hash.name()
}

/// FNV-1a of 128 bits, which is the same in every build; the parts are told apart by their lengths.
struct Hash(u128);

impl Hash {
    fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn part(&mut self, bytes: &[u8]) {
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in length.iter().chain(bytes) {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }

    fn name(&self) -> String {
        format!("{:032x}", self.0)
    }
}
