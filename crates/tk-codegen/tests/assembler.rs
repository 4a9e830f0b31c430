//! `ptxas` as a second opinion on the PTX.

use std::process::Command;

/// Panics when `ptxas` refuses the PTX; does nothing when there is no `ptxas`.
pub(crate) fn assemble(ptx: &str, target: &str) {
    let program = std::env::var("PTXAS").unwrap_or_else(|_| "ptxas".to_owned());
    if Command::new(&program).arg("--version").output().is_err() {
        return;
    }
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("test").replace(':', "_");
    let path = std::env::temp_dir().join(format!("tk-{}-{name}-{target}.ptx", std::process::id()));
    std::fs::write(&path, ptx).unwrap();
    let output = Command::new(&program).arg(format!("-arch={target}")).arg(&path).args(["-o", "/dev/null"]).output();
    let output = output.unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(output.status.success(), "ptxas refuses {target}: {}\n{ptx}", String::from_utf8_lossy(&output.stderr));
}
