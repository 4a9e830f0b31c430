//! Finds LLVM and MLIR 22 for build scripts.
//!
//! [`prefix_or_exit`] looks at an environment variable, at the folder of Debian's packages, and at what `llvm-config-22` and
//! `llvm-config` say, in this order. The build scripts of mlir-sys, tblgen and melior look at their variables and at `llvm-config` alone;
//! `scripts/setup --cargo-home` sets the variables for all crates of a user.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The release of LLVM that tk is built with.
pub const RELEASE: &str = "22";

/// Where the packages of Debian and of apt.llvm.org put this release.
pub const DEBIAN_PREFIX: &str = "/usr/lib/llvm-22";

/// The packages that a build needs, as `scripts/setup` installs them.
pub const PACKAGES: &str = "g++ llvm-22-dev libmlir-22-dev mlir-22-tools libpolly-22-dev libclang-22-dev \
                            libzstd-dev libxml2-dev libffi-dev zlib1g-dev libz3-dev";

/// The folder with `bin/`, `include/` and `lib/` of LLVM 22, for a build script. `variable` may name it.
/// Without LLVM the process ends, after a message that says what to install.
#[must_use]
pub fn prefix_or_exit(variable: &str) -> PathBuf {
    println!("cargo:rerun-if-env-changed={variable}");
    let named = std::env::var_os(variable).map(PathBuf::from);
    find(named.as_deref(), Path::new(DEBIAN_PREFIX), &["llvm-config-22", "llvm-config"]).unwrap_or_else(|reason| {
        eprintln!("{reason}\nOn Debian:\n\n    apt-get install --no-install-recommends {PACKAGES}\n");
        eprintln!("Elsewhere, let {variable} name the folder that LLVM {RELEASE} is installed in.");
        std::process::exit(1);
    })
}

/// The first of these that holds LLVM and MLIR 22: the folder that was named, which has to; the usual one; what the programs say.
///
/// # Errors
/// Which places have been looked at.
fn find(named: Option<&Path>, usual: &Path, programs: &[&str]) -> Result<PathBuf, String> {
    if let Some(named) = named {
        let found = holds_mlir(named).then(|| named.to_path_buf());
        return found.ok_or_else(|| format!("{} holds no LLVM with MLIR {RELEASE}.", named.display()));
    }
    if holds_mlir(usual) {
        return Ok(usual.to_path_buf());
    }
    programs.iter().find_map(|program| prefix_of(program)).ok_or_else(|| {
        let programs = programs.join(" and ");
        format!("LLVM with MLIR {RELEASE} was not found: not in {}, and not through {programs}.", usual.display())
    })
}

/// Whether a folder has what a build takes from it: headers, and the generator of dialects.
fn holds_mlir(prefix: &Path) -> bool {
    prefix.join("include/mlir-c/IR.h").is_file() && prefix.join("bin/mlir-tblgen").exists()
}

/// Where an `llvm-config` says that LLVM is, if it belongs to release 22.
fn prefix_of(program: &str) -> Option<PathBuf> {
    let says = |option: &str| {
        let output = Command::new(program).arg(option).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_string())
    };
    let is_release = says("--version")?.split('.').next() == Some(RELEASE);
    let prefix = PathBuf::from(says("--prefix")?);
    (is_release && holds_mlir(&prefix)).then_some(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that looks like LLVM with MLIR.
    fn llvm() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for file in ["include/mlir-c/IR.h", "bin/mlir-tblgen"] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("the file lies in a folder")).expect("a folder can be made");
            std::fs::write(path, "").expect("a file can be written");
        }
        folder
    }

    /// A program that answers as `llvm-config` does.
    fn llvm_config(folder: &Path, version: &str, prefix: &Path) -> String {
        use std::os::unix::fs::PermissionsExt;
        let program = folder.join(format!("llvm-config-{version}"));
        let answer = format!("case $1 in --version) echo {version};; --prefix) echo {};; esac", prefix.display());
        std::fs::write(&program, format!("#!/bin/sh\n{answer}\n")).expect("a file can be written");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("permissions can be set");
        program.display().to_string()
    }

    #[test]
    fn a_folder_that_is_named_wins_and_has_to_hold_llvm() {
        let (named, usual) = (llvm(), llvm());
        assert_eq!(find(Some(named.path()), usual.path(), &[]), Ok(named.path().to_path_buf()));
        let error = find(Some(Path::new("/nowhere")), usual.path(), &[]).expect_err("there is nothing");
        assert_eq!(error, "/nowhere holds no LLVM with MLIR 22.");
    }

    #[test]
    fn the_usual_folder_comes_before_programs() {
        let (usual, other) = (llvm(), llvm());
        let program = llvm_config(other.path(), "22.1.8", other.path());
        assert_eq!(find(None, usual.path(), &[&program]), Ok(usual.path().to_path_buf()));
        assert_eq!(find(None, Path::new("/nowhere"), &[&program]), Ok(other.path().to_path_buf()));
    }

    #[test]
    fn programs_of_other_releases_do_not_count() {
        let other = llvm();
        let old = llvm_config(other.path(), "14.0.6", other.path());
        let error = find(None, Path::new("/nowhere"), &[&old]).expect_err("the release is another");
        assert!(error.starts_with("LLVM with MLIR 22 was not found: not in /nowhere, and not through "), "{error}");
    }

    #[test]
    fn the_packages_are_those_that_the_setup_installs() {
        let setup = include_str!("../../../scripts/setup");
        let (_, rest) = setup.split_once("\npackages=\"").expect("the script has a list");
        let (list, _) = rest.split_once('"').expect("the list ends");
        let missing: Vec<&str> =
            PACKAGES.split_whitespace().filter(|name| !list.split_whitespace().any(|p| p == *name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
