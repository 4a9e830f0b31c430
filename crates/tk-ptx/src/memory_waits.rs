//! How often a thread waits for global memory.

use crate::control_flow::steps;
use crate::{Function, Mnemonic, Opcode, Register};
use rustc_hash::FxHashMap;

impl Function {
    /// How often a thread waits at least for what it has loaded from global memory, if the instructions run once each in the order of the text: loads
    /// that are issued as early as they can be wait for their addresses alone. None is issued before what stands above it and may write to memory, or sends the
    /// thread elsewhere. What is loaded together is waited for once. LLVM's code generator puts loads where their values are used, so the waits of the text say less.
    pub fn least_memory_waits(&self) -> u32 {
        let mut most = 0;
        // The wait behind which loads are that come now.
        let mut behind = 0;
        // The wait that a register's value needs.
        let mut arrivals: FxHashMap<Register, u32> = FxHashMap::default();
        for step in steps(self) {
            let opcode = &step.instruction.opcode;
            let needed = step.reads.iter().filter_map(|register| arrivals.get(register).copied()).max().unwrap_or(0);
            most = most.max(needed);
            if holds_loads_back(opcode) {
                behind = behind.max(needed);
            }
            let loads = opcode.mnemonic() == Some(Mnemonic::Ld) && opcode.has("global");
            let arrival = if loads { needed.max(behind) + 1 } else { needed };
            for register in &step.writes {
                arrivals.insert(*register, arrival);
            }
        }
        most
    }
}

/// No load moves above the instruction: it may write what is loaded, or the load may not be reached.
fn holds_loads_back(opcode: &Opcode) -> bool {
    use Mnemonic::{Atom, Bar, Barrier, Bra, Brx, Call, Cp, Fence, Mbarrier, Membar, Multimem, Red, St};
    matches!(
        opcode.mnemonic(),
        Some(St | Atom | Red | Multimem | Cp | Bra | Brx | Call | Bar | Barrier | Mbarrier | Membar | Fence)
    )
}

#[cfg(test)]
mod tests {
    use tk_diag::SourceFile;

    fn waits(body: &str) -> u32 {
        let text = format!(
            ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<2>;\n\
             ld.param.u64 %rd1, [p];\n{body}ret;\n}}\n"
        );
        crate::parse(&SourceFile::new("k.ptx", &text)).unwrap().entries().map(|entry| entry.least_memory_waits()).sum()
    }

    #[test]
    fn what_is_loaded_together_is_waited_for_once() {
        let loads = "ld.global.b32 %r1, [%rd1];\nld.global.v2.b32 {%r2, %r3}, [%rd1+8];\n";
        assert_eq!(waits(&format!("{loads}add.s32 %r4, %r1, %r2;\nadd.s32 %r4, %r4, %r3;\n")), 1);
        assert_eq!(waits(loads), 0, "nothing is used");
        let apart =
            "ld.global.b32 %r1, [%rd1];\nadd.s32 %r4, %r1, 1;\nld.global.b32 %r2, [%rd1+4];\nadd.s32 %r4, %r4, %r2;\n";
        assert_eq!(waits(apart), 1, "the second one can be issued before the addition");
        let behind = apart.replace("add.s32 %r4, %r1, 1;", "st.global.b32 [%rd1+8], %r1;\nbar.sync 0;");
        assert_eq!(waits(&behind), 2, "it may read what is stored");
        let chain = "ld.global.b64 %rd2, [%rd1];\nld.global.b64 %rd3, [%rd2];\n@%p1 ld.global.b32 %r1, [%rd3];\nst.global.b32 [%rd1], %r1;\n";
        assert_eq!(waits(chain), 3);
        assert_eq!(waits("ld.global.b32 %r1, [%rd1];\nmov.b32 %r1, 0;\nadd.s32 %r4, %r1, 1;\n"), 0, "overwritten");
    }
}
