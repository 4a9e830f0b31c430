//! Inline PTX that is built where something needs what it gives, like a computation, although it has effects.
//!
//! A load stands where the program has it, before all that is computed on it. Of a row that takes several times the registers of a thread all
//! loads would stand before the first element is used, and ptxas, which moves few loads down, spills what they bring. A late load stands at the
//! first use of its elements. Whoever asks for one knows that memory is as it was until then.

use super::Code;
use super::effect::Asm;
use super::node::{Key, Node, Opcode};
use super::reg::{NO_NODE, Reg};
use tk_diag::Result;

/// Inline PTX that waits.
pub(super) struct Late {
    /// `None` once it is built.
    asm: Option<Asm>,
    /// Nodes of its inputs.
    inputs: Vec<u32>,
    /// Nodes of its outputs.
    outputs: Vec<u32>,
}

impl Code<'_> {
    /// The outputs of inline PTX that is built in this scope when the first of them is needed.
    pub(crate) fn asm_late(&mut self, mut asm: Asm) -> Vec<Reg> {
        let number = self.late.len() as u32;
        let scope = self.scopes.len() as u32 - 1;
        let mut inputs = Vec::with_capacity(asm.inputs.len());
        for input in &mut asm.inputs {
            let node = self.materialise(*input);
            *input = Reg { node, offset: 0, ..*input };
            inputs.push(node);
        }
        let mut outputs = Vec::with_capacity(asm.outputs.len());
        for ty in &asm.outputs {
            let key = Key { opcode: Opcode::Late(number), ty: *ty, args: [NO_NODE; 4] };
            let node = self.push_node(Node { key, zeros: 0, scope, place: self.place, value: None });
            outputs.push(Reg { node, ty: *ty, offset: 0 });
        }
        let nodes = outputs.iter().map(|output| output.node).collect();
        self.late.push(Late { asm: Some(asm), inputs, outputs: nodes });
        outputs
    }

    /// The register without its constant that stands for `reg` under this number in the open scopes, made by `make` where there is none.
    pub(crate) fn standing_for(
        &mut self,
        reg: Reg,
        number: u32,
        make: impl FnOnce(&mut Self, Reg) -> Result<Reg>,
    ) -> Result<Reg> {
        let key = Key { opcode: Opcode::StandsFor(number), ty: reg.ty, args: [reg.node, NO_NODE, NO_NODE, NO_NODE] };
        if let Some(node) = self.known.get(&key).copied() {
            return Ok(Reg { node, ty: reg.ty, offset: 0 });
        }
        let made = make(self, reg.base())?;
        let node = self.materialise(made);
        self.known.insert(key, node);
        if let Some(scope) = self.scopes.last_mut() {
            scope.known.push(key);
        }
        Ok(Reg { node, ty: reg.ty, offset: 0 })
    }

    /// What has to be there before late PTX.
    pub(super) fn inputs_of_late(&self, number: u32) -> impl Iterator<Item = u32> + use<> {
        self.late[number as usize].inputs.clone().into_iter()
    }

    /// Builds late PTX, whose inputs are there.
    pub(super) fn build_late(&mut self, number: u32) -> Result<()> {
        let late = &mut self.late[number as usize];
        let outputs = late.outputs.clone();
        let (Some(asm), Some(first)) = (late.asm.take(), outputs.first().copied()) else {
            return Err(super::bug("late PTX has been built before"));
        };
        let place = std::mem::replace(&mut self.place, self.nodes[first as usize].place);
        let built = self.in_scope_of(first, |code| code.asm(asm));
        self.place = place;
        for (node, output) in outputs.into_iter().zip(built?) {
            self.nodes[node as usize].value = self.nodes[output.node as usize].value;
        }
        Ok(())
    }
}
