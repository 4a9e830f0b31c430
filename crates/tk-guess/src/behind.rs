//! What an expression of a kernel hangs on: which parameters say its type or its sizes, through assignments and calls.
//!
//! An error in such an expression is one of the launch where a guess gave those parameters what they are.

use crate::walk::bases;
use std::collections::{BTreeSet, HashSet};
use tk_diag::Span;
use tk_grammar::ast::{Argument, BinaryOp, Expr, ExprKind, FunctionDef, Module, Stmt, StmtKind};
use tk_grammar::bindings::each_binding;

/// Calls inside calls that are followed outwards.
const DEPTH: usize = 32;

/// What is asked of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Who says what kind of value it is and what it is made of.
    Types,
    /// Who says how large it is.
    Sizes,
}

/// What expressions hang on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Behind {
    /// Names of parameters of the kernel.
    pub params: BTreeSet<String>,
    /// Whether one constant is divided by another on the way: a launch has to choose them so that they go together.
    pub divides: bool,
}

/// The expressions at these places, seen from the kernel: `calls` lead from them out to it, the innermost first.
pub fn behind(module: &Module, calls: &[Span], places: &[Span], question: Question) -> Behind {
    let mut found = Behind::default();
    let mut exprs: Vec<(&FunctionDef, &Expr)> = places.iter().filter_map(|place| expression(module, *place)).collect();
    for call in calls.iter().map(Some).chain([None]).take(DEPTH) {
        let mut params = BTreeSet::new();
        for (function, expr) in &exprs {
            let mut slice = Slice::of(module, function, question);
            slice.outermost(expr);
            params.extend(slice.params);
            found.divides |= slice.divides;
        }
        let Some(call) = call else {
            found.params = params;
            break;
        };
        let (callee, at) = (exprs.first().map(|(function, _)| *function), expression(module, *call));
        let (Some(callee), Some((caller, Expr { kind: ExprKind::Call { args, .. }, .. }))) = (callee, at) else {
            break;
        };
        exprs = params.iter().filter_map(|name| Some((caller, passed(callee, name, args)?))).collect();
    }
    found
}

/// Whether an attribute is asked for at this place.
pub fn is_attribute(module: &Module, place: Span) -> bool {
    expression(module, place).is_some_and(|(_, expr)| match &expr.kind {
        ExprKind::Attribute { name, .. } => holds(place, name.span),
        ExprKind::Call { func, .. } => {
            matches!(&func.kind, ExprKind::Attribute { name, .. } if holds(place, name.span))
        }
        _ => false,
    })
}

/// Whether a value stands at exactly this place, and no call: what is wrong with a call can be wrong with its form.
pub fn is_value(module: &Module, place: Span) -> bool {
    expression(module, place).is_some_and(|(_, expr)| expr.span == place && !matches!(expr.kind, ExprKind::Call { .. }))
}

/// Whether a function around the one at this place has a parameter or a variable with this name.
pub fn is_bound_around(module: &Module, place: Span, name: &str) -> bool {
    let Some(part) = module.imports.parts.get(module.file.part_index(place.start)) else { return false };
    let mut functions = Vec::new();
    functions_around(&part.body, place, &mut functions);
    functions.pop();
    functions.into_iter().any(|function| {
        let mut assigned = Vec::new();
        assignments(&function.body, &mut assigned);
        function.params.iter().any(|param| param.name.text == name)
            || assigned.iter().any(|(target, _)| *target == name)
            || bound(&function.body).contains(&name)
    })
}

/// The functions around a place, the outermost first.
fn functions_around<'m>(body: &'m [Stmt], place: Span, out: &mut Vec<&'m FunctionDef>) {
    let Some(stmt) = body.iter().find(|stmt| holds(stmt.span, place)) else { return };
    match &stmt.kind {
        StmtKind::FunctionDef(function) => {
            out.push(function);
            functions_around(&function.body, place, out);
        }
        StmtKind::ClassDef(class) => functions_around(&class.body, place, out),
        kind => crate::statements::blocks(kind).into_iter().for_each(|block| functions_around(block, place, out)),
    }
}

/// The names that imports and definitions in a body bind.
fn bound(body: &[Stmt]) -> Vec<&str> {
    let mut names = Vec::new();
    each_binding(body, &mut |binding| names.push(binding.name));
    names
}

/// Whether a tuple stands at this place, such as the names that values are unpacked into.
pub fn is_tuple(module: &Module, place: Span) -> bool {
    expression(module, place).is_some_and(|(_, expr)| matches!(expr.kind, ExprKind::Tuple(_)))
}

/// The name that is called where this place is an argument, if it is a variable.
pub fn callee(module: &Module, place: Span) -> Option<String> {
    let (function, _) = expression(module, place)?;
    let mut found = None;
    function.body.iter().filter(|stmt| holds(stmt.span, place)).for_each(|stmt| {
        stmt.each_expression(&mut |expr| {
            if holds(expr.span, place) {
                callee_in(expr, place, &mut found);
            }
        });
    });
    found
}

/// The name that the innermost call around a place calls.
fn callee_in(expr: &Expr, place: Span, found: &mut Option<String>) {
    if let ExprKind::Call { func, args } = &expr.kind
        && args.iter().any(|arg| holds(arg.value().span, place))
    {
        *found = match &func.kind {
            ExprKind::Name(name) => Some(name.clone()),
            _ => None,
        };
    }
    expr.each_child(&mut |child| {
        if holds(child.span, place) {
            callee_in(child, place, found);
        }
    });
}

/// What a call gives a parameter.
fn passed<'m>(callee: &FunctionDef, name: &str, args: &'m [Argument]) -> Option<&'m Expr> {
    let index = callee.params.iter().position(|param| param.name.text == name)?;
    let named = args.iter().find_map(|arg| match arg {
        Argument::Keyword(keyword, value) if keyword.text == name => Some(value),
        _ => None,
    });
    let positional = args.get(index).and_then(|arg| match arg {
        Argument::Positional(value) => Some(value),
        _ => None,
    });
    named.or(positional)
}

/// The smallest expression around a place, and the function that it stands in.
fn expression(module: &Module, place: Span) -> Option<(&FunctionDef, &Expr)> {
    let body = &module.imports.parts.get(module.file.part_index(place.start))?.body;
    let function = function_at(body, place)?;
    let mut found = None;
    function.body.iter().filter(|stmt| holds(stmt.span, place)).for_each(|stmt| {
        stmt.each_expression(&mut |expr| {
            if holds(expr.span, place) {
                found = Some(smallest(expr, place));
            }
        });
    });
    found.map(|expr| (function, expr))
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The smallest expression around a place. The operands of a product have to go together: one of them stands for the whole. What is
/// wrong with an index is so for what it indexes.
fn smallest(expr: &Expr, place: Span) -> &Expr {
    let mut at = expr;
    loop {
        if let ExprKind::Call { func, .. } = &at.kind
            && let ExprKind::Attribute { name, .. } = &func.kind
            && matches!(name.text.as_str(), "dot" | "dot_scaled")
        {
            return at;
        }
        let mut inner = None;
        at.each_child(&mut |child| {
            if holds(child.span, place) {
                inner = Some(child);
            }
        });
        let is_index = |child: &Expr| match &at.kind {
            ExprKind::Subscript { index, .. } => child.span == place && index.span == place,
            _ => false,
        };
        match inner.filter(|child| !is_index(child)) {
            Some(child) => at = child,
            None => return at,
        }
    }
}

/// The innermost function around a place.
fn function_at(body: &[Stmt], place: Span) -> Option<&FunctionDef> {
    let stmt = body.iter().find(|stmt| holds(stmt.span, place))?;
    match &stmt.kind {
        StmtKind::FunctionDef(function) => Some(function_at(&function.body, place).unwrap_or(function)),
        StmtKind::ClassDef(class) => function_at(&class.body, place),
        kind => crate::statements::blocks(kind).into_iter().find_map(|block| function_at(block, place)),
    }
}

/// A walk from expressions back to the parameters of their function.
struct Slice<'m> {
    module: &'m Module,
    function: &'m FunctionDef,
    question: Question,
    assigned: Vec<(&'m str, &'m Expr)>,
    seen: HashSet<&'m str>,
    addresses: HashSet<String>,
    params: BTreeSet<String>,
    divides: bool,
}

impl<'m> Slice<'m> {
    fn of(module: &'m Module, function: &'m FunctionDef, question: Question) -> Self {
        let mut assigned = Vec::new();
        assignments(&function.body, &mut assigned);
        let (seen, addresses, params) = (HashSet::new(), HashSet::new(), BTreeSet::new());
        Self { module, function, question, assigned, seen, addresses, params, divides: false }
    }

    /// Where an error is: what stands there need not have a type, so its parts are looked at.
    fn outermost(&mut self, expr: &'m Expr) {
        match &expr.kind {
            ExprKind::Compare { .. } | ExprKind::BoolOp { .. } | ExprKind::Unary { .. } => {
                expr.each_child(&mut |child| self.expr(child));
            }
            _ => self.expr(expr),
        }
    }

    fn expr(&mut self, expr: &'m Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name),
            ExprKind::Binary { op, left, right } => {
                let divides = matches!(op, BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod | BinaryOp::Shr);
                self.divides |= divides && self.is_constant(left) && self.is_constant(right);
                expr.each_child(&mut |child| self.expr(child));
            }
            ExprKind::Compare { .. } | ExprKind::BoolOp { .. } if self.question == Question::Types => {}
            ExprKind::Subscript { value, .. } | ExprKind::Attribute { value, .. }
                if self.question == Question::Types =>
            {
                self.expr(value);
            }
            ExprKind::IfElse { body, orelse, .. } if self.question == Question::Types => {
                [body, orelse].into_iter().for_each(|part| self.expr(part));
            }
            ExprKind::Call { func, args } => self.call(func, args),
            _ => expr.each_child(&mut |child| self.expr(child)),
        }
    }

    fn name(&mut self, name: &'m str) {
        if !self.seen.insert(name) {
            return;
        }
        if self.function.params.iter().any(|param| param.name.text == name) {
            self.params.insert(name.to_string());
        }
        let sources: Vec<&'m Expr> =
            self.assigned.iter().filter(|(target, _)| *target == name).map(|(_, value)| *value).collect();
        sources.into_iter().for_each(|value| self.expr(value));
    }

    fn call(&mut self, func: &'m Expr, args: &'m [Argument]) {
        let last = match &func.kind {
            ExprKind::Attribute { name, .. } => name.text.as_str(),
            ExprKind::Name(name) => name.as_str(),
            _ => "",
        };
        let said = match (self.question, last) {
            (Question::Sizes, _) => None,
            (_, "program_id" | "num_programs" | "arange" | "range" | "static_range") => Some(Vec::new()),
            (_, "zeros") => Some(argument(args, 1, "dtype")),
            (_, "full") => Some(argument(args, 2, "dtype")),
            (_, "cast") => Some(argument(args, 1, "dtype")),
            (_, "to") => Some(argument(args, 0, "dtype")),
            (_, "load") if !args.is_empty() => {
                argument(args, 0, "pointer").into_iter().for_each(|address| self.address(address));
                Some(Vec::new())
            }
            (_, "where") => Some([argument(args, 1, "x"), argument(args, 2, "y")].concat()),
            _ => None,
        };
        match said {
            Some(said) => said.into_iter().for_each(|expr| self.expr(expr)),
            // Names of modules are no variables and lead nowhere.
            None => {
                self.expr(func);
                args.iter().for_each(|arg| self.expr(arg.value()));
            }
        }
    }

    /// What is loaded hangs on the pointer, and not on the offsets that are added to it.
    fn address(&mut self, expr: &'m Expr) {
        let mut names = HashSet::new();
        bases(expr, &mut names);
        for name in names {
            if !self.addresses.insert(name.clone()) {
                continue;
            }
            if self.function.params.iter().any(|param| param.name.text == name) {
                self.params.insert(name.clone());
            }
            let sources: Vec<&'m Expr> =
                self.assigned.iter().filter(|(target, _)| *target == name).map(|(_, value)| *value).collect();
            sources.into_iter().for_each(|value| self.address(value));
        }
    }

    /// Whether an expression is made of constants of the compilation alone.
    fn is_constant(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => true,
            ExprKind::Name(name) => match self.function.params.iter().find(|param| param.name.text == *name) {
                Some(param) => self.module.is_constexpr_param(param),
                None => self.assigned.iter().all(|(target, _)| target != name),
            },
            ExprKind::Binary { left, right, .. } => self.is_constant(left) && self.is_constant(right),
            _ => false,
        }
    }
}

/// An argument by its place or its name.
fn argument<'m>(args: &'m [Argument], index: usize, name: &str) -> Vec<&'m Expr> {
    let named = args.iter().find(|arg| matches!(arg, Argument::Keyword(keyword, _) if keyword.text == name));
    let positional = args.get(index).filter(|arg| matches!(arg, Argument::Positional(_)));
    named.or(positional).map(Argument::value).into_iter().collect()
}

/// The names that statements assign.
pub(crate) fn assigned_in(body: &[Stmt]) -> Vec<&str> {
    let mut found = Vec::new();
    assignments(body, &mut found);
    found.into_iter().map(|(name, _)| name).collect()
}

/// Every name that statements assign, with what it is assigned from.
fn assignments<'m>(body: &'m [Stmt], out: &mut Vec<(&'m str, &'m Expr)>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => targets.iter().for_each(|target| assign(target, value, out)),
            StmtKind::AugAssign { target, value, .. } | StmtKind::AnnAssign { target, value: Some(value), .. } => {
                assign(target, value, out);
            }
            StmtKind::For { target, iter, .. } => assign(target, iter, out),
            _ => {}
        }
        crate::statements::blocks(&stmt.kind).into_iter().for_each(|block| assignments(block, out));
    }
}

fn assign<'m>(target: &'m Expr, value: &'m Expr, out: &mut Vec<(&'m str, &'m Expr)>) {
    match (&target.kind, &value.kind) {
        (ExprKind::Name(name), _) => out.push((name, value)),
        (ExprKind::Tuple(targets), ExprKind::Tuple(values)) if targets.len() == values.len() => {
            targets.iter().zip(values).for_each(|(target, value)| assign(target, value, out));
        }
        (ExprKind::Tuple(targets) | ExprKind::List(targets), _) => {
            targets.iter().for_each(|target| assign(target, value, out));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tk_diag::SourceFile;

    const TEXT: &str = "\
@triton.jit
def scaled(v, factor, HALF: tl.constexpr):
    w = v * factor
    return tl.reshape(w, (HALF // 2, 2))

@triton.jit
def k(x_ptr, s_ptr, n, BLOCK: tl.constexpr, G: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    a = tl.load(x_ptr + i, mask=m)
    b = a.to(tl.float32)
    c = scaled(b, tl.load(s_ptr), BLOCK)
    tl.store(x_ptr + i, a & tl.arange(0, BLOCK // G), mask=m)
";

    fn asked(calls: &[&str], place: &str, question: Question) -> (Vec<String>, bool) {
        let module = tk_grammar::parse(&SourceFile::new("test.py", TEXT)).expect("it parses");
        let span = |text: &str| {
            let start = TEXT.find(text).expect("it is there") as u32;
            Span { start, end: start + text.len() as u32 }
        };
        let calls: Vec<Span> = calls.iter().map(|call| span(call)).collect();
        let Behind { params, divides } = behind(&module, &calls, &[span(place)], question);
        (params.into_iter().collect(), divides)
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn types_come_from_what_is_loaded_and_not_from_where() {
        assert_eq!(asked(&[], "a & tl.arange", Question::Types), (names(&["x_ptr"]), false));
        assert_eq!(asked(&[], "a.to(tl.float32)", Question::Types), (names(&[]), false));
        assert_eq!(asked(&[], "i < n", Question::Types).0, names(&["BLOCK", "n"]));
        assert_eq!(asked(&[], "tl.arange(0, BLOCK // G)", Question::Types).0, names(&[]));
    }

    #[test]
    fn calls_lead_to_the_parameters_of_the_kernel() {
        let call = "scaled(b, tl.load(s_ptr), BLOCK)";
        assert_eq!(asked(&[call], "v * factor", Question::Types), (names(&["s_ptr"]), false));
        assert_eq!(asked(&[call], "(HALF // 2, 2)", Question::Sizes), (names(&["BLOCK"]), true));
        assert_eq!(asked(&[], "tl.arange(0, BLOCK // G)", Question::Sizes), (names(&["BLOCK", "G"]), true));
    }
}
