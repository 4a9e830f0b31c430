//! What `ptxas` makes of the PTX: no spills, and no remark that it had to order `wgmma` by itself.

use crate::harness::Kernel;
use std::process::Command;

/// What `ptxas -v` says; `None` when there is no `ptxas` (on the path or named by `PTXAS`).
fn remarks(kernel: &Kernel, name: &str) -> Option<String> {
    let program = std::env::var("PTXAS").unwrap_or_else(|_| "ptxas".to_owned());
    Command::new(&program).arg("--version").output().ok()?;
    let path = std::env::temp_dir().join(format!("tk-hopper-{}-{name}.ptx", std::process::id()));
    std::fs::write(&path, &kernel.generated.image.ptx).unwrap();
    let output = Command::new(&program).args(["-v", "-arch=sm_90a"]).arg(&path).args(["-o", "/dev/null"]).output();
    let output = output.unwrap();
    std::fs::remove_file(&path).unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{name}: {text}");
    Some(text)
}

macro_rules! kernels {
    ($($name:ident: $most:literal registers;)*) => {$(
        #[test]
        fn $name() {
            let name = stringify!($name);
            let kernel = Kernel::new(include_str!(concat!("kernels/", stringify!($name), ".ttgir")));
            let Some(text) = remarks(&kernel, name) else { return };
            assert!(text.contains(" 0 bytes spill stores, 0 bytes spill loads"), "{name}: {text}");
            // C7510 and its like say that instructions are serialised or that a wait was added.
            assert!(!text.contains("(C75"), "{name}: {text}");
            let used = text.split("Used ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
            // Registers are handed out in eights.
            let most = u32::next_multiple_of($most, 8);
            assert!(used.parse::<u32>().unwrap() <= most, "{name}: {used} registers, the reference compiler has {}", $most);
        }
    )*};
}

// The registers of the same kernels as the reference compiler makes them.
kernels! {
    f16_128x256x64: 218 registers;
    f16_128x128x32: 168 registers;
    fp8_128x128x64: 167 registers;
    f16acc_128x128x64: 151 registers;
    attn64: 217 registers;
    attnd64: 188 registers;
    matmul_tma: 154 registers;
    matmul_tma_persistent: 161 registers;
}
