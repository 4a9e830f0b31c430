//! Programs that only launch get no compiler with it.

use std::collections::BTreeSet;
use std::process::Command;

#[test]
fn no_compiler_is_linked_in() {
    let arguments = ["tree", "--offline", "--package", "tk-runtime", "--edges", "normal", "--prefix", "none"];
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: BTreeSet<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(found.contains("cudarc") && found.contains("tk-image"), "the packages were read: {found:?}");
    let compiler =
        ["llvm", "mlir", "melior", "inkwell", "clang", "tk-driver", "tk-codegen", "tk-ir", "tk-sim", "tk-diag"];
    let linked: Vec<&&str> = found.iter().filter(|name| compiler.iter().any(|part| name.contains(part))).collect();
    assert!(linked.is_empty(), "{linked:?}");
    assert!(found.len() < 40, "{} packages: {found:?}", found.len());
}
