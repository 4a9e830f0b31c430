//! LLVM's code generator ends its process at some texts: `tk` compiles LLVM IR in another one first.

use std::process::{Command, Output};

#[test]
fn text_that_llvm_gives_up_on_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.ll");
    let of = |operand: u32| {
        format!(
            "define void @k() {{\n  call void asm sideeffect \"mov.u32 ${operand}, 1;\", \"~{{memory}}\"()\n  ret void\n}}\n"
        )
    };
    std::fs::write(&path, of(7)).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_tk")).arg("compile").arg(&path).output().unwrap();
    refused(&done);
    let run = ["run", "examples/vector_add.tk", "--device", "sim", "--override"];
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tk"));
    let done = command.current_dir(root).args(run).arg(format!("add_kernel={}", path.display())).output().unwrap();
    refused(&done);
}

fn refused(done: &Output) {
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("error[bad-ir]: LLVM makes no code of this text: Invalid $ operand number"), "{said}");
}
