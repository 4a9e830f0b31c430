//! A kernel whose calls are replaced by the bodies of its functions, for analyses and rewrites that follow values.

use super::{Block, Function, Kernel, Loc, Op, OpKind, Value, ValueInfo};
use rustc_hash::FxHashMap;
use tk_diag::Diagnostic;

/// Most ops that inlining may make: functions that call functions multiply.
const MAX_OPS: usize = crate::check::MAX_WORK as usize;

impl Kernel {
    /// The same kernel without functions.
    ///
    /// # Errors
    /// When it would have more than half a million ops.
    pub fn inlined(mut self) -> tk_diag::Result<Kernel> {
        if self.functions.is_empty() {
            return Ok(self);
        }
        let functions = std::mem::take(&mut self.functions);
        let body = std::mem::take(&mut self.body);
        let mut inliner =
            Inliner { functions: &functions, values: self.values, call_sites: self.call_sites, copied: 0, copy: None };
        let body = inliner.block(&body, &mut FxHashMap::default()).ok_or_else(|| {
            let message = format!("the kernel is larger than {MAX_OPS} operations with its functions inlined");
            Diagnostic::error(tk_diag::TOO_LARGE, message)
                .at(&self.file, self.params.first().map(|param| param.span).unwrap_or_default(), "")
                .help("Call functions that are marked `noinline` from fewer places.")
                .boxed()
        })?;
        Ok(Kernel { body, values: inliner.values, call_sites: inliner.call_sites, ..self })
    }
}

struct Inliner<'f> {
    functions: &'f [Function],
    values: Vec<ValueInfo>,
    call_sites: Vec<Loc>,
    copied: usize,
    /// The call whose function is being copied; nothing in the kernel's own body, whose values stay.
    copy: Option<u32>,
}

type Mapping = FxHashMap<Value, Value>;

impl Inliner<'_> {
    /// A block with its calls replaced; nothing when it becomes too large. Calls nest no deeper than the checker lets them.
    fn block(&mut self, block: &Block, map: &mut Mapping) -> Option<Block> {
        let args = block.args.iter().map(|arg| self.fresh(*arg, map)).collect();
        let mut ops = Vec::with_capacity(block.ops.len());
        for op in &block.ops {
            self.copied += 1;
            if self.copied > MAX_OPS {
                return None;
            }
            if let OpKind::Call { function } = op.kind {
                self.call(op, function, map, &mut ops)?;
            } else {
                ops.push(self.op(op, map)?);
            }
        }
        let yields = block.yields.iter().map(|value| now(*value, map)).collect();
        Some(Block { args, ops, yields })
    }

    fn op(&mut self, op: &Op, map: &mut Mapping) -> Option<Op> {
        let operands = op.operands.iter().map(|value| now(*value, map)).collect();
        let blocks = op.blocks.iter().map(|block| self.block(block, map)).collect::<Option<Vec<_>>>()?;
        let results = op.results.iter().map(|value| self.fresh(*value, map)).collect();
        Some(Op { kind: op.kind.clone(), operands, results, blocks, loc: self.place(op.loc), hints: op.hints.clone() })
    }

    fn call(&mut self, op: &Op, function: u32, map: &mut Mapping, ops: &mut Vec<Op>) -> Option<()> {
        let function = self.functions.get(function as usize)?;
        let mut inner: Mapping =
            function.body.args.iter().copied().zip(op.operands.iter().map(|value| now(*value, map))).collect();
        let site = self.place(op.loc);
        self.call_sites.push(site);
        let outer = self.copy.replace(self.call_sites.len() as u32 - 1);
        let open = Block { args: Vec::new(), ..function.body.clone() };
        let body = self.block(&open, &mut inner);
        self.copy = outer;
        let body = body?;
        ops.extend(body.ops);
        map.extend(op.results.iter().copied().zip(body.yields));
        Some(())
    }

    /// A value for the copy of what defines `value`.
    fn fresh(&mut self, value: Value, map: &mut Mapping) -> Value {
        if self.copy.is_none() {
            return value;
        }
        let copy = Value(self.values.len() as u32);
        self.values.push(self.values[value.0 as usize].clone());
        map.insert(value, copy);
        copy
    }

    /// A place in a copied function, at the end of the chain of its own calls.
    fn place(&mut self, loc: Loc) -> Loc {
        let Some(copy) = self.copy else { return loc };
        let call = match loc.call.and_then(|call| self.call_sites.get(call as usize).copied()) {
            None => copy,
            Some(site) => {
                let site = self.place(site);
                self.call_sites.push(site);
                self.call_sites.len() as u32 - 1
            }
        };
        Loc { call: Some(call), ..loc }
    }
}

fn now(value: Value, map: &Mapping) -> Value {
    map.get(&value).copied().unwrap_or(value)
}
