//! The name of a build: equal for equal sources wherever they lie, and another after any change.

#[path = "../build/fingerprint.rs"]
mod made_from;

use made_from::{of_files, of_libraries, places};
use std::path::{Path, PathBuf};

/// A workspace with a crate that depends on another, and one that it does not depend on.
fn workspace(folder: &Path) {
    let files = [
        ("Cargo.toml", "tk = { path = \"crates/tk\" }\ntk-a = { path = \"a\" }\ntk-b = { path = \"b\" }\n"),
        ("Cargo.lock", "locked"),
        ("crates/tk/Cargo.toml", "[dependencies]\ntk-a.workspace = true\n[dev-dependencies]\ntk-b.workspace = true\n"),
        ("crates/tk/src/lib.rs", "//"),
        ("a/Cargo.toml", ""),
        ("a/src/deep/file.rs", "fn f() {}"),
        ("a/tests/test.rs", ""),
        ("b/Cargo.toml", ""),
        ("b/src/lib.rs", ""),
    ];
    for (path, text) in files {
        std::fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        std::fs::write(folder.join(path), text).unwrap();
    }
}

fn name(folder: &Path) -> String {
    of_files(folder, &places(folder, "tk").unwrap())
}

#[test]
fn equal_sources_have_one_name_in_all_folders() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    folders.iter().for_each(|folder| workspace(folder.path()));
    let [one, other] = folders.each_ref().map(|folder| name(folder.path()));
    assert_eq!(one, other);
    let of = |path: &str, text: &str| {
        let path = folders[1].path().join(path);
        let before = std::fs::read(&path).unwrap();
        std::fs::write(&path, text).unwrap();
        let changed = name(folders[1].path());
        std::fs::write(&path, before).unwrap();
        changed
    };
    for path in ["Cargo.lock", "crates/tk/src/lib.rs", "a/src/deep/file.rs", "a/Cargo.toml"] {
        assert_ne!(of(path, "fn g() {}"), one, "{path}");
    }
    for path in ["b/src/lib.rs", "a/tests/test.rs"] {
        assert_eq!(of(path, "fn g() {}"), one, "{path} is no part of the compiler");
    }
    std::fs::rename(folders[1].path().join("a/src/deep/file.rs"), folders[1].path().join("a/src/file.rs")).unwrap();
    assert_ne!(name(folders[1].path()), one, "a file that was moved");
    assert_eq!(places(&folders[1].path().join("a"), "tk"), None, "a crate that stands alone");
}

#[test]
fn the_compiler_is_made_from_all_its_crates() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let places = places(&root, "tk").unwrap();
    let parts = ["passes/src", "grammar/src", "crates/tk-dialect/td", "crates/tk-codegen/src", "crates/tk-check/src"];
    for part in parts {
        assert!(places.contains(&PathBuf::from(part)), "{part} is missing: {places:?}");
    }
    assert!(!places.iter().any(|place| place.starts_with("crates/tk-cli")));
}

#[test]
fn libraries_are_told_apart_by_their_sizes() {
    let folder = tempfile::tempdir().unwrap();
    let name = || of_libraries(folder.path());
    std::fs::write(folder.path().join("libLLVMCore.a"), "12").unwrap();
    let one = name();
    std::fs::write(folder.path().join("other.txt"), "12").unwrap();
    assert_eq!(name(), one);
    std::fs::write(folder.path().join("libLLVMCore.a"), "123").unwrap();
    assert_ne!(name(), one);
}

#[test]
fn the_name_has_the_version_and_a_hash() {
    let name = tk::build_name();
    let hash = name.strip_prefix(concat!(env!("CARGO_PKG_VERSION"), "-")).unwrap_or_else(|| panic!("{name}"));
    assert!(hash.len() == 32 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}");
}
