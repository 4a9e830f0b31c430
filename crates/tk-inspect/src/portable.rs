//! What tk takes and Triton refuses: for kernels that have to run under both.

use std::collections::HashMap;
use tk_diag::{Diagnostic, NOT_PORTABLE, Span};
use tk_grammar::ast::{Argument, BinaryOp, Expr, ExprKind, FunctionDef, Module, UnaryOp};
use tk_grammar::bindings::{Bound, each_binding};
use tk_types::ConstValue;

/// What Triton would refuse in one jit function: `sizes` are what its constexprs are, as far as a launch says.
pub(crate) fn refused(module: &Module, function: &FunctionDef, sizes: &[tk_types::Argument]) -> Vec<Diagnostic> {
    let mut walk = Walk { module, globals: plain_globals(module), own: own_names(function), sizes, found: Vec::new() };
    function.body.iter().for_each(|stmt| stmt.each_expression(&mut |expr| walk.expr(expr)));
    walk.found
}

struct Walk<'m> {
    module: &'m Module,
    /// Names of the file that are bound to numbers, strings and tuples, and no `tl.constexpr`.
    globals: HashMap<&'m str, Span>,
    own: Vec<&'m str>,
    sizes: &'m [tk_types::Argument],
    found: Vec<Diagnostic>,
}

impl<'m> Walk<'m> {
    fn expr(&mut self, expr: &'m Expr) {
        match &expr.kind {
            ExprKind::Compare { rest, .. } if rest.len() > 1 => {
                let help = "Write `(a < b) & (b < c)`, or `a < b and b < c` where both are constants.";
                self.tell(expr.span, "Triton does not chain comparisons", "two comparisons in one", help);
            }
            ExprKind::Name(name) if !self.own.contains(&name.as_str()) => {
                if let Some(bound) = self.globals.get(name.as_str()).copied() {
                    let message =
                        format!("Triton reads globals only where they are `tl.constexpr`, and `{name}` is not");
                    let help = format!("Write `{name} = tl.constexpr(…)`, or make it a parameter.");
                    self.tell(expr.span, message, "read here", help);
                    self.found = std::mem::take(&mut self.found)
                        .into_iter()
                        .map(|one| match one.labels.first().map(|label| label.span) == Some(expr.span) {
                            true => one.at(&self.module.file, bound, "bound here"),
                            false => one,
                        })
                        .collect();
                }
            }
            ExprKind::Call { func, args } => self.call(func, args),
            _ => {}
        }
        expr.each_child(&mut |child| self.expr(child));
    }

    /// Blocks whose sizes are no powers of two.
    fn call(&mut self, func: &'m Expr, args: &'m [Argument]) {
        let name = func.dotted_name().unwrap_or_default();
        let last = name.rsplit('.').next().unwrap_or_default();
        let first = args.first().map(Argument::value);
        let dims: Vec<(i128, Span)> = match (last, first.map(|first| &first.kind)) {
            ("arange", _) => {
                let bounds: Vec<Option<i128>> = args.iter().map(|arg| self.size(arg.value())).collect();
                match (bounds.as_slice(), args.last()) {
                    ([Some(start), Some(end)], Some(last)) => vec![(end - start, last.value().span)],
                    _ => Vec::new(),
                }
            }
            ("zeros" | "full" | "ones", Some(ExprKind::Tuple(dims) | ExprKind::List(dims))) => {
                dims.iter().filter_map(|dim| Some((self.size(dim)?, dim.span))).collect()
            }
            _ => Vec::new(),
        };
        for (size, span) in dims.into_iter().filter(|(size, _)| *size > 0 && size & (size - 1) != 0) {
            let message = format!("Triton's blocks have sizes that are powers of two, and {size} is none");
            let next = u128::try_from(size).ok().and_then(u128::checked_next_power_of_two).unwrap_or(0);
            let help = format!("Take {next} and a mask.");
            self.tell(span, message, format!("this is {size}"), help);
        }
    }

    fn tell(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>, help: impl Into<String>) {
        let warning = Diagnostic::warning(NOT_PORTABLE, message);
        self.found.push(warning.at(&self.module.file, span, label).help(help));
    }

    /// An integer that is known when the kernel is compiled.
    fn size(&self, expr: &Expr) -> Option<i128> {
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Name(name) => {
                match self.sizes.iter().find(|arg| arg.name == *name).and_then(|arg| arg.constant()) {
                    Some(ConstValue::Int(value)) => Some(*value),
                    _ => None,
                }
            }
            ExprKind::Unary { op: UnaryOp::Neg, operand } => self.size(operand)?.checked_neg(),
            ExprKind::Binary { op, left, right } => {
                let (left, right) = (self.size(left)?, self.size(right)?);
                match op {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Sub => left.checked_sub(right),
                    BinaryOp::Mul => left.checked_mul(right),
                    BinaryOp::FloorDiv => left.checked_div_euclid(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The parameters and variables of a function.
fn own_names(function: &FunctionDef) -> Vec<&str> {
    let mut names: Vec<&str> = function.params.iter().map(|param| param.name.text.as_str()).collect();
    names.extend(tk_guess::assigned_in(function));
    names
}

/// The names of a file that are bound to numbers, strings and tuples of them, with their places.
fn plain_globals(module: &Module) -> HashMap<&str, Span> {
    let mut found = HashMap::new();
    let mut constexprs = Vec::new();
    tk_guess::annotated(&module.body, &mut |name| constexprs.push(name));
    each_binding(&module.body, &mut |binding| {
        if let Bound::Value(value, None) = binding.bound
            && is_plain(value)
            && !constexprs.contains(&binding.name)
        {
            found.insert(binding.name, value.span);
        }
    });
    found
}

fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Bool(_) => true,
        ExprKind::Unary { operand, .. } => is_plain(operand),
        ExprKind::Binary { left, right, .. } => is_plain(left) && is_plain(right),
        ExprKind::Tuple(items) | ExprKind::List(items) => !items.is_empty() && items.iter().all(is_plain),
        _ => false,
    }
}
