//! Removing layout conversions must not change what a kernel computes: every store and atomic operation is described by the expression
//! of its operands, layouts and conversions left out, before and after the pass.
//!
//! An expression is a hash. Loop-carried values are followed for a few iterations, which tells apart what starts or goes on differently.

use crate::{folder, steps};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use tk_ir::ops::{ForOp, IfOp};
use tk_ir::{Block, Context, Module, Op, OpKind, Value};
use tk_passes::{PassContext, Silent, run_pipeline};

/// Iterations that a loop is followed.
const ITERATIONS: usize = 3;

fn hash(parts: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

#[derive(Default)]
struct Meaning {
    values: HashMap<usize, u64>,
    effects: Vec<u64>,
}

impl Meaning {
    fn of(module: &Module<'_>) -> Vec<u64> {
        let mut meaning = Self::default();
        for function in module.functions() {
            let block = function.region(0).first_block().expect("a body");
            for (index, argument) in block.arguments().into_iter().enumerate() {
                meaning.values.insert(argument.id(), hash(("argument", index)));
            }
            meaning.block(block);
        }
        meaning.effects
    }

    fn get(&self, value: Value<'_>) -> u64 {
        *self.values.get(&value.id()).expect("a value before its uses")
    }

    fn all(&self, values: Vec<Value<'_>>) -> Vec<u64> {
        values.into_iter().map(|value| self.get(value)).collect()
    }

    fn block(&mut self, block: Block<'_>) {
        for op in block.ops() {
            self.op(op);
        }
    }

    fn op(&mut self, op: Op<'_>) {
        match op.kind() {
            // A copy in shared memory is the tensor itself.
            OpKind::TtgConvertLayout | OpKind::TtgLocalAlloc => {
                let source = self.get(op.operand(0));
                self.values.insert(op.result(0).id(), source);
            }
            OpKind::ScfFor => self.follow_loop(ForOp::cast(op).expect("a loop")),
            OpKind::ScfIf => self.follow_branch(IfOp::cast(op).expect("a branch")),
            OpKind::ScfYield => {}
            _ => self.plain(op),
        }
    }

    fn plain(&mut self, op: Op<'_>) {
        let mut attributes: Vec<String> = op
            .attrs()
            .into_iter()
            .filter(|(name, _)| *name != "isAsync")
            .map(|(name, value)| format!("{name}={}", value.as_splat().unwrap_or(value)))
            .collect();
        attributes.sort();
        for block in op.regions().into_iter().flat_map(|region| region.blocks()) {
            for (index, argument) in block.arguments().into_iter().enumerate() {
                self.values.insert(argument.id(), hash(("inner", index)));
            }
            self.block(block);
        }
        let operands = self.all(op.operands());
        let name = match op.kind() {
            OpKind::TtngWarpGroupDot => "tt.dot",
            OpKind::TtgMemDescTrans => "tt.trans",
            _ => op.name(),
        };
        let meaning = hash((name, &operands, attributes));
        for (index, result) in op.results().into_iter().enumerate() {
            let ty = result.ty();
            self.values.insert(result.id(), hash((meaning, index, ty.shape(), ty.element().to_string())));
        }
        if matches!(op.kind(), OpKind::TtStore | OpKind::TtAtomicRmw | OpKind::TtAtomicCas) {
            self.effects.push(meaning);
        }
    }

    fn follow_loop(&mut self, view: ForOp<'_>) {
        let bounds = self.all(vec![view.lower_bound(), view.upper_bound(), view.step()]);
        let starts = self.all(view.init_args());
        let mut carried = starts.clone();
        let effects = self.effects.len();
        for _ in 0..ITERATIONS {
            self.effects.truncate(effects);
            self.values.insert(view.induction_var().id(), hash(("induction", &bounds)));
            for (argument, value) in view.iter_args().into_iter().zip(&carried) {
                self.values.insert(argument.id(), *value);
            }
            self.block(view.body());
            let next = self.all(view.yielded());
            carried = starts.iter().zip(next).map(|(start, next)| hash(("carried", &bounds, start, next))).collect();
        }
        for (result, value) in view.results().into_iter().zip(carried) {
            self.values.insert(result.id(), value);
        }
    }

    fn follow_branch(&mut self, view: IfOp<'_>) {
        let condition = self.get(view.condition());
        self.effects.push(hash(("then", condition)));
        self.block(view.then_block());
        let yes = self.all(view.then_yield().operands());
        self.effects.push(hash(("else", condition)));
        let mut no = Vec::new();
        if let (Some(block), Some(terminator)) = (view.else_block(), view.else_yield()) {
            self.block(block);
            no = self.all(terminator.operands());
        }
        for ((result, yes), no) in view.op.results().into_iter().zip(yes).zip(no) {
            self.values.insert(result.id(), hash(("either", condition, yes, no)));
        }
    }
}

fn check(name: &str, text: &str, num_warps: u32) {
    let source = tk_diag::SourceFile::new(name, text);
    let context = Context::new();
    let module = Module::parse(&context, &source).unwrap_or_else(|error| panic!("{name}: {error}"));
    let options = tk_types::CompileOptions { num_warps, ..Default::default() };
    let target = tk_target::Target::parse("sm_90a").expect("a known target");
    let cx = PassContext { target, options, source: None };
    let run = |passes: &str| {
        run_pipeline(&module, &steps(passes), &cx, &mut Silent).unwrap_or_else(|error| panic!("{name}: {error}"));
    };
    run("tt,convert-to-ttg,coalesce");
    for next in ["remove-layout-conversions", "accelerate-matmul"] {
        let before = Meaning::of(&module);
        run(next);
        assert_eq!(before, Meaning::of(&module), "{name}: `{next}` changes what is computed:\n{module:?}");
    }
    let before = Meaning::of(&module);
    run("remove-layout-conversions");
    assert_eq!(before, Meaning::of(&module), "{name}: the second round changes what is computed:\n{module:?}");
}

#[test]
fn kernels_compute_the_same_without_conversions() {
    let mut checked = 0;
    for entry in std::fs::read_dir(folder("cases/kernels")).expect("kernels").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("a readable kernel");
        let input = text.split("// ----- expect").next().unwrap_or_default();
        check(&entry.file_name().to_string_lossy(), input, 4);
        checked += 1;
    }
    assert!(checked > 5);
}

#[test]
fn random_kernels_compute_the_same_without_conversions() {
    let data = std::fs::read_to_string(folder("data/coalesce_oracle.txt")).expect("random kernels");
    for case in data.split("// case ").skip(1) {
        let (head, text) = case.split_once('\n').expect("a head");
        let (seed, warps) = head.split_once(" warps ").expect("a number of warps");
        check(seed, text, warps.parse().expect("a number"));
    }
}
