//! How often a thread waits for global memory.

use crate::control_flow::{Step, steps};
use crate::{Function, Mnemonic, Opcode, Register, Type};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What the loops of a function load from global memory, if each of their instructions runs once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoopLoads {
    /// How often a thread waits at least, as in [`Function::least_memory_waits`].
    pub waits: u32,
    /// Registers of 32 bits that the loads bring.
    pub words: u32,
}

impl Function {
    /// How often a thread waits at least for what it has loaded from global memory, if the instructions run once each in the order of the text: loads
    /// that are issued as early as they can be wait for their addresses alone. None is issued before what stands above it and may write to memory, or sends the
    /// thread elsewhere. What is loaded together is waited for once. LLVM's code generator puts loads where their values are used, so the waits of the text say less.
    pub fn least_memory_waits(&self) -> u32 {
        least_waits(&steps(self))
    }

    /// The loads of all loops; loops inside others count once.
    pub fn loop_loads(&self) -> LoopLoads {
        let steps = steps(self);
        let mut found = LoopLoads::default();
        for inside in outer_loops(&steps).into_iter().map(|range| &steps[range]) {
            found.waits += least_waits(inside);
            found.words += inside.iter().filter(|step| is_load(step)).map(words).sum::<u32>();
        }
        found
    }
}

fn least_waits(steps: &[Step<'_>]) -> u32 {
    let mut most = 0;
    // The wait behind which loads are that come now.
    let mut behind = 0;
    // The wait that a register's value needs.
    let mut arrivals: FxHashMap<Register, u32> = FxHashMap::default();
    for step in steps {
        let needed = step.reads.iter().filter_map(|register| arrivals.get(register).copied()).max().unwrap_or(0);
        most = most.max(needed);
        if holds_loads_back(&step.instruction.opcode) {
            behind = behind.max(needed);
        }
        let arrival = if is_load(step) { needed.max(behind) + 1 } else { needed };
        for register in &step.writes {
            arrivals.insert(*register, arrival);
        }
    }
    most
}

/// The loops with loads that are in no other one, and those that share instructions as one.
fn outer_loops(steps: &[Step<'_>]) -> Vec<Range<usize>> {
    let mut is_inside = vec![false; steps.len()];
    for (at, step) in steps.iter().enumerate() {
        for target in step.targets.iter().filter(|target| **target <= at) {
            if steps[*target..=at].iter().any(is_load) {
                is_inside[*target..=at].fill(true);
            }
        }
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in (0..steps.len()).filter(|at| is_inside[*at]) {
        match found.last_mut().filter(|last| last.end == at) {
            Some(last) => last.end += 1,
            None => found.push(at..at + 1),
        }
    }
    found
}

fn is_load(step: &Step<'_>) -> bool {
    let opcode = &step.instruction.opcode;
    opcode.mnemonic() == Some(Mnemonic::Ld) && opcode.has("global")
}

/// Registers of 32 bits that a load brings.
fn words(load: &Step<'_>) -> u32 {
    let bits = load.instruction.opcode.modifiers().last().and_then(Type::parse).map_or(32, Type::bits);
    (bits * load.writes.len() as u32).div_ceil(32)
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
    use super::LoopLoads;
    use crate::Module;
    use tk_diag::SourceFile;

    fn read(body: &str) -> Module {
        let text = format!(
            ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<2>;\n\
             ld.param.u64 %rd1, [p];\n{body}ret;\n}}\n"
        );
        crate::parse(&SourceFile::new("k.ptx", &text)).unwrap()
    }

    fn waits(body: &str) -> u32 {
        read(body).entries().map(|entry| entry.least_memory_waits()).sum()
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

    #[test]
    fn loops_wait_for_what_they_load() {
        let of = |body: &str| read(body).entries().next().map(|entry| entry.loop_loads());
        let load = "ld.global.v2.b32 {%r1, %r2}, [%rd1];\nadd.s32 %r3, %r1, %r2;\n";
        assert_eq!(of(load), Some(LoopLoads::default()), "no loop");
        let inner = format!("$I:\n{load}@%p1 bra $I;\n");
        assert_eq!(of(&format!("{load}{inner}")), Some(LoopLoads { waits: 1, words: 2 }));
        let narrow = "ld.global.b64 %rd2, [%rd1];\nld.global.b8 %r5, [%rd2];\nadd.s32 %r4, %r5, 1;\n";
        let outer = format!("$O:\n{narrow}{inner}@%p1 bra $O;\n");
        assert_eq!(of(&outer), Some(LoopLoads { waits: 2, words: 5 }), "together");
        assert_eq!(
            of(&format!("{outer}mov.b32 %r1, 0;\n$N:\n{load}@%p1 bra $N;\n")),
            Some(LoopLoads { waits: 3, words: 7 })
        );
        assert_eq!(
            of(&format!("$O:\nadd.s32 %r1, %r1, 1;\n@%p1 bra $O;\n{load}")),
            Some(LoopLoads::default()),
            "none loads"
        );
    }
}
