//! Functions of several blocks (`cf.br`, `cf.cond_br`), which early returns make.
//!
//! Blocks are written in their order. What a block computes is reused in it alone, except for the first block, which dominates all;
//! values that other blocks use are computed where they are defined.

use super::family::{Family, Terminator};
use super::{Emitter, Registers};
use crate::code::{Label, Phi, Reg};
use rustc_hash::FxHashMap;
use tk_diag::Result;
use tk_ir::{Block, Op, Value};

type Arguments<'l> = Vec<Vec<Phi<'l>>>;

impl<'c, 'l> Emitter<'c, 'l> {
    /// Emits the blocks of a function body.
    pub(crate) fn emit_blocks(&mut self, blocks: &[Block<'c>]) -> Result<()> {
        let mut labels: FxHashMap<Block<'c>, (Label<'l>, Arguments<'l>)> = FxHashMap::default();
        let first = self.code.here();
        for (index, block) in blocks.iter().enumerate() {
            let label = if index == 0 { first } else { self.code.label() };
            labels.insert(*block, (label, Vec::new()));
        }
        // Phis first, so that branches from any block find them.
        for block in &blocks[1..] {
            self.code.open_scope(labels[block].0, false);
            let mut arguments = Vec::new();
            for argument in block.arguments() {
                arguments.push(self.block_argument(argument)?);
            }
            self.code.close_scope();
            if let Some(entry) = labels.get_mut(block) {
                entry.1 = arguments;
            }
        }
        for (index, block) in blocks.iter().enumerate() {
            if index > 0 {
                self.code.open_scope(labels[block].0, false);
            }
            let last = self.emit_block(*block)?;
            self.settle_escaping(*block)?;
            match last {
                Some(last) => self.emit_terminator(last, &labels)?,
                None => return Err(crate::code::bug("a block has no terminator")),
            }
            if index > 0 {
                self.code.close_scope();
            }
        }
        Ok(())
    }

    fn block_argument(&mut self, argument: Value<'c>) -> Result<Vec<Phi<'l>>> {
        let count = self.register_count(argument.ty())?;
        let ty = self.element_ty(argument.ty())?;
        let (mut regs, mut phis) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for _ in 0..count {
            let (reg, phi) = self.code.phi(ty, 0)?;
            regs.push(reg);
            phis.push(phi);
        }
        let registers = if argument.ty().is_tensor() { regs.into() } else { Registers::Splat(regs[0]) };
        self.define(argument, registers);
        Ok(phis)
    }

    /// Computes what other blocks use of this one.
    fn settle_escaping(&mut self, block: Block<'c>) -> Result<()> {
        for op in block.ops() {
            for result in op.results() {
                if result.users().iter().all(|(user, _)| user.ancestor_in(block).is_some()) {
                    continue;
                }
                if let Some(registers) = self.known(result).cloned() {
                    registers.try_map(|reg: Reg| self.code.force(reg).map(|()| reg))?;
                }
            }
        }
        Ok(())
    }

    fn emit_terminator(
        &mut self,
        last: Op<'c>,
        labels: &FxHashMap<Block<'c>, (Label<'l>, Arguments<'l>)>,
    ) -> Result<()> {
        let successors = last.successors();
        let Family::Terminator(which) = Family::of(last.kind()) else {
            return Err(self.bug(last, "it ends a block and is no branch"));
        };
        match which {
            Terminator::TtReturn => self.emit_return(last),
            Terminator::CfBranch => {
                let target = &labels[&successors[0]];
                self.pass_arguments(&last.operands(), &target.1)?;
                self.code.jump(target.0)
            }
            Terminator::CfCondBranch => {
                let condition = self.scalar(last.operand(0))?;
                let (then, otherwise) = (&labels[&successors[0]], &labels[&successors[1]]);
                match condition.constant() {
                    Some(value) => {
                        let (segment, target) = if value != 0 { (1, then) } else { (2, otherwise) };
                        self.pass_arguments(&last.segment(segment), &target.1)?;
                        self.code.jump(target.0)
                    }
                    None => {
                        self.pass_arguments(&last.segment(1), &then.1)?;
                        self.pass_arguments(&last.segment(2), &otherwise.1)?;
                        self.code.branch(condition, then.0, otherwise.0)
                    }
                }
            }
            Terminator::ScfYield | Terminator::ScfCondition | Terminator::TtReduceReturn | Terminator::TtScanReturn => {
                Err(self.bug(last, "it ends a block of a function, and not one of an operation"))
            }
        }
    }

    fn pass_arguments(&mut self, values: &[Value<'c>], phis: &[Vec<Phi<'l>>]) -> Result<()> {
        let here = self.code.here();
        for (value, phis) in values.iter().zip(phis) {
            let registers = self.registers(*value)?;
            for (index, phi) in phis.iter().enumerate() {
                let reg = self.code.settle(registers.get(index))?;
                self.code.add_incoming(*phi, reg, here)?;
            }
        }
        Ok(())
    }
}
