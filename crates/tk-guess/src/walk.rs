//! What the body of a function does with names: what is loaded through, added to addresses, called and assigned.

use crate::places::{self, Asked, Place};
use crate::tuples::Taken;
use std::collections::{HashMap, HashSet};
use tk_grammar::ast::{Argument, BinaryOp, Expr, ExprKind, FunctionDef, Stmt, StmtKind, UnaryOp};

/// How a tensor descriptor is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DescriptorUse {
    /// Coordinates of a block.
    pub(crate) rank: usize,
    /// Its rows are gathered or scattered by number, so that a block is one row.
    pub(crate) rows: bool,
}

/// What a body does with names.
#[derive(Default)]
pub(crate) struct Walk<'m> {
    /// Names that addresses are computed from.
    pub(crate) pointers: HashSet<String>,
    /// Of those, the ones through which addresses are loaded: `tl.load(p).to(tl.pointer_type(…))`.
    pub(crate) tables: HashSet<String>,
    /// Names that are tested as they are.
    pub(crate) flags: HashSet<String>,
    /// Names with the methods of a tensor descriptor.
    pub(crate) descriptors: HashMap<String, DescriptorUse>,
    /// Of those, the ones that old programs pass as pointers to descriptors.
    pub(crate) described: HashSet<String>,
    /// Names that are taken apart as tuples.
    pub(crate) tuples: HashMap<String, Taken>,
    /// Names that atomic operations go through.
    pub(crate) atomics: HashSet<String>,
    /// Names with a constant index, and how many parts they so have at least.
    pub(crate) indexed: HashMap<String, usize>,
    /// Names whose length is asked for.
    pub(crate) measured: HashSet<String>,
    /// Names that get another dimension as they are.
    pub(crate) blocks: HashSet<String>,
    /// Scales of products, which are bytes.
    pub(crate) scales: Vec<&'m Expr>,
    /// The shapes of blocks that are made here.
    pub(crate) shapes: Vec<&'m [Expr]>,
    /// What the places where names stand ask of them.
    pub(crate) places: Vec<Asked>,
    pub(crate) assigned: Vec<Assignment<'m>>,
    pub(crate) calls: Vec<Call<'m>>,
    /// Functions that are called or passed on.
    pub(crate) called: HashSet<String>,
    pub(crate) returns_value: bool,
    /// Expressions that must be integers.
    pub(crate) integral: Vec<&'m Expr>,
    pub(crate) addresses: Vec<&'m Expr>,
}

/// A name and what it is assigned.
pub(crate) struct Assignment<'m> {
    pub(crate) name: String,
    pub(crate) value: &'m Expr,
}

/// A call of a function by its name.
pub(crate) struct Call<'m> {
    pub(crate) function: String,
    pub(crate) args: &'m [Argument],
}

impl<'m> Walk<'m> {
    /// Of these statements.
    pub(crate) fn of(body: &'m [Stmt]) -> Self {
        let mut walk = Self::default();
        walk.stmts(body);
        walk
    }

    /// Whether a parameter is a block of elements from the start: no launch gives such a one, only another function.
    pub(crate) fn takes_blocks(&self, function: &FunctionDef) -> bool {
        let is_assigned = |name: &str| self.assigned.iter().any(|one| one.name == name);
        let mut names = function.params.iter().map(|param| param.name.text.as_str());
        names.any(|name| self.blocks.contains(name) && !is_assigned(name))
    }

    fn stmts(&mut self, stmts: &'m [Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Assign { targets, value } => {
                    targets.iter().for_each(|target| self.assign(target, value));
                    self.expr(value);
                }
                StmtKind::AugAssign { target, value, .. } => {
                    self.assign(target, target);
                    self.expr(value);
                }
                StmtKind::AnnAssign { target, value: Some(value), .. } => {
                    self.assign(target, value);
                    self.expr(value);
                }
                StmtKind::Expr(value) => self.expr(value),
                StmtKind::Return(Some(value)) => {
                    self.returns_value |= !matches!(value.kind, ExprKind::None);
                    self.expr(value);
                }
                StmtKind::With { body, .. } => self.stmts(body),
                StmtKind::Try { body, handlers, orelse, finally } => {
                    self.stmts(body);
                    handlers.iter().for_each(|handler| self.stmts(&handler.body));
                    self.stmts(orelse);
                    self.stmts(finally);
                }
                StmtKind::If { test, body, orelse } | StmtKind::While { test, body, orelse } => {
                    self.test(test);
                    self.expr(test);
                    self.stmts(body);
                    self.stmts(orelse);
                }
                StmtKind::For { target, iter, body, orelse } => {
                    self.iterate(target, iter);
                    self.expr(iter);
                    self.stmts(body);
                    self.stmts(orelse);
                }
                _ => {}
            }
        }
    }

    fn assign(&mut self, target: &Expr, value: &'m Expr) {
        match (&target.kind, &value.kind) {
            (ExprKind::Name(name), _) => self.assigned.push(Assignment { name: name.clone(), value }),
            (ExprKind::Tuple(targets), ExprKind::Tuple(values)) => {
                targets.iter().zip(values).for_each(|(target, value)| self.assign(target, value));
            }
            (ExprKind::Tuple(_), ExprKind::Name(name)) => {
                self.tuples.extend(taken(target).map(|taken| (name.clone(), taken)));
            }
            _ => {}
        }
    }

    /// `for part in NAME`: two parts stand for any number of them.
    fn iterate(&mut self, target: &Expr, iter: &Expr) {
        if let ExprKind::Name(name) = &iter.kind
            && let Some(part) = taken(target)
        {
            self.tuples.insert(name.clone(), Taken::Parts(vec![part.clone(), part]));
        }
    }

    fn expr(&mut self, expr: &'m Expr) {
        match &expr.kind {
            ExprKind::Call { func, args } => self.call(func, args),
            ExprKind::Binary { op, left, right }
                if matches!(op, BinaryOp::FloorDiv | BinaryOp::Mod | BinaryOp::Shl | BinaryOp::Shr)
                    || matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor) =>
            {
                self.integral.extend([&**left, &**right]);
                if let (BinaryOp::FloorDiv, ExprKind::Name(name)) = (op, &right.kind) {
                    self.places.push(Asked { name: name.clone(), place: Place::Divisor });
                }
            }
            ExprKind::IfElse { test, .. } => self.test(test),
            ExprKind::Compare { left, rest } => places::of_comparison(left, rest, &mut self.places),
            ExprKind::Attribute { value, name } if name.text == "element_ty" => self.element_type(value),
            ExprKind::Subscript { value, index } => self.extent(value, index),
            _ => {}
        }
        expr.each_child(&mut |child| self.expr(child));
    }

    /// `if FLAG`, `if not FLAG and OTHER`.
    fn test(&mut self, test: &Expr) {
        match &test.kind {
            ExprKind::Name(name) => _ = self.flags.insert(name.clone()),
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.test(operand),
            ExprKind::BoolOp { values, .. } => values.iter().for_each(|value| self.test(value)),
            _ => {}
        }
    }

    /// `x.dtype.element_ty`: `x` is a pointer.
    fn element_type(&mut self, value: &Expr) {
        if let ExprKind::Attribute { value, .. } = &value.kind
            && let ExprKind::Name(name) = &value.kind
        {
            self.pointers.insert(name.clone());
        }
    }

    /// `descriptor.block_shape[1]`, `descriptor.strides[0]`, `parts[2]`.
    fn extent(&mut self, value: &Expr, index: &Expr) {
        if let (ExprKind::Name(name), ExprKind::Tuple(items)) = (&value.kind, &index.kind)
            && items.iter().any(|item| matches!(item.kind, ExprKind::None))
        {
            self.blocks.insert(name.clone());
        }
        if let (ExprKind::Name(name), ExprKind::Int(index @ 0..=15)) = (&value.kind, &index.kind) {
            let parts = self.indexed.entry(name.clone()).or_default();
            *parts = (*parts).max(*index as usize + 1);
        }
        if let (ExprKind::Attribute { value, name }, ExprKind::Int(index)) = (&value.kind, &index.kind)
            && let (ExprKind::Name(of), "block_shape" | "strides") = (&value.kind, name.text.as_str())
            && let Ok(index @ 0..=4) = usize::try_from(*index)
        {
            self.describe(of, DescriptorUse { rank: index + 1, rows: false });
        }
    }

    /// A name is used as a descriptor; what is said of its rank elsewhere counts too.
    fn describe(&mut self, name: &str, used: DescriptorUse) {
        let known = self.descriptors.entry(name.to_string()).or_insert(used);
        *known = DescriptorUse { rank: known.rank.max(used.rank), rows: known.rows || used.rows };
    }

    /// `descriptor.load([row, column])` and its relatives; `tl.load(table).to(tl.pointer_type(…))`.
    fn method(&mut self, value: &'m Expr, method: &str, args: &'m [Argument]) {
        let first = args.first().map(Argument::value);
        match (&value.kind, method, first.map(|first| &first.kind)) {
            (ExprKind::Name(name), "load" | "store", Some(ExprKind::List(at) | ExprKind::Tuple(at))) => {
                self.describe(name, DescriptorUse { rank: at.len(), rows: false });
            }
            (ExprKind::Name(name), "gather" | "scatter", _) if args.len() > 1 && name != "tl" => {
                self.describe(name, DescriptorUse { rank: 2, rows: true });
            }
            (ExprKind::Name(name), method, Some(ExprKind::List(at) | ExprKind::Tuple(at)))
                if method.starts_with("atomic_") =>
            {
                self.describe(name, DescriptorUse { rank: at.len(), rows: false });
            }
            (ExprKind::Call { func, args }, "to", Some(ExprKind::Call { func: to, .. })) => {
                let is = |func: &Expr, last: &str| func.dotted_name().is_some_and(|name| name.ends_with(last));
                if let (Some(address), true) = (args.first(), is(func, ".load") && is(to, ".pointer_type")) {
                    bases(address.value(), &mut self.tables);
                }
            }
            _ => {}
        }
    }

    /// What a call says about its arguments; they themselves are visited afterwards.
    fn call(&mut self, func: &'m Expr, args: &'m [Argument]) {
        let name = func.dotted_name().unwrap_or_default();
        // A method of what a call gives has no dotted name.
        let last = match &func.kind {
            ExprKind::Attribute { name, .. } => name.text.as_str(),
            _ => name.rsplit('.').next().unwrap_or_default(),
        };
        let access = matches!(
            last,
            "load" | "store" | "make_block_ptr" | "make_tensor_descriptor" | "_experimental_make_tensor_descriptor"
        ) || last.starts_with("atomic_");
        let method = matches!(&func.kind, ExprKind::Attribute { value, .. }
            if !value.dotted_name().is_some_and(|root| root == "tl" || root.contains("language") || root.contains("triton")));
        if access && !method {
            let base = args.iter().find_map(|arg| match arg {
                Argument::Positional(value) => Some(value),
                Argument::Keyword(name, value) if matches!(name.text.as_str(), "pointer" | "base") => Some(value),
                _ => None,
            });
            if let Some(base) = base {
                bases(base, &mut self.pointers);
                if last.starts_with("atomic_") {
                    bases(base, &mut self.atomics);
                }
                self.addresses.push(base);
            }
        }
        places::of_call(last, args, &mut self.places);
        let first = args.first().map(|arg| &arg.value().kind);
        match (last, first) {
            ("zeros" | "full" | "empty", Some(ExprKind::Tuple(dims) | ExprKind::List(dims))) => self.shapes.push(dims),
            ("dot_scaled", _) => self.scales.extend([1, 4].iter().filter_map(|at| Some(args.get(*at)?.value()))),
            ("_experimental_descriptor_load" | "_experimental_descriptor_store", Some(ExprKind::Name(of))) => {
                let lists = args.iter().filter_map(|arg| match &arg.value().kind {
                    ExprKind::List(at) | ExprKind::Tuple(at) => Some(at),
                    _ => None,
                });
                if let Some(at) = lists.into_iter().next() {
                    self.describe(of, DescriptorUse { rank: at.len(), rows: false });
                    self.described.insert(of.clone());
                }
            }
            ("len", Some(ExprKind::Name(name))) => _ = self.measured.insert(name.clone()),
            _ => {}
        }
        if let ("ldexp" | "scalbn", Some(Argument::Positional(exponent))) = (last, args.get(1)) {
            self.integral.push(exponent);
        }
        if let ExprKind::Attribute { value, .. } = &func.kind {
            self.method(value, last, args);
        }
        if last == "range" {
            self.integral.extend(args.iter().filter_map(|arg| match arg {
                Argument::Positional(value) => Some(value),
                _ => None,
            }));
        }
        if !access && !name.contains('.') && !name.is_empty() {
            self.called.insert(name.clone());
            self.calls.push(Call { function: name, args });
        }
        for arg in args {
            if let ExprKind::Name(name) = &arg.value().kind {
                self.called.insert(name.clone());
            }
        }
    }
}

/// The names of what a tuple is unpacked into.
fn taken(target: &Expr) -> Option<Taken> {
    match &target.kind {
        ExprKind::Name(name) => Some(Taken::Part(name.clone())),
        ExprKind::Tuple(parts) => Some(Taken::Parts(parts.iter().map(taken).collect::<Option<_>>()?)),
        _ => None,
    }
}

/// The parts of an address that are added to its pointer.
pub(crate) fn offsets(expr: &Expr, pointers: &HashSet<String>, out: &mut HashSet<String>) {
    if let ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, right } = &expr.kind {
        for side in [left, right] {
            let mut base = HashSet::new();
            bases(side, &mut base);
            if base.iter().any(|name| pointers.contains(name)) {
                offsets(side, pointers, out);
            } else {
                names_in(side, out);
            }
        }
    }
}

/// The names that an arithmetic expression is made of; of a load, the pointer.
pub(crate) fn names_in(expr: &Expr, out: &mut HashSet<String>) {
    match &expr.kind {
        ExprKind::Name(name) => {
            out.insert(name.clone());
        }
        ExprKind::Binary { left, right, .. } => {
            names_in(left, out);
            names_in(right, out);
        }
        ExprKind::Unary { operand, .. } => names_in(operand, out),
        ExprKind::IfElse { body, orelse, .. } => {
            names_in(body, out);
            names_in(orelse, out);
        }
        ExprKind::Subscript { value, .. } => names_in(value, out),
        ExprKind::Call { func, args } => {
            let name = func.dotted_name().unwrap_or_default();
            match name.rsplit('.').next().unwrap_or_default() {
                "load" | "atomic_add" => {
                    if let Some(Argument::Positional(base)) = args.first() {
                        bases(base, out);
                    }
                }
                "to" => {
                    if let ExprKind::Attribute { value, .. } = &func.kind {
                        names_in(value, out);
                    }
                }
                "minimum" | "maximum" | "min" | "max" | "cdiv" | "multiple_of" | "max_contiguous" | "cumsum"
                | "sum" => {
                    for arg in args {
                        if let Argument::Positional(value) = arg {
                            names_in(value, out);
                        }
                    }
                }
                "where" => {
                    for arg in args.iter().skip(1) {
                        if let Argument::Positional(value) = arg {
                            names_in(value, out);
                        }
                    }
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// The names that an address is computed from: the left ends of its sums.
pub(crate) fn bases(expr: &Expr, out: &mut HashSet<String>) {
    match &expr.kind {
        ExprKind::Name(name) => {
            out.insert(name.clone());
        }
        ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, right } => {
            let before = out.len();
            bases(left, out);
            let marked = |name: &str| ["ptr", "pointer"].iter().any(|word| name.to_lowercase().contains(word));
            if let ExprKind::Name(name) = &right.kind
                && (marked(name) || before == out.len())
            {
                out.insert(name.clone());
            }
        }
        ExprKind::IfElse { body, orelse, .. } => {
            bases(body, out);
            bases(orelse, out);
        }
        ExprKind::Call { func, args } => {
            let method = func.dotted_name().unwrap_or_default();
            let last = method.rsplit('.').next().unwrap_or_default();
            if matches!(
                last,
                "advance" | "make_block_ptr" | "multiple_of" | "max_contiguous" | "where" | "broadcast_to"
            ) {
                for arg in args {
                    if let Argument::Positional(value) | Argument::Keyword(_, value) = arg {
                        bases(value, out);
                        if last != "where" {
                            break;
                        }
                    }
                }
            } else if let ExprKind::Attribute { value, name } = &func.kind
                && name.text == "to"
            {
                bases(value, out);
            }
        }
        ExprKind::Subscript { value, .. } => bases(value, out),
        _ => {}
    }
}
