//! The blocks of tensor descriptors that the host makes, as the host code of the file spells them.
//!
//! Two spellings say which parameter they are for: `nargs['a_desc'].block_shape = [nargs['BLOCK_M'], 64]` of a hook, and
//! `a_desc = TensorDescriptor.from_tensor(a, [BLOCK_M, 64])`. Where there is neither, blocks are as wide in
//! every dimension as some constexpr of the kernel says.

use crate::walk::DescriptorUse;
use std::collections::HashMap;
use tk_grammar::ast::{BinaryOp, Expr, ExprKind, Module, Stmt, StmtKind};
use tk_types::{ConstValue, NamedConstant};

/// Elements along a dimension that nothing is known of.
const USUAL: u32 = 64;

/// The dimensions of blocks, by the names of parameters. What a hook sets replaces what a descriptor was made with.
#[derive(Default)]
pub(crate) struct Blocks<'m> {
    of_hooks: HashMap<&'m str, &'m [Expr]>,
    of_descriptors: HashMap<&'m str, &'m [Expr]>,
}

impl<'m> Blocks<'m> {
    /// Those in the functions of a file.
    pub(crate) fn of(module: &'m Module) -> Self {
        let mut blocks = Self::default();
        for function in module.functions().filter(|function| !function.is_jit()) {
            blocks.stmts(&function.body);
        }
        blocks
    }

    fn stmts(&mut self, body: &'m [Stmt]) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Assign { targets, value } => targets.iter().for_each(|target| self.assign(target, value)),
                StmtKind::If { body, orelse, .. }
                | StmtKind::For { body, orelse, .. }
                | StmtKind::While { body, orelse, .. } => [body, orelse].into_iter().for_each(|body| self.stmts(body)),
                StmtKind::With { body, .. } => self.stmts(body),
                _ => {}
            }
        }
    }

    fn assign(&mut self, target: &'m Expr, value: &'m Expr) {
        match (&target.kind, &value.kind) {
            (ExprKind::Attribute { value: of, name }, ExprKind::List(dims) | ExprKind::Tuple(dims))
                if name.text == "block_shape" =>
            {
                if let Some(name) = name_of(of) {
                    self.of_hooks.insert(name, dims);
                }
            }
            (ExprKind::Name(name), ExprKind::Call { func, args })
                if func.dotted_name().is_some_and(|name| name.contains("TensorDescriptor")) =>
            {
                if let Some(ExprKind::List(dims)) = args.last().map(|arg| &arg.value().kind) {
                    self.of_descriptors.insert(name, dims);
                }
            }
            _ => {}
        }
    }

    /// The block of a descriptor that a parameter is given with these constexprs.
    /// `shape` is that of another block of the kernel, which may be its own.
    pub(crate) fn block(
        &self,
        param: &str,
        used: DescriptorUse,
        constexprs: &[NamedConstant],
        shape: Option<&[Expr]>,
    ) -> Vec<u32> {
        let rank = used.rank;
        if let Some(shape) = shape.filter(|shape| shape.len() == rank) {
            let dims: Option<Vec<u32>> = shape.iter().map(|dim| value_of(dim, constexprs)).collect();
            if let Some(dims) = dims {
                return dims;
            }
        }
        let some_block = constexprs.iter().find_map(|NamedConstant { name, value }| match value {
            ConstValue::Int(value) if name.to_uppercase().contains("BLOCK") => u32::try_from(*value).ok(),
            _ => None,
        });
        let unknown = some_block.unwrap_or(USUAL);
        match self.of_hooks.get(param).or_else(|| self.of_descriptors.get(param)) {
            Some(dims) if dims.len() == rank => {
                dims.iter().map(|dim| value_of(dim, constexprs).unwrap_or(unknown)).collect()
            }
            // A batch comes first, one at a time; so does a row that is found by its number.
            _ => {
                let ones = if used.rows { 1 } else { rank.saturating_sub(2) };
                (0..rank).map(|at| if at < ones { 1 } else { unknown }).collect()
            }
        }
    }
}

/// `x` and `nargs['x']`.
fn name_of(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Subscript { index, .. } => match &index.kind {
            ExprKind::Str(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

fn value_of(dim: &Expr, constexprs: &[NamedConstant]) -> Option<u32> {
    match &dim.kind {
        ExprKind::Int(value) => u32::try_from(*value).ok(),
        ExprKind::Binary { op: BinaryOp::FloorDiv, left, right } => {
            value_of(left, constexprs)?.checked_div(value_of(right, constexprs)?)
        }
        ExprKind::Binary { op: BinaryOp::Mul, left, right } => {
            value_of(left, constexprs)?.checked_mul(value_of(right, constexprs)?)
        }
        _ => {
            let name = name_of(dim)?;
            match constexprs.iter().find(|known| known.name == name)?.value {
                ConstValue::Int(value) => u32::try_from(value).ok(),
                _ => None,
            }
        }
    }
    .filter(|elements| *elements > 0)
}
