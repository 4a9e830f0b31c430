//! Classes of the file and their instances, as data. What they do is in [`crate::record`].

use super::Val;
use std::rc::Rc;
use tk_grammar::ast::{ClassDef, Expr, ExprKind, FunctionDef, Module, StmtKind};

/// What instances of a class are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordKind {
    /// `NamedTuple`, `namedtuple`: also a tuple.
    Tuple,
    /// `@triton.aggregate`, `@dataclass`.
    Aggregate,
    /// A name for constants and functions, such as an `Enum`; it has no instances here.
    Namespace,
}

/// One field of a record.
#[derive(Clone, Debug)]
pub(crate) struct Field<'a> {
    pub(crate) name: Rc<str>,
    pub(crate) default: Option<&'a Expr>,
    pub(crate) constexpr: bool,
}

/// A class of the file, or what `namedtuple(…)` makes.
#[derive(Debug)]
pub(crate) struct RecordClass<'a> {
    pub(crate) name: Rc<str>,
    pub(crate) kind: RecordKind,
    pub(crate) fields: Vec<Field<'a>>,
    pub(crate) body: Option<&'a ClassDef>,
}

/// An instance.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    pub(crate) class: Rc<RecordClass<'a>>,
    pub(crate) parts: Rc<[Val<'a>]>,
}

impl<'a> RecordClass<'a> {
    /// Whether both are the same class; classes are evaluated where they are used, so they are compared by content.
    pub(crate) fn same(&self, other: &RecordClass<'a>) -> bool {
        let bodies = match (self.body, other.body) {
            (Some(a), Some(b)) => std::ptr::eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let names = self.fields.iter().map(|f| &f.name).eq(other.fields.iter().map(|f| &f.name));
        bodies && names && self.name == other.name
    }

    /// A class statement of the file.
    pub(crate) fn of(class: &'a ClassDef, module: &Module) -> Self {
        let ends = |expr: &Expr, words: &[&str]| {
            let callee = match &expr.kind {
                ExprKind::Call { func, .. } => func,
                _ => expr,
            };
            callee.dotted_name().is_some_and(|name| words.contains(&name.rsplit('.').next().unwrap_or("")))
        };
        let kind = if class.bases.iter().any(|base| ends(base, &["NamedTuple"])) {
            RecordKind::Tuple
        } else if class.decorators.iter().any(|d| ends(d, &["aggregate", "_aggregate", "dataclass"])) {
            RecordKind::Aggregate
        } else {
            RecordKind::Namespace
        };
        let field = |stmt: &'a tk_grammar::ast::Stmt| match &stmt.kind {
            StmtKind::AnnAssign { target, annotation, value } => match &target.kind {
                ExprKind::Name(name) => Some(Field {
                    name: Rc::from(name.as_str()),
                    default: value.as_ref(),
                    constexpr: module.is_constexpr(annotation),
                }),
                _ => None,
            },
            _ => None,
        };
        let fields =
            if kind == RecordKind::Namespace { Vec::new() } else { class.body.iter().filter_map(field).collect() };
        Self { name: Rc::from(class.name.text.as_str()), kind, fields, body: Some(class) }
    }

    /// `namedtuple(name, fields)`.
    pub(crate) fn named_tuple(name: Rc<str>, fields: Vec<Rc<str>>) -> Self {
        let field = |name| Field { name, default: None, constexpr: false };
        Self { name, kind: RecordKind::Tuple, fields: fields.into_iter().map(field).collect(), body: None }
    }

    pub(crate) fn method(&self, name: &str) -> Option<&'a FunctionDef> {
        self.body?.body.iter().find_map(|stmt| match &stmt.kind {
            StmtKind::FunctionDef(function) if function.name.text == name => Some(function),
            _ => None,
        })
    }

    /// `NAME = value` in the class.
    pub(crate) fn constant(&self, name: &str) -> Option<&'a Expr> {
        self.body?.body.iter().rev().find_map(|stmt| match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                targets.iter().any(|t| matches!(&t.kind, ExprKind::Name(n) if n == name)).then_some(value)
            }
            StmtKind::AnnAssign { target, value: Some(value), .. } => {
                matches!(&target.kind, ExprKind::Name(n) if n == name).then_some(value)
            }
            _ => None,
        })
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|field| &*field.name)
    }
}

impl<'a> Record<'a> {
    /// A record of the same class with other parts.
    pub(crate) fn with_parts(&self, parts: Rc<[Val<'a>]>) -> Val<'a> {
        Val::Record(Rc::new(Record { class: self.class.clone(), parts }))
    }

    /// Whether the class says that a field is a compile-time constant.
    pub(crate) fn keeps_constant(&self, index: usize) -> bool {
        self.class.fields.get(index).is_some_and(|field| field.constexpr)
    }
}
