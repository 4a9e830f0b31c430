//! Moving reads of shared memory and conversions must not change what a kernel computes.
//!
//! Random programs of buffers, their reads and writes, conversions, products, loops and branches run on the interpreter of the overlap test
//! before and after `reorder-instructions`, with so few registers allowed that everything moves that may. The interpreter's memory is
//! real, so a read that passes a write gives another number; the verifier sees a use that its definition does not dominate. Half of the
//! programs multiply on tensor cores, half by multiply-adds.

use crate::overlap_machine::Machine;
use crate::steps;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;
use tk_ir::{Context, Module, PrintOptions};
use tk_passes::{PassContext, Silent, run_pipeline};

const HEAD: &str = r#"
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @random(%n: i32, %x: tensor<64x64xf16, #blocked>, %y: tensor<64x64xf16, #blocked>, %b: OTHER, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %half: tensor<64x64x!tt.ptr<f16>, #mma>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : SUM
    %start = ttg.local_alloc %x : (TENSOR) -> FINAL
"#;

/// What the layouts of matrix instructions are where products are multiply-adds: `#mma` without `kWidth`.
const MULTIPLY_ADDS: [(&str, &str); 2] = [
    (
        "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>",
        "#ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>",
    ),
    (", kWidth = 2", ""),
];

/// Short words of the generator and the types that they stand for.
const TYPES: [(&str, &str); 7] = [
    ("TENSOR", "tensor<64x64xf16, #blocked>"),
    ("HALF", "tensor<64x64xf16, #mma>"),
    ("SUM", "tensor<64x64xf32, #mma>"),
    ("OPERAND", "tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>"),
    ("OTHER", "tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>"),
    ("FINAL", "!ttg.memdesc<64x64xf16, #shared, #smem>"),
    ("CHANGING", "!ttg.memdesc<64x64xf16, #shared, #smem, mutable>"),
];

/// What may be used at a place, by kind.
#[derive(Clone)]
struct Scope {
    tensors: Vec<String>,
    halves: Vec<String>,
    operands: Vec<String>,
    sums: Vec<String>,
    /// Buffers and their types.
    buffers: Vec<(String, &'static str)>,
}

struct Program {
    random: ChaCha8Rng,
    text: String,
    values: usize,
}

impl Program {
    fn below(&mut self, end: usize) -> usize {
        self.random.random_range(0..end)
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn of(seed: u64) -> String {
        let mut program = Self { random: ChaCha8Rng::seed_from_u64(seed), text: HEAD.to_string(), values: 0 };
        let mut scope = Scope {
            tensors: vec!["%x".into(), "%y".into()],
            halves: Vec::new(),
            operands: Vec::new(),
            sums: vec!["%zero".into()],
            buffers: vec![("%start".into(), "FINAL")],
        };
        for _ in 0..6 + program.below(10) {
            program.statement(&mut scope, 0);
        }
        program.store(&scope);
        program.text.push_str("    tt.return\n  }\n}\n");
        TYPES.iter().fold(program.text, |text, (word, ty)| text.replace(word, ty))
    }

    fn name(&mut self) -> String {
        self.values += 1;
        format!("%v{}", self.values)
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.text, "    {line}").expect("a string takes everything");
    }

    fn statement(&mut self, scope: &mut Scope, depth: usize) {
        let name = self.name();
        let tensor = self.pick(&scope.tensors);
        let (buffer, ty) = self.pick(&scope.buffers);
        match self.below(12) {
            0 => {
                let other = self.pick(&scope.tensors);
                self.line(format_args!("{name} = arith.addf {tensor}, {other} : TENSOR"));
                scope.tensors.push(name);
            }
            1 => {
                let ty = self.pick(&["FINAL", "CHANGING"]);
                self.line(format_args!("{name} = ttg.local_alloc {tensor} : (TENSOR) -> {ty}"));
                scope.buffers.push((name, ty));
            }
            2 | 3 => {
                self.line(format_args!("{name} = ttg.local_load {buffer} : {ty} -> OPERAND"));
                scope.operands.push(name);
            }
            4 => {
                self.line(format_args!("{name} = ttg.convert_layout {tensor} : TENSOR -> OPERAND"));
                scope.operands.push(name);
            }
            5 => {
                self.line(format_args!("{name} = ttg.convert_layout {tensor} : TENSOR -> HALF"));
                scope.halves.push(name);
            }
            6 => {
                self.line(format_args!("{name} = ttg.local_load {buffer} : {ty} -> HALF"));
                scope.halves.push(name);
            }
            7 if ty == "CHANGING" => self.line(format_args!("ttg.local_store {tensor}, {buffer} : TENSOR -> {ty}")),
            7 | 8 => self.store(scope),
            9 if depth < 2 => {
                self.line(format_args!("{name} = arith.cmpi ne, %n, %c1 : i32"));
                self.line(format_args!("scf.if {name} {{"));
                self.inner(scope.clone(), depth);
                self.line(format_args!("}}"));
            }
            10 | 11 if depth < 2 => self.repeat(scope, name, depth),
            _ => self.product(scope, name),
        }
    }

    fn inner(&mut self, mut scope: Scope, depth: usize) -> Scope {
        for _ in 0..2 + self.below(5) {
            self.statement(&mut scope, depth + 1);
        }
        let name = self.name();
        self.product(&mut scope, name);
        self.store(&scope);
        scope
    }

    fn repeat(&mut self, scope: &mut Scope, name: String, depth: usize) {
        let (start, induction, carried) = (self.pick(&scope.sums), self.name(), self.name());
        self.line(format_args!(
            "{name} = scf.for {induction} = %c0 to %n step %c1 iter_args({carried} = {start}) -> (SUM) : i32 {{"
        ));
        let mut within = scope.clone();
        within.sums.push(carried);
        let within = self.inner(within, depth);
        let next = within.sums.last().cloned().unwrap_or_default();
        self.line(format_args!("scf.yield {next} : SUM"));
        self.line(format_args!("}}"));
        scope.sums.push(name);
    }

    fn product(&mut self, scope: &mut Scope, name: String) {
        if scope.operands.is_empty() {
            return;
        }
        let (operand, sum) = (self.pick(&scope.operands), self.pick(&scope.sums));
        self.line(format_args!("{name} = tt.dot {operand}, %b, {sum} : OPERAND * OTHER -> SUM"));
        scope.sums.push(name);
    }

    fn store(&mut self, scope: &Scope) {
        let sum = self.pick(&scope.sums);
        self.line(format_args!("tt.store %out, {sum} : tensor<64x64x!tt.ptr<f32>, #mma>"));
        if !scope.halves.is_empty() {
            let half = self.pick(&scope.halves);
            self.line(format_args!("tt.store %half, {half} : tensor<64x64x!tt.ptr<f16>, #mma>"));
        }
    }
}

/// Compares a program before and after the pass; whether anything moved.
fn moves(seed: u64) -> bool {
    let mut text = Program::of(seed);
    if seed.is_multiple_of(2) {
        text = MULTIPLY_ADDS.iter().fold(text, |text, (matrix, plain)| text.replace(matrix, plain));
    }
    let context = Context::new();
    let source = tk_diag::SourceFile::new("random.mlir", text.as_str());
    let module = Module::parse(&context, &source).unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
    let options = tk_types::CompileOptions { maxnreg: Some(1), ..Default::default() };
    let target = tk_target::Target::parse("sm_80").expect("a known target");
    let cx = PassContext { target, options, source: None };
    let run = |trips| Machine::run(&module, trips, ("arg0".to_string(), 1), false);
    let before: Vec<Vec<u64>> = (0..=3).map(run).collect();
    let printed = module.print(PrintOptions::default());
    run_pipeline(&module, &steps("reorder-instructions"), &cx, &mut Silent)
        .unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
    let after = module.print(PrintOptions::default());
    for (trips, before) in (0..=3).zip(before) {
        assert_eq!(before, run(trips), "{seed}: {trips} iterations compute something else:\n{printed}\n{after}");
    }
    printed != after
}

#[test]
fn random_programs_compute_the_same_when_reads_move() {
    let (adds, cores): (Vec<u64>, Vec<u64>) = (1..=600u64).filter(|seed| moves(*seed)).partition(|seed| seed % 2 == 0);
    assert!(adds.len() > 100 && cores.len() > 100, "only {} and {} programs changed", adds.len(), cores.len());
}
