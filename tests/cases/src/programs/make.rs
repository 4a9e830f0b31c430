//! Makes programs: every expression has the type and shape that its place needs, so every program is valid.

use super::operators::{BinaryOp, CompareOp, Reduction, Scan, UnaryOp};
use super::{Expr, Function, Kind, Node, Program, Stmt, Ty};
use crate::draw::Random;
use rand::Rng;
use rand::seq::IndexedRandom;

/// Elements of an input buffer, a power of two.
pub(super) const INPUT: usize = 64;
/// Scalar arguments of a kernel.
const ARGUMENTS: usize = 3;
/// Elements of a tensor, at most.
const LARGEST: usize = 512;

/// Operators with a number behind them.
const LITERAL_OPS: [BinaryOp; 6] =
    [BinaryOp::ShiftLeft, BinaryOp::ShiftRight, BinaryOp::Divide, BinaryOp::Remainder, BinaryOp::Add, BinaryOp::Mul];
const BOOL_OPS: [BinaryOp; 3] = [BinaryOp::And, BinaryOp::Or, BinaryOp::Xor];
const FLOAT_OPS: [BinaryOp; 4] = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Minimum, BinaryOp::Maximum];
const INTEGER_OPS: [BinaryOp; 8] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Minimum,
    BinaryOp::Maximum,
];

struct Maker<'r> {
    random: &'r mut Random,
    inputs: Vec<(Ty, Vec<i64>)>,
    functions: Vec<Function>,
    /// The variables of the function that is made.
    variables: Vec<Kind>,
    /// The numbers of the loops around the statement that is made, and how many loops there are.
    loops: Vec<usize>,
    count: usize,
    in_function: bool,
}

pub(super) fn program(random: &mut Random) -> Program {
    let mut maker = Maker {
        random,
        inputs: Vec::new(),
        functions: Vec::new(),
        variables: Vec::new(),
        loops: Vec::new(),
        count: 0,
        in_function: true,
    };
    for ty in [Ty::I32, Ty::I8, Ty::U32, Ty::I16, Ty::I64, Ty::U8] {
        let values = (0..INPUT).map(|_| super::run::wrapped(ty, maker.random.random()) as i64).collect();
        maker.inputs.push((ty, values));
    }
    for _ in 0..maker.random.random_range(0..3) {
        let parameters = maker.random.random_range(1..=2);
        let function = maker.function(parameters);
        maker.functions.push(function);
    }
    maker.in_function = false;
    let kernel = maker.function(0);
    let arguments = (0..ARGUMENTS).map(|_| maker.random.random_range(-12..28)).collect();
    let warps = maker.pick(&[1, 2, 4]);
    Program { functions: maker.functions, kernel, inputs: maker.inputs, arguments, warps }
}

impl Maker<'_> {
    fn one_in(&mut self, count: u32) -> bool {
        self.random.random_ratio(1, count)
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        *items.choose(self.random).expect("there is something to pick from")
    }

    fn kind(&mut self) -> Kind {
        let rank = self.pick(&[0, 0, 1, 1, 2, 2, 2, 3]);
        let shape: Vec<usize> = (0..rank).map(|_| self.pick(&[1, 2, 4, 8, 8, 16, 32])).collect();
        let kind = Kind { ty: self.pick(&Ty::ALL), shape };
        if kind.count() > LARGEST { Kind { ty: kind.ty, shape: vec![16, 8] } } else { kind }
    }

    fn function(&mut self, parameters: usize) -> Function {
        let count = if self.in_function {
            parameters + self.random.random_range(0..2)
        } else {
            self.random.random_range(4..=6)
        };
        self.variables.clear();
        let mut first = Vec::new();
        for number in 0..count {
            let kind = self.kind();
            if number >= parameters {
                let value = self.expr(&kind, 2);
                first.push(value);
            }
            self.variables.push(kind);
        }
        let body = self.block(if self.in_function { 1 } else { 3 });
        let results = if self.in_function {
            (0..self.random.random_range(1..=2)).map(|_| self.result()).collect()
        } else {
            Vec::new()
        };
        let mut function =
            Function { parameters, variables: self.variables.clone(), first, body, results, is_noinline: false };
        if self.in_function {
            let kinds: Vec<Kind> = function.results.iter().map(|result| result.kind.clone()).collect();
            if self.one_in(2) {
                let condition = self.condition();
                let values = kinds.iter().map(|kind| self.expr(kind, 1)).collect();
                let at = self.random.random_range(0..=function.body.len());
                function.body.insert(at, Stmt::Return(condition, values));
            }
            function.is_noinline = self.one_in(4);
        }
        function
    }

    fn result(&mut self) -> Expr {
        let kind = self.kind();
        self.expr(&kind, 2)
    }

    fn block(&mut self, depth: usize) -> Vec<Stmt> {
        (0..self.random.random_range(1..=4)).map(|_| self.stmt(depth)).collect()
    }

    /// The number of a loop and its body.
    fn inner(&mut self, depth: usize) -> (usize, Vec<Stmt>) {
        let number = self.count;
        self.count += 1;
        self.loops.push(number);
        let body = self.block(depth);
        self.loops.pop();
        (number, body)
    }

    fn condition(&mut self) -> Expr {
        self.expr(&Kind { ty: Ty::I1, shape: Vec::new() }, 2)
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        let variable = self.random.random_range(0..self.variables.len());
        let kind = self.variables[variable].clone();
        match self.random.random_range(0..if depth == 0 { 6 } else { 14 }) {
            0..=3 => Stmt::Assign(variable, self.expr(&kind, 3)),
            4 => {
                let other = self.random.random_range(0..self.variables.len());
                let other_kind = self.variables[other].clone();
                Stmt::Pair(variable, other, self.expr(&kind, 1), self.expr(&other_kind, 1))
            }
            5 if !self.loops.is_empty() && self.one_in(2) => {
                let condition = self.condition();
                if self.one_in(2) { Stmt::Break(condition) } else { Stmt::Continue(condition) }
            }
            5 => Stmt::Assign(variable, self.expr(&kind, 2)),
            6..=9 => {
                let orelse = if self.one_in(2) { Vec::new() } else { self.block(depth - 1) };
                Stmt::If(self.condition(), self.block(depth - 1), orelse)
            }
            10 | 11 => {
                let stop = self.expr(&Kind { ty: Ty::I32, shape: Vec::new() }, 1);
                let stop = literal(BinaryOp::And, stop, 3);
                let (number, body) = self.inner(depth - 1);
                Stmt::For(number, self.random.random_range(-1..=1), stop, body)
            }
            12 => {
                let (number, body) = self.inner(depth - 1);
                Stmt::Unrolled(number, self.random.random_range(0..3), body)
            }
            _ => {
                let limit = self.expr(&Kind { ty: Ty::I32, shape: Vec::new() }, 1);
                let condition = self.condition();
                let (number, body) = self.inner(depth - 1);
                Stmt::While(number, literal(BinaryOp::And, limit, 3), condition, body)
            }
        }
    }

    /// An expression that gives `kind`.
    fn expr(&mut self, kind: &Kind, depth: usize) -> Expr {
        let node = if depth == 0 { None } else { self.node(kind, depth - 1) };
        let node = node.unwrap_or_else(|| self.leaf(kind));
        Expr { kind: kind.clone(), node }
    }

    fn boxed(&mut self, ty: Ty, shape: &[usize], depth: usize) -> Box<Expr> {
        Box::new(self.expr(&Kind { ty, shape: shape.to_vec() }, depth))
    }

    fn leaf(&mut self, kind: &Kind) -> Node {
        let same: Vec<usize> = (0..self.variables.len()).filter(|i| self.variables[*i] == *kind).collect();
        if !same.is_empty() && !self.one_in(4) {
            return Node::Variable(self.pick(&same));
        }
        if kind.ty == Ty::I32 && kind.shape.is_empty() {
            match self.random.random_range(0..3) {
                0 if !self.loops.is_empty() => {
                    let depth = self.random.random_range(0..self.loops.len());
                    return Node::Counter(depth, self.loops[depth]);
                }
                1 if !self.in_function => return Node::Argument(self.random.random_range(0..ARGUMENTS)),
                _ => {}
            }
        }
        let inputs: Vec<usize> = (0..self.inputs.len()).filter(|i| self.inputs[*i].0 == kind.ty).collect();
        if !inputs.is_empty() && !self.in_function && !self.one_in(3) {
            let input = self.pick(&inputs);
            let index = Expr { kind: Kind { ty: Ty::I32, shape: kind.shape.clone() }, node: self.start(&kind.shape) };
            return Node::Load(input, Box::new(index));
        }
        let limit = if kind.ty == Ty::I1 { 2 } else { 100 };
        Node::Full(self.random.random_range(0..limit))
    }

    /// A variable or a number of `int32`.
    fn start(&mut self, shape: &[usize]) -> Node {
        let kind = Kind { ty: Ty::I32, shape: shape.to_vec() };
        match self.variables.iter().position(|known| *known == kind) {
            Some(variable) => Node::Variable(variable),
            None => Node::Full(self.random.random_range(0..INPUT as i64)),
        }
    }

    fn node(&mut self, kind: &Kind, depth: usize) -> Option<Node> {
        match self.random.random_range(0..10) {
            0..=3 => Some(self.arithmetic(kind, depth)),
            4 => Some(Node::Cast(self.cast_from(kind, depth))),
            5 => self.call(kind, depth),
            6 => self.reduction(kind, depth),
            7 | 8 => self.view(kind, depth),
            _ => None,
        }
    }

    fn arithmetic(&mut self, kind: &Kind, depth: usize) -> Node {
        let (ty, shape) = (kind.ty, kind.shape.as_slice());
        match self.random.random_range(0..7) {
            0 => Node::Where(
                self.boxed(Ty::I1, shape, depth),
                self.boxed(ty, shape, depth),
                self.boxed(ty, shape, depth),
            ),
            1 if ty == Ty::I1 => {
                let of = self.pick(&Ty::ALL[1..]);
                let op = self.pick(&CompareOp::ALL);
                Node::Compare(op, self.boxed(of, shape, depth), self.boxed(of, shape, depth))
            }
            1 if ty.is_float() => Node::Literal(BinaryOp::Mul, self.boxed(ty, shape, depth), 0),
            1 => {
                let op = self.pick(&LITERAL_OPS);
                let is_shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
                let most = if is_shift { i64::from(ty.bits()) } else { 7 };
                Node::Literal(op, self.boxed(ty, shape, depth), 1.max(self.random.random_range(0..most)))
            }
            2 if ty != Ty::I1 => {
                let op = match (ty.is_float(), ty.is_signed()) {
                    (true, _) => self.pick(&[UnaryOp::Negative, UnaryOp::Abs]),
                    (false, true) => self.pick(&[UnaryOp::Negative, UnaryOp::Not, UnaryOp::Abs]),
                    (false, false) => UnaryOp::Not,
                };
                Node::Unary(op, self.boxed(ty, shape, depth))
            }
            _ => {
                let op = match ty {
                    Ty::I1 => self.pick(&BOOL_OPS),
                    Ty::F16 | Ty::F32 => self.pick(&FLOAT_OPS),
                    Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::U8 | Ty::U32 => self.pick(&INTEGER_OPS),
                };
                Node::Binary(op, self.boxed(ty, shape, depth), self.boxed(ty, shape, depth))
            }
        }
    }

    /// What can be cast with one result: to floats from integers that they hold, to integers from any.
    fn cast_from(&mut self, kind: &Kind, depth: usize) -> Box<Expr> {
        let from: &[Ty] = match kind.ty {
            Ty::F16 => &[Ty::I1, Ty::I8, Ty::U8, Ty::F32],
            Ty::F32 => &[Ty::I1, Ty::I8, Ty::I16, Ty::I32, Ty::U8, Ty::F16],
            Ty::I1 => &[Ty::I8, Ty::I32, Ty::U8, Ty::I64],
            Ty::I32 | Ty::I64 => &Ty::ALL,
            _ => &[Ty::I1, Ty::I8, Ty::I16, Ty::I32, Ty::I64, Ty::U8, Ty::U32],
        };
        let ty = self.pick(from);
        self.boxed(ty, &kind.shape, depth)
    }

    fn call(&mut self, kind: &Kind, depth: usize) -> Option<Node> {
        let fits = |(number, function): (usize, &Function)| {
            let result = function.results.iter().position(|result| result.kind == *kind)?;
            Some((number, (function.results.len() > 1).then_some(result)))
        };
        let found: Vec<(usize, Option<usize>)> = self.functions.iter().enumerate().filter_map(fits).collect();
        if found.is_empty() {
            return None;
        }
        let (number, result) = self.pick(&found);
        let kinds = self.functions[number].variables[..self.functions[number].parameters].to_vec();
        Some(Node::Call(number, kinds.iter().map(|kind| self.expr(kind, depth.min(1))).collect(), result))
    }

    fn reduction(&mut self, kind: &Kind, depth: usize) -> Option<Node> {
        if kind.ty == Ty::I1 || kind.shape.len() > 2 {
            return None;
        }
        if !kind.shape.is_empty() && matches!(kind.ty, Ty::I32 | Ty::I64 | Ty::U32) && self.one_in(3) {
            let axis = self.random.random_range(0..kind.shape.len());
            let op = self.pick(&[Scan::Sum, Scan::Maximum]);
            return Some(Node::Scan(op, self.boxed(kind.ty, &kind.shape, depth), axis));
        }
        let axis = self.random.random_range(0..=kind.shape.len());
        let mut shape = kind.shape.clone();
        shape.insert(axis, self.pick(&[2, 4, 8, 16]));
        if shape.iter().product::<usize>() > LARGEST {
            return None;
        }
        let ops = [Reduction::Min, Reduction::Max, Reduction::Sum, Reduction::XorSum];
        let op = self.pick(if kind.ty.is_float() { &ops[..2] } else { &ops });
        Some(Node::Reduce(op, self.boxed(kind.ty, &shape, depth), axis))
    }

    fn view(&mut self, kind: &Kind, depth: usize) -> Option<Node> {
        let (ty, shape) = (kind.ty, kind.shape.clone());
        let rank = shape.len();
        if rank == 0 {
            return None;
        }
        let last = shape[rank - 1];
        match self.random.random_range(0..9) {
            0 | 1 => {
                let axis = self.random.random_range(0..rank);
                let mut inner = shape.clone();
                inner.remove(axis);
                Some(Node::Repeat(self.boxed(ty, &inner, depth), axis))
            }
            2 if rank == 2 => Some(Node::Transpose(self.boxed(ty, &[shape[1], shape[0]], depth))),
            2 | 3 => {
                let count = kind.count();
                let split = self.pick(&[1, 2, 4, 8]);
                let from = if count.is_multiple_of(split) && !self.one_in(3) {
                    vec![split, count / split]
                } else {
                    vec![count]
                };
                Some(Node::Reshape(self.boxed(ty, &from, depth)))
            }
            4 => Some(Node::Flip(self.boxed(ty, &shape, depth))),
            5 if ty != Ty::I1 && !ty.is_float() => Some(Node::Sort(self.boxed(ty, &shape, depth))),
            6 => {
                let axis = self.random.random_range(0..rank);
                let mut from = shape.clone();
                from[axis] = self.pick(&[1, 2, 4, 8, 16]);
                let source = self.boxed(ty, &from, depth);
                Some(Node::Gather(source, self.boxed(Ty::I32, &shape, depth), axis))
            }
            7 if last == 2 && rank > 1 => {
                let inner = &shape[..rank - 1];
                Some(Node::Join(self.boxed(ty, inner, depth), self.boxed(ty, inner, depth)))
            }
            7 if last > 1 => {
                let mut inner = shape.clone();
                inner[rank - 1] = last / 2;
                Some(Node::Interleave(self.boxed(ty, &inner, depth), self.boxed(ty, &inner, depth)))
            }
            8 if rank < 3 && kind.count() * 2 <= LARGEST => {
                let outer: Vec<usize> = shape.iter().copied().chain([2]).collect();
                Some(Node::Part(self.boxed(ty, &outer, depth), self.random.random_range(0..2)))
            }
            _ => None,
        }
    }
}

fn literal(op: BinaryOp, value: Expr, number: i64) -> Expr {
    Expr { kind: value.kind.clone(), node: Node::Literal(op, Box::new(value), number) }
}
