//! The structural verifier: every operand is defined before its use and in scope, and types agree with the rules of each op.
//!
//! It runs after every check of a debug build and in tests. A failure is a bug of the checker, never of the user.

mod types;

use super::{Block, Blocks, Kernel, Op, OpKind, Type, Value};
use rustc_hash::FxHashSet;
use tk_diag::Diagnostic;
use tk_types::ScalarType;

/// Checks a kernel; the error is a bug diagnostic that names the op.
pub fn verify(kernel: &Kernel) -> tk_diag::Result<()> {
    let mut verifier = Verifier { kernel, defined: FxHashSet::default() };
    for param in &kernel.params {
        verifier.defined.insert(param.value);
    }
    verifier.block(&kernel.body, None)?;
    verifier.expect_yields(&kernel.body, &[], None)?;
    verifier.defined.clear();
    kernel.functions.iter().try_for_each(|function| verifier.block(&function.body, None))
}

struct Verifier<'k> {
    kernel: &'k Kernel,
    defined: FxHashSet<Value>,
}

type Check = Result<(), String>;

fn args_of_call(given: &[&Type], wanted: &[&Type]) -> Check {
    if given == wanted { Ok(()) } else { Err("arguments or results have other types than the function".into()) }
}

impl Verifier<'_> {
    fn block(&mut self, block: &Block, around: Option<&Op>) -> tk_diag::Result<()> {
        let mut local: Vec<Value> = block.args.clone();
        self.defined.extend(&block.args);
        for op in &block.ops {
            self.op(op)?;
            for result in &op.results {
                if !self.defined.insert(*result) {
                    return Err(self.bug(Some(op), format!("{result} is defined twice")));
                }
                local.push(*result);
            }
        }
        for value in &block.yields {
            if !self.defined.contains(value) {
                return Err(self.bug(around, format!("{value} is yielded and not defined")));
            }
        }
        for value in local {
            self.defined.remove(&value);
        }
        Ok(())
    }

    fn op(&mut self, op: &Op) -> tk_diag::Result<()> {
        for value in op.operands.iter().chain(&op.results) {
            if value.0 as usize >= self.kernel.values.len() {
                return Err(self.bug(Some(op), format!("{value} has no type")));
            }
        }
        if let Some(value) = op.operands.iter().find(|value| !self.defined.contains(value)) {
            return Err(self.bug(Some(op), format!("{value} is used and not defined")));
        }
        let (operands, results) = (self.list(&op.operands), self.list(&op.results));
        types::Typed { kind: &op.kind, operands, results }.check().map_err(|what| self.bug(Some(op), what))?;
        for block in &op.blocks {
            self.block(block, Some(op))?;
        }
        if let OpKind::Call { function } = op.kind {
            self.call(op, function)?;
        }
        self.control(op)
    }

    fn bug(&self, op: Option<&Op>, what: String) -> Box<Diagnostic> {
        let kind = op.map_or("the kernel".to_string(), |op| format!("{:?}", op.kind));
        let bug = Diagnostic::bug(format!("a checked kernel is not well formed: {kind}: {what}"));
        match op {
            Some(op) => bug.at(&self.kernel.file, op.loc.span, "").boxed(),
            None => bug.boxed(),
        }
    }

    fn ty(&self, value: Value) -> &Type {
        self.kernel.ty(value)
    }

    fn list(&self, values: &[Value]) -> Vec<&Type> {
        values.iter().map(|value| self.ty(*value)).collect()
    }

    fn expect_yields(&self, block: &Block, wanted: &[&Type], op: Option<&Op>) -> tk_diag::Result<()> {
        if self.list(&block.yields) == wanted {
            return Ok(());
        }
        let list = |types: &[&Type]| types.iter().map(|ty| ty.to_string()).collect::<Vec<_>>().join(", ");
        let what = format!("a block yields ({}) where ({}) is due", list(&self.list(&block.yields)), list(wanted));
        Err(self.bug(op, what))
    }

    /// A call and the function that it names.
    fn call(&self, op: &Op, function: u32) -> tk_diag::Result<()> {
        let Some(function) = self.kernel.functions.get(function as usize) else {
            return Err(self.bug(Some(op), "it calls a function that is not there".into()));
        };
        args_of_call(&self.list(&op.operands), &self.list(&function.body.args))
            .and_then(|()| args_of_call(&self.list(&function.body.yields), &self.list(&op.results)))
            .map_err(|what| self.bug(Some(op), what))
    }

    /// Block arguments and yields of control flow, reductions and scans.
    fn control(&self, op: &Op) -> tk_diag::Result<()> {
        let results = self.list(&op.results);
        let blocks = op.kind.blocks().count();
        if op.blocks.len() != blocks {
            return Err(self.bug(Some(op), format!("it has {} blocks instead of {blocks}", op.blocks.len())));
        }
        let args = |block: &Block, wanted: &[&Type]| {
            if self.list(&block.args) == wanted {
                Ok(())
            } else {
                Err(self.bug(Some(op), "block arguments have other types".into()))
            }
        };
        match op.kind.blocks() {
            Blocks::None => {}
            Blocks::Branches => {
                for block in &op.blocks {
                    args(block, &[])?;
                    self.expect_yields(block, &results, Some(op))?;
                }
            }
            Blocks::CountedLoop => {
                let operands = self.list(&op.operands);
                let index = operands.first().copied();
                let wanted: Vec<&Type> = index.into_iter().chain(operands.iter().skip(3).copied()).collect();
                args(&op.blocks[0], &wanted)?;
                self.expect_yields(&op.blocks[0], &results, Some(op))?;
            }
            Blocks::OpenLoop => {
                let bool = Type::scalar(ScalarType::I1);
                let condition: Vec<&Type> = std::iter::once(&bool).chain(results.iter().copied()).collect();
                args(&op.blocks[0], &results)?;
                args(&op.blocks[1], &results)?;
                self.expect_yields(&op.blocks[0], &condition, Some(op))?;
                self.expect_yields(&op.blocks[1], &results, Some(op))?;
            }
            Blocks::Combine => {
                let scalars: Vec<Type> = op
                    .operands
                    .iter()
                    .map(|v| Type { element: self.ty(*v).element.clone(), shape: Vec::new() })
                    .collect();
                let once: Vec<&Type> = scalars.iter().collect();
                let twice: Vec<&Type> = scalars.iter().chain(&scalars).collect();
                args(&op.blocks[0], &twice)?;
                self.expect_yields(&op.blocks[0], &once, Some(op))?;
            }
        }
        Ok(())
    }
}
