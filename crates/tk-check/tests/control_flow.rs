//! Random structured programs: the checked kernel, run by a small interpreter, must compute what the program says.
//!
//! The programs have nested branches, early returns, loops of every kind, swaps and constexpr branches; the expected value comes
//! from walking the generated program itself, which shares no code with the checker.

use crate::request::check_k;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use std::fmt::Write;
use tk_check::checked::{BinaryOp, Block, CompareOp, Kernel, Literal, Op, OpKind, Value};
use tk_check::{bind_signature, read_signature};
use tk_diag::{SourceFile, Style, render};
use tk_types::{ConstValue, NamedConstant};

#[derive(Clone, Debug)]
enum Expr {
    Var(usize),
    Number(i32),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
enum Stmt {
    Assign(usize, Expr),
    Swap(usize, usize),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `if C == 4` or `if C == 5`, where C is 4.
    Known(bool, Vec<Stmt>, Vec<Stmt>),
    For {
        var: usize,
        start: i32,
        stop: Expr,
        step: i32,
        body: Vec<Stmt>,
    },
    Unrolled {
        times: i32,
        body: Vec<Stmt>,
    },
    While {
        counter: usize,
        start: Expr,
        body: Vec<Stmt>,
    },
    Return(Expr),
    Break,
    Continue,
}

/// How a list of statements is left.
#[derive(Clone, Copy, PartialEq)]
enum Left {
    Return(i32),
    Break,
    Continue,
}

const VARS: usize = 5;

struct Maker {
    random: ChaCha8Rng,
    /// Loop variables and counters so far; each has its own name.
    extra: usize,
}

impl Maker {
    fn expr(&mut self, depth: u32) -> Expr {
        match self.random.random_range(0..if depth == 0 { 3 } else { 9 }) {
            0 | 1 => Expr::Var(self.random.random_range(0..VARS)),
            2 => Expr::Number(self.random.random_range(-100..100)),
            8 => {
                let parts = [self.expr(depth - 1), self.expr(depth - 1), self.expr(depth - 1)];
                let [a, b, c] = parts.map(Box::new);
                // A choice between two literals would be one of compile-time numbers; adding a variable keeps it at run time.
                Expr::Choose(
                    a,
                    Box::new(Expr::Binary("+", b, Box::new(Expr::Var(0)))),
                    Box::new(Expr::Binary("-", c, Box::new(Expr::Var(1)))),
                )
            }
            _ => {
                const OPS: &[&str] = &["+", "-", "*", "&", "|", "^", "min", "max"];
                let op = OPS[self.random.random_range(0..OPS.len())];
                Expr::Binary(op, Box::new(self.expr(depth - 1)), Box::new(self.expr(depth - 1)))
            }
        }
    }

    fn block(&mut self, depth: u32, in_loop: bool) -> Vec<Stmt> {
        let count = self.random.random_range(1..=4);
        (0..count).map(|_| self.stmt(depth, in_loop)).collect()
    }

    fn stmt(&mut self, depth: u32, in_loop: bool) -> Stmt {
        let var = self.random.random_range(0..VARS);
        match self.random.random_range(0..if depth == 0 { 4 } else { 14 }) {
            0..=2 => Stmt::Assign(var, self.expr(2)),
            3 => Stmt::Swap(var, (var + 1) % VARS),
            4..=7 => {
                let other = if self.random.random() { Vec::new() } else { self.block(depth - 1, in_loop) };
                Stmt::If(self.expr(2), self.block(depth - 1, in_loop), other)
            }
            8 => Stmt::Known(self.random.random(), self.block(depth - 1, in_loop), self.block(depth - 1, in_loop)),
            9 => {
                self.extra += 1;
                let step = [1, 2, -1, -2][self.random.random_range(0..4)];
                let start = self.random.random_range(-3..3);
                Stmt::For { var: self.extra, start, stop: self.expr(1), step, body: self.block(depth - 1, true) }
            }
            10 => Stmt::Unrolled { times: self.random.random_range(0..4), body: self.block(depth - 1, true) },
            11 => {
                self.extra += 1;
                Stmt::While { counter: self.extra, start: self.expr(1), body: self.block(depth - 1, true) }
            }
            12 if in_loop => Stmt::Break,
            _ if in_loop => Stmt::Continue,
            _ => Stmt::Return(self.expr(2)),
        }
    }
}

fn show_expr(expr: &Expr) -> String {
    match expr {
        Expr::Var(v) => format!("v{v}"),
        Expr::Number(n) => format!("({n})"),
        Expr::Binary(op @ ("min" | "max"), a, b) => format!("{op}({}, {})", show_expr(a), show_expr(b)),
        Expr::Binary(op, a, b) => format!("({} {op} {})", show_expr(a), show_expr(b)),
        Expr::Choose(c, a, b) => format!("({} if {} > v2 else {})", show_expr(a), show_expr(c), show_expr(b)),
    }
}

fn show(stmts: &[Stmt], depth: usize, out: &mut String) {
    let pad = "    ".repeat(depth);
    if stmts.is_empty() {
        let _ = writeln!(out, "{pad}pass");
    }
    for stmt in stmts {
        match stmt {
            Stmt::Assign(v, e) => _ = writeln!(out, "{pad}v{v} = {}", show_expr(e)),
            Stmt::Swap(a, b) => _ = writeln!(out, "{pad}v{a}, v{b} = v{b}, v{a}"),
            Stmt::Return(e) => _ = writeln!(out, "{pad}return {} + v0", show_expr(e)),
            Stmt::Break => _ = writeln!(out, "{pad}break"),
            Stmt::Continue => _ = writeln!(out, "{pad}continue"),
            Stmt::If(c, a, b) => {
                let _ = writeln!(out, "{pad}if {} > v3:", show_expr(c));
                show(a, depth + 1, out);
                if !b.is_empty() {
                    let _ = writeln!(out, "{pad}else:");
                    show(b, depth + 1, out);
                }
            }
            Stmt::Known(truth, a, b) => {
                let _ = writeln!(out, "{pad}if C == {}:", if *truth { 4 } else { 5 });
                show(a, depth + 1, out);
                let _ = writeln!(out, "{pad}else:");
                show(b, depth + 1, out);
            }
            Stmt::For { var, start, stop, step, body } => {
                let _ = writeln!(out, "{pad}for i{var} in range({start}, ({} & 7) - 3, {step}):", show_expr(stop));
                let _ = writeln!(out, "{pad}    v4 += i{var}");
                show(body, depth + 1, out);
            }
            Stmt::Unrolled { times, body } => {
                let _ = writeln!(out, "{pad}for j in tl.static_range({times}):\n{pad}    v4 += j");
                show(body, depth + 1, out);
            }
            Stmt::While { counter, start, body } => {
                let _ = writeln!(out, "{pad}w{counter} = {} & 3 + v0 * 0", show_expr(start));
                let _ = writeln!(out, "{pad}while w{counter} > 0:\n{pad}    w{counter} -= 1");
                show(body, depth + 1, out);
            }
        }
    }
}

fn value(expr: &Expr, vars: &[i32; VARS]) -> i32 {
    match expr {
        Expr::Var(v) => vars[*v],
        Expr::Number(n) => *n,
        Expr::Choose(c, a, b) => {
            if value(c, vars) > vars[2] {
                value(a, vars)
            } else {
                value(b, vars)
            }
        }
        Expr::Binary(op, a, b) => {
            let (a, b) = (value(a, vars), value(b, vars));
            match *op {
                "+" => a.wrapping_add(b),
                "-" => a.wrapping_sub(b),
                "*" => a.wrapping_mul(b),
                "&" => a & b,
                "|" => a | b,
                "^" => a ^ b,
                "min" => a.min(b),
                _ => a.max(b),
            }
        }
    }
}

/// Runs statements; a returned value ends them.
fn run(stmts: &[Stmt], vars: &mut [i32; VARS]) -> Option<Left> {
    for stmt in stmts {
        let done = match stmt {
            Stmt::Assign(v, e) => {
                vars[*v] = value(e, vars);
                None
            }
            Stmt::Swap(a, b) => {
                vars.swap(*a, *b);
                None
            }
            Stmt::Return(e) => Some(Left::Return(value(e, vars).wrapping_add(vars[0]))),
            Stmt::Break => Some(Left::Break),
            Stmt::Continue => Some(Left::Continue),
            Stmt::If(c, a, b) => run(if value(c, vars) > vars[3] { a } else { b }, vars),
            Stmt::Known(truth, a, b) => run(if *truth { a } else { b }, vars),
            Stmt::For { start, stop, step, body, .. } => {
                let stop = (value(stop, vars) & 7) - 3;
                let mut i = *start;
                while if *step > 0 { i < stop } else { i > stop } {
                    vars[4] = vars[4].wrapping_add(i);
                    if run(body, vars) == Some(Left::Break) {
                        break;
                    }
                    i += step;
                }
                None
            }
            Stmt::Unrolled { times, body } => {
                for j in 0..*times {
                    vars[4] = vars[4].wrapping_add(j);
                    if run(body, vars) == Some(Left::Break) {
                        break;
                    }
                }
                None
            }
            Stmt::While { start, body, .. } => {
                for _ in 0..value(start, vars) & 3 {
                    if run(body, vars) == Some(Left::Break) {
                        break;
                    }
                }
                None
            }
        };
        if done.is_some() {
            return done;
        }
    }
    None
}

/// Runs a checked kernel on scalar integers and returns what it stores.
struct Machine<'k> {
    kernel: &'k Kernel,
    values: HashMap<Value, i64>,
    stored: Option<i64>,
}

impl Machine<'_> {
    fn get(&self, value: Value) -> i64 {
        self.values[&value]
    }

    fn set(&mut self, value: Value, number: i64) {
        let bits = self.kernel.ty(value).number().map_or(64, |scalar| scalar.bits());
        self.values.insert(value, if bits == 32 { i64::from(number as i32) } else { number });
    }

    fn block(&mut self, block: &Block, args: &[i64]) -> Vec<i64> {
        for (arg, number) in block.args.iter().zip(args) {
            self.set(*arg, *number);
        }
        for op in &block.ops {
            self.op(op);
        }
        block.yields.iter().map(|value| self.get(*value)).collect()
    }

    fn op(&mut self, op: &Op) {
        let a: Vec<i64> = match op.kind {
            OpKind::Store { .. } => vec![0, self.get(op.operands[1])],
            _ => op.operands.iter().map(|value| self.get(*value)).collect(),
        };
        let results = match &op.kind {
            OpKind::Constant(Literal::Int(i)) => vec![*i as i64],
            OpKind::Binary(kind) => vec![binary(*kind, a[0], a[1])],
            OpKind::Compare(kind) => vec![i64::from(compare(*kind, a[0], a[1]))],
            OpKind::If => self.block(&op.blocks[usize::from(a[0] == 0)], &[]),
            OpKind::For(_) => {
                let mut carried = a[3..].to_vec();
                let mut i = a[0];
                while i < a[1] {
                    let args: Vec<i64> = std::iter::once(i).chain(carried).collect();
                    carried = self.block(&op.blocks[0], &args);
                    i += a[2];
                }
                carried
            }
            OpKind::While(_) => {
                let mut carried = a.clone();
                loop {
                    let mut tested = self.block(&op.blocks[0], &carried);
                    let condition = tested.remove(0);
                    if condition == 0 {
                        break tested;
                    }
                    carried = self.block(&op.blocks[1], &tested);
                }
            }
            OpKind::Store { .. } => {
                self.stored = Some(a[1]);
                Vec::new()
            }
            other => panic!("the programs of this test do not use {other:?}"),
        };
        for (result, number) in op.results.iter().zip(results) {
            self.set(*result, number);
        }
    }
}

fn binary(kind: BinaryOp, a: i64, b: i64) -> i64 {
    match kind {
        BinaryOp::AddI => a.wrapping_add(b),
        BinaryOp::SubI => a.wrapping_sub(b),
        BinaryOp::MulI => a.wrapping_mul(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::MinS => a.min(b),
        BinaryOp::MaxS => a.max(b),
        other => panic!("the programs of this test do not use {other:?}"),
    }
}

fn compare(kind: CompareOp, a: i64, b: i64) -> bool {
    match kind {
        CompareOp::GtS => a > b,
        CompareOp::LtS => a < b,
        CompareOp::EqI => a == b,
        CompareOp::NeI => a != b,
        other => panic!("the programs of this test do not use {other:?}"),
    }
}

#[test]
fn random_programs_compute_what_they_say() {
    let specs = read_signature("*i32,i32,i32").unwrap();
    let constexprs = [NamedConstant::new("C", ConstValue::Int(4))];
    let mut returned_early = 0;
    for seed in 1..=600 {
        let mut maker = Maker { random: ChaCha8Rng::seed_from_u64(seed), extra: 0 };
        let body = maker.block(4, false);
        let mut text = String::from(
            "import triton\nimport triton.language as tl\n\n@triton.jit\ndef f(v0, v1, v2, v3, C):\n    v4 = 7\n",
        );
        show(&body, 1, &mut text);
        // v2 and v3 arrive as compile-time numbers, so that loops have to make run-time values of them.
        text.push_str("    return v0 + v1 + v2 + v3 + v4\n\n@triton.jit\ndef k(x, a, b, C: tl.constexpr):\n    tl.store(x, f(a, b, 1, -5, C))\n");
        let module = tk_grammar::parse(&SourceFile::new("k.tk", text.as_str())).unwrap();
        let args = bind_signature(&module, "k", Some(&specs), &constexprs).unwrap();
        let kernel = match check_k(&module, &args) {
            Ok(checked) => checked.kernel,
            Err(errors) => panic!("seed {seed}\n{text}\n{}", render(&errors[0], Style::Plain)),
        };
        tk_check::checked::verify(&kernel).unwrap_or_else(|bug| panic!("seed {seed}: {bug}\n{text}\n{kernel}"));
        for (a, b) in [(0, 0), (3, -2), (-100, 77), (i32::MAX, 1), (12345, -54321)] {
            let mut vars = [a, b, 1, -5, 7];
            let early = run(&body, &mut vars);
            returned_early += u32::from(early.is_some());
            let wanted = match early {
                Some(Left::Return(value)) => value,
                _ => vars.iter().fold(0i32, |sum, v| sum.wrapping_add(*v)),
            };
            let mut machine = Machine { kernel: &kernel, values: HashMap::new(), stored: None };
            for (param, number) in kernel.params.iter().zip([0, i64::from(a), i64::from(b)]) {
                machine.set(param.value, number);
            }
            machine.block(&kernel.body, &[]);
            assert_eq!(machine.stored, Some(i64::from(wanted)), "seed {seed}, a = {a}, b = {b}\n{text}\n{kernel}");
        }
    }
    assert!(returned_early > 200, "too few programs return early: {returned_early}");
}

const LEAVING: &str = "
import triton
import triton.language as tl

@triton.jit
def k(x, a, b, C: tl.constexpr):
    for i in range(0, 10):
        for j in range(9, -1, -1):
            if i * 10 + j == a:
                tl.store(x, i * 1000 + j)
                return
            if j > b:
                continue
            if j == b - 2:
                break
    steps = 0
    while True:
        steps += 3
        for c in tl.static_range(C):
            if steps == b + c:
                steps += 1
                break
        if steps > a:
            break
    tl.store(x, -steps)
";

/// The same in Rust.
fn leaving(a: i64, b: i64) -> i64 {
    for i in 0..10 {
        for j in (0..10).rev() {
            if i * 10 + j == a {
                return i * 1000 + j;
            }
            if j <= b && j == b - 2 {
                break;
            }
        }
    }
    let mut steps = 0;
    loop {
        steps += 3;
        if (0..4).any(|c| steps == b + c) {
            steps += 1;
        }
        if steps > a {
            return -steps;
        }
    }
}

#[test]
fn loops_are_left_by_break_and_return() {
    let specs = read_signature("*i32,i32,i32").unwrap();
    let constexprs = [NamedConstant::new("C", ConstValue::Int(4))];
    let module = tk_grammar::parse(&SourceFile::new("k.tk", LEAVING)).unwrap();
    let args = bind_signature(&module, "k", Some(&specs), &constexprs).unwrap();
    let kernel = check_k(&module, &args).unwrap_or_else(|errors| panic!("{}", render(&errors[0], Style::Plain))).kernel;
    tk_check::checked::verify(&kernel).unwrap_or_else(|bug| panic!("{bug}\n{kernel}"));
    for a in -3..130 {
        for b in [-5, 0, 2, 5, 9, 11, 40] {
            let mut machine = Machine { kernel: &kernel, values: HashMap::new(), stored: None };
            for (param, number) in kernel.params.iter().zip([0, a, b]) {
                machine.set(param.value, number);
            }
            machine.block(&kernel.body, &[]);
            assert_eq!(machine.stored, Some(leaving(a, b)), "a = {a}, b = {b}\n{kernel}");
        }
    }
}
