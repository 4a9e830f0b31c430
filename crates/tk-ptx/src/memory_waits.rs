//! How often a thread waits for global memory.

use crate::control_flow::steps;
use crate::{Function, Mnemonic, Register};
use rustc_hash::FxHashMap;

impl Function {
    /// How often a thread waits for what it has loaded from global memory, if the instructions run once each in the order of the text: a wait is
    /// the first use of a value that was asked for after the wait before. What is loaded together is waited for once.
    pub fn memory_waits(&self) -> u32 {
        let mut waits = 0;
        // The wait that a register's value needs.
        let mut arrivals: FxHashMap<Register, u32> = FxHashMap::default();
        for step in steps(self) {
            let opcode = &step.instruction.opcode;
            for register in &step.reads {
                waits = waits.max(arrivals.get(register).copied().unwrap_or(0));
            }
            let loads = opcode.mnemonic() == Some(Mnemonic::Ld) && opcode.has("global");
            for register in &step.writes {
                if loads {
                    arrivals.insert(*register, waits + 1);
                } else {
                    arrivals.remove(register);
                }
            }
        }
        waits
    }
}

#[cfg(test)]
mod tests {
    use tk_diag::SourceFile;

    fn waits(body: &str) -> u32 {
        let text = format!(
            ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<2>;\n\
             ld.param.u64 %rd1, [p];\n{body}ret;\n}}\n"
        );
        crate::parse(&SourceFile::new("k.ptx", &text)).unwrap().entries().map(|entry| entry.memory_waits()).sum()
    }

    #[test]
    fn what_is_loaded_together_is_waited_for_once() {
        let loads = "ld.global.b32 %r1, [%rd1];\nld.global.v2.b32 {%r2, %r3}, [%rd1+8];\n";
        assert_eq!(waits(&format!("{loads}add.s32 %r4, %r1, %r2;\nadd.s32 %r4, %r4, %r3;\n")), 1);
        assert_eq!(waits(loads), 0, "nothing is used");
        let apart =
            "ld.global.b32 %r1, [%rd1];\nadd.s32 %r4, %r1, 1;\nld.global.b32 %r2, [%rd1+4];\nadd.s32 %r4, %r4, %r2;\n";
        assert_eq!(waits(apart), 2);
        let chain = "ld.global.b64 %rd2, [%rd1];\nld.global.b64 %rd3, [%rd2];\n@%p1 ld.global.b32 %r1, [%rd3];\nst.global.b32 [%rd1], %r1;\n";
        assert_eq!(waits(chain), 3);
        assert_eq!(waits("ld.global.b32 %r1, [%rd1];\nmov.b32 %r1, 0;\nadd.s32 %r4, %r1, 1;\n"), 0, "overwritten");
    }
}
