//! What code without loops does to global memory.

use crate::control_flow::steps;
use crate::{Function, Mnemonic, Opcode, Type};

/// Bytes of global memory that a thread touches which runs once through code without loops. What is behind a guard counts like all else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StraightAccesses {
    /// What it loads.
    pub loaded: u64,
    /// What it stores.
    pub stored: u64,
    /// What it adds, or combines otherwise, without asking for what was there.
    pub combined: u64,
    /// The bytes of the narrowest of these instructions; 0 where there is none.
    pub narrowest_combined: u64,
}

impl Function {
    /// The accesses of a function that runs through each instruction once at most. `None` where it jumps back or calls, and where it touches global memory in
    /// other ways: by atomic operations with a result, copies, or addresses of no known space.
    pub fn straight_accesses(&self) -> Option<StraightAccesses> {
        let mut found = StraightAccesses::default();
        for (index, step) in steps(self).iter().enumerate() {
            if step.targets.iter().any(|target| *target <= index) {
                return None;
            }
            let opcode = &step.instruction.opcode;
            match access(opcode) {
                Access::None => {}
                Access::Load => found.loaded += bytes(opcode)?,
                Access::Store => found.stored += bytes(opcode)?,
                Access::Combine => {
                    let bytes = bytes(opcode)?;
                    let narrowest = if found.combined == 0 { bytes } else { found.narrowest_combined };
                    found.combined += bytes;
                    found.narrowest_combined = narrowest.min(bytes);
                }
                Access::Other => return None,
            }
        }
        Some(found)
    }
}

/// What an instruction does to global memory.
enum Access {
    None,
    Load,
    Store,
    Combine,
    Other,
}

fn access(opcode: &Opcode) -> Access {
    use Mnemonic::{Atom, Brx, Call, Cp, Ld, Ldu, Multimem, Red, St};
    let is_elsewhere = ["shared", "shared::cta", "param", "const", "local"].iter().any(|space| opcode.has(space));
    match opcode.mnemonic() {
        Some(Brx | Call | Cp | Multimem) | None => Access::Other,
        Some(Ld | Ldu | St | Atom | Red) if is_elsewhere => Access::None,
        Some(Ld | Ldu | St | Atom | Red) if !opcode.has("global") => Access::Other,
        Some(Ld | Ldu) => Access::Load,
        Some(St) => Access::Store,
        Some(Red) => Access::Combine,
        Some(Atom) => Access::Other,
        Some(_) => Access::None,
    }
}

/// The bytes that an access moves: its type, which comes last, as many times as its vector is long.
fn bytes(opcode: &Opcode) -> Option<u64> {
    let lanes = opcode.modifiers().find_map(|modifier| modifier.strip_prefix('v')?.parse::<u64>().ok()).unwrap_or(1);
    Some(lanes * u64::from(Type::parse(opcode.modifiers().last()?)?.bytes()))
}

#[cfg(test)]
mod tests {
    use super::StraightAccesses;
    use tk_diag::SourceFile;

    fn accesses(body: &str) -> Option<StraightAccesses> {
        let text = format!(
            ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n\
             .reg .pred %p<2>;\nld.param.u64 %rd1, [p];\n{body}\nret;\n}}\n"
        );
        let module = crate::parse(&SourceFile::new("k.ptx", &text)).unwrap();
        module.entries().next().and_then(|entry| entry.straight_accesses())
    }

    #[test]
    fn bytes_are_those_of_types_and_vectors() {
        let add = "red.global.gpu.relaxed.add.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};";
        let body = format!(
            "ld.global.v2.b32 {{%r1, %r2}}, [%rd1];\n@%p1 ld.global.b16 %r3, [%rd1+8];\nst.shared.b32 [%r1], %r2;\n{add}\n{add}\nst.global.b64 [%rd1], %rd1;"
        );
        let all = StraightAccesses { loaded: 10, stored: 8, combined: 32, narrowest_combined: 16 };
        assert_eq!(accesses(&body), Some(all));
        let narrow = "red.global.add.f32 [%rd1], %f1;";
        let narrowest = accesses(&format!("{add}\n{narrow}\n{add}")).map(|found| found.narrowest_combined);
        assert_eq!(narrowest, Some(4));
    }

    #[test]
    fn code_with_loops_or_other_accesses_is_not_straight() {
        assert_eq!(accesses("$L:\nld.global.b32 %r1, [%rd1];\n@%p1 bra $L;"), None, "a loop");
        assert_eq!(accesses("@%p1 bra $L;\nld.global.b32 %r1, [%rd1];\n$L:").map(|found| found.loaded), Some(4));
        assert_eq!(accesses("atom.global.add.u32 %r1, [%rd1], %r2;"), None);
        assert_eq!(accesses("ld.b32 %r1, [%rd1];"), None, "of any space");
        assert_eq!(accesses("st.shared.b32 [%r1], %r2;"), Some(StraightAccesses::default()));
    }
}
