//! Imports through the library: what a compilation of several files depends on.

use tk::{Bounds, CompileOptions, Roots, Target, Unit, Until};
use tk_diag::SourceFile;

const MAIN: &str = "import triton
import triton.language as tl
from ops import gate
from unused import other

@triton.jit
def k(x, N: tl.constexpr):
    at = x + tl.arange(0, N)
    tl.store(at, gate(tl.load(at)))
";

fn ops(factor: &str) -> String {
    format!("import triton\nFACTOR = {factor}\n@triton.jit\ndef gate(x):\n    return x * FACTOR\n")
}

/// The cache key and the PTX of `k`.
fn compiled(folder: &std::path::Path) -> (String, String) {
    let path = folder.join("main.tk");
    let file = SourceFile::new(path.display().to_string(), std::fs::read_to_string(&path).unwrap());
    let module = tk::read_imports(&tk::parse(&file).unwrap(), &path, None, Roots::Kernels).unwrap();
    let specs = tk::read_signature("*fp32:16").unwrap();
    let args = tk::bind_signature(&module, "k", Some(&specs), &[tk::NamedConstant::new("N", tk::ConstValue::Int(128))])
        .unwrap();
    let unit = Unit {
        module: &module,
        kernel: "k",
        args: &args,
        globals: &[],
        options: CompileOptions::default(),
        target: Target::parse("sm_90a").unwrap(),
        bounds: Bounds::any(),
    };
    let compilation = tk::compile(&unit, Until::Ptx, &mut tk::Unwatched).unwrap_or_else(|all| panic!("{}", all[0]));
    (unit.cache_key("tk"), compilation.text)
}

#[test]
fn compilations_depend_on_the_texts_that_they_need() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("main.tk", MAIN);
    write("ops.tk", &ops("2.0"));
    write("unused.py", "other = 1\n");
    let first = compiled(folder.path());
    assert!(first.1.contains("main.tk\"") && first.1.contains("ops.tk\""), "{}", first.1);
    // The same texts give the same key, and so does a change of what no kernel needs.
    write("unused.py", "this is no program");
    assert_eq!(first, compiled(folder.path()));
    write("ops.tk", &ops("3.0"));
    let second = compiled(folder.path());
    assert!(second.0 != first.0 && second.1 != first.1);
    // Text that moves from one file to the other is another program.
    write("ops.tk", &format!("{}\n", ops("2.0")));
    assert_ne!(compiled(folder.path()).0, first.0);
}
