//! Random programs of the language: kernels with control flow, tuples, functions, reductions, views and casts, and the values that
//! they must store.
//!
//! [`program`] makes a program as a tree (`make.rs`), runs it (`run.rs`, which shares no code with the compiler) and writes it as a
//! `.tk` file whose test compares every bit (`write.rs`). Floats have only operations that are exact or rounded once, in one order,
//! so that there is one right answer; a program in which one grows too large is given up and another is made.

mod make;
mod operators;
mod run;
mod write;

use crate::draw::Random;
use operators::{BinaryOp, CompareOp, Reduction, Scan, UnaryOp};

/// Element types that programs use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    I1,
    I8,
    I16,
    I32,
    I64,
    U8,
    U32,
    F16,
    F32,
}

impl Ty {
    const ALL: [Ty; 9] = [Ty::I1, Ty::I8, Ty::I16, Ty::I32, Ty::I64, Ty::U8, Ty::U32, Ty::F16, Ty::F32];

    fn is_float(self) -> bool {
        matches!(self, Ty::F16 | Ty::F32)
    }

    fn is_signed(self) -> bool {
        matches!(self, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64)
    }

    fn bits(self) -> u32 {
        match self {
            Ty::I1 => 1,
            Ty::I8 | Ty::U8 => 8,
            Ty::I16 | Ty::F16 => 16,
            Ty::I32 | Ty::U32 | Ty::F32 => 32,
            Ty::I64 => 64,
        }
    }
}

/// A type and a shape; the shape of a scalar is empty.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kind {
    ty: Ty,
    shape: Vec<usize>,
}

impl Kind {
    fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// An expression with what it gives.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    kind: Kind,
    node: Node,
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A variable of the function.
    Variable(usize),
    /// A scalar argument of the kernel, `int32`.
    Argument(usize),
    /// The variable of a loop around it, `int32`: how many are further out, and its number.
    Counter(usize, usize),
    /// A tensor or scalar of one number.
    Full(i64),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// An operator with a number behind it; of floats, a product with a half.
    Literal(BinaryOp, Box<Expr>, i64),
    Unary(UnaryOp, Box<Expr>),
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    Where(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(Box<Expr>),
    /// A reduction along an axis, and a cast back.
    Reduce(Reduction, Box<Expr>, usize),
    /// A scan along an axis.
    Scan(Scan, Box<Expr>, usize),
    /// A new dimension at an axis, repeated.
    Repeat(Box<Expr>, usize),
    Transpose(Box<Expr>),
    Reshape(Box<Expr>),
    Flip(Box<Expr>),
    Sort(Box<Expr>),
    /// Elements of the first along an axis, where the second says; made to fit.
    Gather(Box<Expr>, Box<Expr>, usize),
    Join(Box<Expr>, Box<Expr>),
    /// One of the two parts of `split`.
    Part(Box<Expr>, usize),
    Interleave(Box<Expr>, Box<Expr>),
    /// Elements of an input buffer, where the index says; made to fit.
    Load(usize, Box<Expr>),
    /// One result of a function; of one that gives several, the one with this number.
    Call(usize, Vec<Expr>, Option<usize>),
}

#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Assign(usize, Expr),
    /// `a, b = x, y`.
    Pair(usize, usize, Expr, Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `for i in range(start, stop)`, or unrolled, to a literal; the first is the number of the loop.
    For(usize, i64, Expr, Vec<Stmt>),
    Unrolled(usize, i64, Vec<Stmt>),
    /// Runs while a counter is below the value, and the condition holds.
    While(usize, Expr, Expr, Vec<Stmt>),
    Break(Expr),
    Continue(Expr),
    /// In a function: leaves it with these results.
    Return(Expr, Vec<Expr>),
}

/// A function: variables, the first of which are its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    parameters: usize,
    variables: Vec<Kind>,
    /// The first values of the variables that are no parameters.
    first: Vec<Expr>,
    body: Vec<Stmt>,
    results: Vec<Expr>,
    is_noinline: bool,
}

/// A kernel: a function without parameters and results, whose variables are stored.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    functions: Vec<Function>,
    kernel: Function,
    inputs: Vec<(Ty, Vec<i64>)>,
    arguments: Vec<i64>,
    warps: usize,
}

/// A random program as the text of a `.tk` file with one test.
pub fn program(random: &mut Random) -> String {
    loop {
        let program = make::program(random);
        if let Some(expected) = run::values(&program) {
            return write::file(&program, &expected);
        }
    }
}
