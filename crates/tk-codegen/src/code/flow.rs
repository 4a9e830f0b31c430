//! Blocks, branches and phis, and the scopes that say how far a computation may be reused.

use super::node::Opcode;
use super::reg::{NO_NODE, Reg, Ty};
use super::{Code, Runs, Scope, bug};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::BuilderError;
use inkwell::values::{InstructionValue, PhiValue};
use tk_diag::Result;

/// A place to branch to.
#[derive(Clone, Copy)]
pub(crate) struct Label<'l>(pub(super) BasicBlock<'l>);

/// How much more often a likely side is taken than the other: as LLVM's own `expect` has it.
const LIKELY_WEIGHT: u64 = 2000;

/// What others are asked to leave as it is in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoopMark {
    /// LLVM moves nothing out of it.
    KeepInside,
    /// ptxas writes its body once.
    KeepRolled,
}

impl LoopMark {
    /// LLVM's name.
    fn name(self) -> &'static str {
        match self {
            LoopMark::KeepInside => "llvm.licm.disable",
            // It becomes `.pragma "nounroll"`.
            LoopMark::KeepRolled => "llvm.loop.unroll.disable",
        }
    }
}

/// A phi whose incoming values are still being added.
#[derive(Clone, Copy)]
pub(crate) struct Phi<'l>(PhiValue<'l>);

impl<'l> Code<'l> {
    /// A new block at the end of the function.
    pub(crate) fn label(&mut self) -> Label<'l> {
        Label(self.context.append_basic_block(self.function, ""))
    }

    /// The block that is being written.
    pub(crate) fn here(&self) -> Label<'l> {
        Label(self.scopes[self.scopes.len() - 1].block)
    }

    /// Ends the block with a jump.
    pub(crate) fn jump(&mut self, to: Label<'l>) -> Result<()> {
        self.places.apply(&self.builder, self.place);
        let branch = self.builder.build_unconditional_branch(to.0).map_err(refused)?;
        self.current_scope().terminator = Some(branch);
        Ok(())
    }

    /// The branch that ends the block nearly always goes to its first side. LLVM moves the other one out of the way.
    pub(crate) fn expect_first_side(&mut self) -> Result<()> {
        let Some(branch) = self.current_scope().terminator else { return Ok(()) };
        let weight = |taken: u64| self.context.i32_type().const_int(taken, false).into();
        let name = self.context.metadata_string("branch_weights").into();
        let weights = self.context.metadata_node(&[name, weight(LIKELY_WEIGHT), weight(1)]);
        branch.set_metadata(weights, self.context.get_kind_id("prof")).map_err(bug)
    }

    /// The branch that ends the block closes a loop that stays as `marks` say.
    pub(crate) fn mark_loop(&mut self, marks: &[LoopMark]) {
        if let Some(branch) = self.current_scope().terminator.filter(|_| !marks.is_empty()) {
            let names: Vec<&str> = marks.iter().map(|mark| mark.name()).collect();
            super::ffi::mark_loop(self.context, branch, &names);
        }
    }

    /// Ends the block with a branch on a truth value.
    pub(crate) fn branch(&mut self, condition: Reg, then: Label<'l>, otherwise: Label<'l>) -> Result<()> {
        if let Some(value) = condition.constant() {
            return self.jump(if value != 0 { then } else { otherwise });
        }
        let condition = self.value(condition)?.into_int_value();
        self.places.apply(&self.builder, self.place);
        let branch = self.builder.build_conditional_branch(condition, then.0, otherwise.0).map_err(refused)?;
        self.current_scope().terminator = Some(branch);
        Ok(())
    }

    /// Ends the block with the end of the kernel.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.places.apply(&self.builder, self.place);
        let end = self.builder.build_return(None).map_err(refused)?;
        self.end_block(end);
        Ok(())
    }

    /// The block ends with this instruction.
    pub(super) fn end_block(&mut self, end: InstructionValue<'l>) {
        self.current_scope().terminator = Some(end);
    }

    /// Goes on in another block of the same scope.
    pub(crate) fn continue_at(&mut self, label: Label<'l>) {
        let scope = self.current_scope();
        scope.block = label.0;
        scope.terminator = None;
        self.builder.position_at_end(label.0);
    }

    /// Goes on in a block that the current one dominates. What is computed there is forgotten when the scope closes;
    pub(crate) fn open_scope(&mut self, label: Label<'l>, is_loop: bool) {
        self.open(label, if is_loop { Runs::Loop } else { Runs::Branch });
    }

    /// The same for a branch that has products of blocks: computations that can leave a loop around it do.
    pub(crate) fn open_branch_of_products(&mut self, label: Label<'l>) {
        self.open(label, Runs::BranchOfProducts);
    }

    fn open(&mut self, label: Label<'l>, runs: Runs) {
        self.scopes.push(Scope { block: label.0, terminator: None, runs, known: Vec::new() });
        self.builder.position_at_end(label.0);
    }

    /// Leaves the innermost scope: its block has ended, or goes on when it is opened again.
    pub(crate) fn close_scope(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            for key in scope.known {
                self.known.remove(&key);
            }
        }
        let block = self.scopes[self.scopes.len() - 1].block;
        self.builder.position_at_end(block);
    }

    fn current_scope(&mut self) -> &mut Scope<'l> {
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    /// Computes a register here, so that it can be used where only this block dominates.
    pub(crate) fn force(&mut self, reg: Reg) -> Result<()> {
        if reg.node != NO_NODE {
            self.realize(reg.node)?;
        }
        Ok(())
    }

    /// A phi in the current block, before any other instruction of it; `zeros` are known-zero bits of all its inputs.
    pub(crate) fn phi(&mut self, ty: Ty, zeros: u64) -> Result<(Reg, Phi<'l>)> {
        let phi = self.builder.build_phi(self.llvm_type(ty), "").map_err(refused)?;
        Ok((self.leaf(phi.as_basic_value(), ty, zeros), Phi(phi)))
    }

    /// Computes a register completely, constant part included, and gives it as one without constant part.
    pub(crate) fn settle(&mut self, reg: Reg) -> Result<Reg> {
        let node = self.materialise(reg);
        self.realize(node)?;
        Ok(Reg { node, offset: 0, ..reg })
    }

    /// The same value as something the current scope computed: for values that leave a scope which dominates what follows.
    pub(crate) fn adopt(&mut self, reg: Reg) -> Result<Reg> {
        if reg.node == NO_NODE {
            return Ok(reg);
        }
        let zeros = self.nodes[reg.node as usize].zeros;
        let value = self.realize(reg.node)?;
        Ok(Reg { offset: reg.offset, ..self.leaf(value, reg.ty, zeros) })
    }

    /// Adds what a phi is when control comes from `from`. The value has been settled there, or is a constant.
    pub(crate) fn add_incoming(&mut self, phi: Phi<'l>, value: Reg, from: Label<'l>) -> Result<()> {
        let node = self.materialise(value);
        let known = &self.nodes[node as usize];
        if known.value.is_none() && known.key.opcode != Opcode::Const {
            return Err(bug("a value reaches a phi before it is computed"));
        }
        let value = self.realize(node)?;
        phi.0.add_incoming(&[(&value, from.0)]);
        Ok(())
    }
}

pub(super) fn refused(error: BuilderError) -> Box<tk_diag::Diagnostic> {
    bug(format!("LLVM refused an instruction: {error}"))
}
