//! Control flow and combine functions: checked ops with nested blocks become ops with regions.

use crate::Lowering;
use tk_check::checked::{self, LoopHints, Op};
use tk_diag::{Diagnostic, Result};
use tk_ir::{Attribute, Block, Location, OpKind, OpSpec, Region, Value, attributes};

impl<'c> Lowering<'c, '_> {
    pub(crate) fn for_loop(&mut self, op: &Op, hints: &LoopHints, at: Location<'c>) -> Result<OpSpec<'c>> {
        let body = nested(op, 0)?;
        let region = self.region(body, OpKind::ScfYield, at)?;
        let mut spec = OpSpec::new(OpKind::ScfFor)
            .operands(&self.values(&op.operands)?)
            .results(&self.types(&op.results))
            .region(region);
        for (name, value) in self.loop_attributes(hints) {
            spec = spec.attr(name, value);
        }
        Ok(spec)
    }

    fn loop_attributes(&self, hints: &LoopHints) -> Vec<(&'static str, Attribute<'c>)> {
        let int = |value: u32| self.context.int_attr(self.context.i(32), i64::from(value));
        let mut found = Vec::new();
        found.extend(hints.num_stages.map(|n| (attributes::NUM_STAGES, int(n))));
        found.extend(hints.unroll_factor.map(|n| (attributes::LOOP_UNROLL_FACTOR, int(n))));
        let flags = [
            (hints.disallow_acc_multi_buffer, attributes::DISALLOW_ACC_MULTI_BUFFER),
            (hints.flatten, attributes::FLATTEN),
            (hints.warp_specialize, attributes::WARP_SPECIALIZE),
            (hints.disable_licm, attributes::DISABLE_LICM),
        ];
        found.extend(flags.iter().filter(|(on, _)| *on).map(|(_, name)| (*name, self.context.unit_attr())));
        found
    }

    pub(crate) fn if_op(&mut self, op: &Op, at: Location<'c>) -> Result<OpSpec<'c>> {
        let then_region = self.region(nested(op, 0)?, OpKind::ScfYield, at)?;
        let otherwise = nested(op, 1)?;
        let else_region = if otherwise.ops.is_empty() && otherwise.yields.is_empty() {
            self.context.region()
        } else {
            self.region(otherwise, OpKind::ScfYield, at)?
        };
        Ok(OpSpec::new(OpKind::ScfIf)
            .operands(&self.values(&op.operands)?)
            .results(&self.types(&op.results))
            .region(then_region)
            .region(else_region))
    }

    pub(crate) fn while_loop(&mut self, op: &Op, hints: &LoopHints, at: Location<'c>) -> Result<OpSpec<'c>> {
        let before = self.region(nested(op, 0)?, OpKind::ScfCondition, at)?;
        let after = self.region(nested(op, 1)?, OpKind::ScfYield, at)?;
        let mut spec = OpSpec::new(OpKind::ScfWhile)
            .operands(&self.values(&op.operands)?)
            .results(&self.types(&op.results))
            .region(before)
            .region(after);
        for (name, value) in self.loop_attributes(hints) {
            spec = spec.attr(name, value);
        }
        Ok(spec)
    }

    /// A reduction or a scan: the block combines two elements.
    pub(crate) fn combining(&mut self, op: &Op, kind: OpKind, end: OpKind, at: Location<'c>) -> Result<OpSpec<'c>> {
        let region = self.region(nested(op, 0)?, end, at)?;
        Ok(OpSpec::new(kind).operands(&self.values(&op.operands)?).results(&self.types(&op.results)).region(region))
    }

    /// A region of one block that ends in `end` with the block's yields. What hints in the block say, holds in the block.
    pub(crate) fn region(&mut self, block: &checked::Block, end: OpKind, at: Location<'c>) -> Result<Region<'c>> {
        let region = self.context.region();
        let target: Block<'c> = region.new_block(&self.types(&block.args), at);
        self.bind_arguments(&block.args, target);
        let outer_hints = self.before_hints.len();
        self.block_into(block, target)?;
        target.append(OpSpec::new(end).operands(&self.yields(block, target, end)?).create(at));
        for (value, before) in self.before_hints.drain(outer_hints..).rev() {
            self.values.insert(value, before);
        }
        Ok(region)
    }

    /// What a block yields. A value that a loop carries unchanged is the argument itself, whatever is known of it, so that it can be seen
    /// not to change.
    fn yields(&self, block: &checked::Block, target: Block<'c>, end: OpKind) -> Result<Vec<Value<'c>>> {
        let own = |value: &checked::Value| block.args.iter().position(|argument| argument == value);
        let of = |value: &checked::Value| match own(value).filter(|_| end == OpKind::ScfYield) {
            Some(argument) => Ok(target.argument(argument)),
            None => self.value(*value),
        };
        block.yields.iter().map(of).collect()
    }
}

fn nested(op: &Op, index: usize) -> Result<&checked::Block> {
    let missing = || Diagnostic::bug(format!("a checked {:?} lacks its block {index}", op.kind)).boxed();
    op.blocks.get(index).ok_or_else(missing)
}
