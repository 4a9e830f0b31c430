//! Generates C++ from `td/` with mlir-tblgen, compiles it with `cpp/`, and writes the records of operations for `tk-ir`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// (generator, dialect option, suffix of the td file, name of the output, extension)
type Step = (&'static str, &'static str, &'static str, &'static str);

const DIALECT: Step = ("dialect", "-dialect=", "base", "dialect");
const ENUMS: Step = ("enum", "", "enums", "enums");
const ATTRS: Step = ("attrdef", "-attrdefs-dialect=", "base", "attrs");
const TYPES: Step = ("typedef", "-typedefs-dialect=", "base", "types");
const OPS: Step = ("op", "", "ops", "ops");

fn main() {
    let llvm = tk_find_llvm::prefix_or_exit("MLIR_SYS_220_PREFIX");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (dialect, steps) in [
        ("tt", &[DIALECT, ENUMS, ATTRS, TYPES, OPS][..]),
        ("ttg", &[DIALECT, ENUMS, ATTRS, TYPES, OPS][..]),
        ("ttng", &[("dialect", "-dialect=", "ops", "dialect"), OPS][..]),
        ("tk", &[("dialect", "-dialect=", "ops", "dialect"), OPS][..]),
    ] {
        for step in steps {
            generate(&llvm, &out, dialect, *step);
        }
    }
    write_records(&llvm, &out);
    compile(&llvm, &out);
    for watched in ["td", "cpp", "build.rs"] {
        println!("cargo:rerun-if-changed={watched}");
    }
}

/// Writes `<dialect>_<name>.h.inc` and `.cpp.inc`.
fn generate(llvm: &Path, out: &Path, dialect: &str, (generator, option, source, name): Step) {
    for (kind, extension) in [("decls", "h"), ("defs", "cpp")] {
        let mut command = Command::new(llvm.join("bin/mlir-tblgen"));
        command.arg(format!("-gen-{generator}-{kind}")).arg(format!("td/{dialect}_{source}.td"));
        command.arg("-I").arg("td").arg("-I").arg(llvm.join("include"));
        if !option.is_empty() {
            command.arg(format!("{option}{dialect}"));
        }
        command.arg("-o").arg(out.join(format!("{dialect}_{name}.{extension}.inc")));
        let status = command.status().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
        assert!(status.success(), "{command:?} failed");
    }
}

/// Writes the records of all operations as JSON, and says to the build script of `tk-ir` where they are.
fn write_records(llvm: &Path, out: &Path) {
    let records = out.join("ods.json");
    let mut command = Command::new(llvm.join("bin/llvm-tblgen"));
    command.arg("--dump-json").arg("td/kinds.td").arg("-I").arg("td").arg("-I").arg(llvm.join("include"));
    let status =
        command.arg("-o").arg(&records).status().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    assert!(status.success(), "{command:?} failed");
    println!("cargo:ods={}", records.display());
}

/// LLVM's own compiler takes half the time of g++ for MLIR's headers; where it is missing, or `CXX` names another one, that compiles.
fn compile(llvm: &Path, out: &Path) {
    let mut build = cc::Build::new();
    let clang = llvm.join("bin/clang++");
    if clang.exists() && std::env::var_os("CXX").is_none() {
        build.compiler(clang);
    }
    println!("cargo:rerun-if-env-changed=CXX");
    build.cpp(true).std("c++17").opt_level(1).debug(false).warnings(false);
    build.flag("-w").flag("-fno-rtti").flag("-fno-exceptions");
    build.define("_GNU_SOURCE", None).define("__STDC_CONSTANT_MACROS", None).define("__STDC_LIMIT_MACROS", None);
    build.include("cpp").include(out).include(llvm.join("include"));
    build.files(["cpp/tt.cpp", "cpp/others.cpp", "cpp/unused.cpp"]).compile("tkdialects");
}
