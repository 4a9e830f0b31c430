//! Compiles `cpp/`: the few functions that LLVM's C API lacks.

fn main() {
    let llvm = tk_find_llvm::prefix_or_exit("LLVM_SYS_221_PREFIX");
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").opt_level(1).debug(false).warnings(false);
    build.flag("-w").flag("-fno-rtti").flag("-fno-exceptions");
    build.define("_GNU_SOURCE", None).define("__STDC_CONSTANT_MACROS", None).define("__STDC_LIMIT_MACROS", None);
    build.include(llvm.join("include")).files(["cpp/long_blocks.cpp", "cpp/unused.cpp"]).compile("tkcodegen");
    for watched in ["cpp", "build.rs"] {
        println!("cargo:rerun-if-changed={watched}");
    }
}
