//! The syntax tree of a `.tk` file: the part of Python that kernels and host functions use, with a span on every node.
//!
//! The tree says what was written, not what it means: decorators, annotations and calls stay as expressions.
//! A jit function and a host function have the same shape here; `tk-check` reads the former, `tk-host` the latter.

#![allow(missing_docs, reason = "the sentence above a variant names its fields")]

use crate::environment::Role;
use crate::imports::{Imports, Part};
use std::sync::Arc;
use tk_diag::{SourceFile, Span};

/// A whole file, and the files that it imports; cheap to clone.
#[derive(Clone, Debug)]
pub struct Module {
    /// Where it came from: one part of the text for each file.
    pub file: SourceFile,
    /// Top-level statements in order.
    pub body: Arc<[Stmt]>,
    /// The files that were read for its imports, itself first, and where imports lead. One part where none was read.
    pub imports: Arc<Imports>,
    /// Which of the parts it is.
    part: usize,
}

impl Module {
    /// A file without what it imports.
    pub(crate) fn alone(file: SourceFile, body: Vec<Stmt>) -> Self {
        let body: Arc<[Stmt]> = body.into();
        let imports = Imports::new(vec![Part::of(body.clone())]);
        Self { file, body, imports: Arc::new(imports), part: 0 }
    }

    /// The first of several texts that belong together: `file` has one part for each of `imports.parts`.
    pub fn linked(file: SourceFile, imports: Imports) -> Self {
        let body = imports.parts.first().map_or_else(|| Arc::from([]), |part| part.body.clone());
        Self { file, body, imports: Arc::new(imports), part: 0 }
    }

    /// The file with what was read for its imports: `file` has one part of text for each of `imports.parts`.
    pub fn with_imports(&self, file: SourceFile, imports: Imports) -> Self {
        Self { file, body: self.body.clone(), imports: Arc::new(imports), part: self.part }
    }

    /// The number of its part.
    pub fn part(&self) -> usize {
        self.part
    }

    /// The module of another part; itself for a number that no part has.
    pub fn at_part(&self, part: usize) -> Self {
        match self.imports.parts.get(part) {
            Some(found) => {
                Self { file: self.file.clone(), body: found.body.clone(), imports: self.imports.clone(), part }
            }
            None => self.clone(),
        }
    }
}

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// The whole statement.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Python that tk does not run (`yield`, `await`, `match`): the error where it is reached. Files that have it elsewhere are fine.
    Unsupported(Box<tk_diag::Diagnostic>),
    /// `def name(...): ...` with its decorators.
    FunctionDef(FunctionDef),
    /// `class Name(...): ...`.
    ClassDef(ClassDef),
    /// `return value`.
    Return(Option<Expr>),
    /// `a = b = value`: one or more targets.
    Assign { targets: Vec<Expr>, value: Expr },
    /// `target op= value`.
    AugAssign { target: Expr, op: BinaryOp, value: Expr },
    /// `target: annotation [= value]`.
    AnnAssign { target: Expr, annotation: Expr, value: Option<Expr> },
    /// `for target in iter: ... else: ...`.
    For { target: Expr, iter: Expr, body: Vec<Stmt>, orelse: Vec<Stmt> },
    /// `while test: ... else: ...`.
    While { test: Expr, body: Vec<Stmt>, orelse: Vec<Stmt> },
    /// `if test: ... else: ...`; `elif` is an `If` alone in `orelse`.
    If { test: Expr, body: Vec<Stmt>, orelse: Vec<Stmt> },
    /// `with items: ...`.
    With { items: Vec<WithItem>, body: Vec<Stmt> },
    /// `assert test, message`.
    Assert { test: Expr, message: Option<Expr> },
    /// `import a.b as c, d`.
    Import(Vec<ImportAlias>),
    /// `from module import a as b`; `module` keeps its leading dots.
    ImportFrom { module: String, names: Vec<ImportAlias> },
    /// `try: ... except ...: ... else: ... finally: ...`.
    Try { body: Vec<Stmt>, handlers: Vec<ExceptHandler>, orelse: Vec<Stmt>, finally: Vec<Stmt> },
    /// `raise value`.
    Raise(Option<Expr>),
    /// `global a, b`.
    Global(Vec<Ident>),
    /// `nonlocal a, b`.
    Nonlocal(Vec<Ident>),
    /// `del a, b`.
    Delete(Vec<Expr>),
    /// An expression alone; a string alone is a docstring or a comment.
    Expr(Expr),
    /// `pass`.
    Pass,
    /// `break`.
    Break,
    /// `continue`.
    Continue,
}

impl StmtKind {
    /// The statements inside of this one, but for those of a function or a class, which are not run with it.
    pub fn blocks(&self) -> Vec<&[Stmt]> {
        match self {
            Self::For { body, orelse, .. } | Self::While { body, orelse, .. } | Self::If { body, orelse, .. } => {
                vec![body, orelse]
            }
            Self::With { body, .. } => vec![body],
            Self::Try { body, handlers, orelse, finally } => {
                let handlers = handlers.iter().map(|handler| handler.body.as_slice());
                [body.as_slice()].into_iter().chain(handlers).chain([orelse.as_slice(), finally.as_slice()]).collect()
            }
            Self::Unsupported(_)
            | Self::FunctionDef(_)
            | Self::ClassDef(_)
            | Self::Return(_)
            | Self::Assign { .. }
            | Self::AugAssign { .. }
            | Self::AnnAssign { .. }
            | Self::Assert { .. }
            | Self::Import(_)
            | Self::ImportFrom { .. }
            | Self::Raise(_)
            | Self::Global(_)
            | Self::Nonlocal(_)
            | Self::Delete(_)
            | Self::Expr(_)
            | Self::Pass
            | Self::Break
            | Self::Continue => Vec::new(),
        }
    }

    /// The same as [`Self::blocks`], to be changed.
    pub(crate) fn blocks_mut(&mut self) -> Vec<&mut [Stmt]> {
        match self {
            Self::For { body, orelse, .. } | Self::While { body, orelse, .. } | Self::If { body, orelse, .. } => {
                vec![body.as_mut_slice(), orelse.as_mut_slice()]
            }
            Self::With { body, .. } => vec![body.as_mut_slice()],
            Self::Try { body, handlers, orelse, finally } => {
                let handlers = handlers.iter_mut().map(|handler| handler.body.as_mut_slice());
                let ends = [orelse.as_mut_slice(), finally.as_mut_slice()];
                [body.as_mut_slice()].into_iter().chain(handlers).chain(ends).collect()
            }
            Self::Unsupported(_)
            | Self::FunctionDef(_)
            | Self::ClassDef(_)
            | Self::Return(_)
            | Self::Assign { .. }
            | Self::AugAssign { .. }
            | Self::AnnAssign { .. }
            | Self::Assert { .. }
            | Self::Import(_)
            | Self::ImportFrom { .. }
            | Self::Raise(_)
            | Self::Global(_)
            | Self::Nonlocal(_)
            | Self::Delete(_)
            | Self::Expr(_)
            | Self::Pass
            | Self::Break
            | Self::Continue => Vec::new(),
        }
    }
}

/// One `expr as target` of a `with`.
#[derive(Clone, Debug)]
pub struct WithItem {
    /// The context manager.
    pub context: Expr,
    /// What it is bound to.
    pub target: Option<Expr>,
}

/// One imported name: `a.b as c`.
#[derive(Clone, Debug)]
pub struct ImportAlias {
    /// The dotted name; `*` for a star import.
    pub name: String,
    /// The name it is bound to, if given.
    pub alias: Option<Ident>,
    /// The whole alias.
    pub span: Span,
}

/// One `except` clause.
#[derive(Clone, Debug)]
pub struct ExceptHandler {
    /// The exception type.
    pub ty: Option<Expr>,
    /// The name it is bound to.
    pub name: Option<Ident>,
    /// Its body.
    pub body: Vec<Stmt>,
}

/// A function definition.
#[derive(Clone, Debug)]
pub struct FunctionDef {
    /// Its name.
    pub name: Ident,
    /// Decorators in order, outermost first, without the `@`.
    pub decorators: Vec<Expr>,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// The annotation after `->`.
    pub returns: Option<Expr>,
    /// Statements.
    pub body: Vec<Stmt>,
    /// From `def` to the end of the body.
    pub span: Span,
    /// What the program that it belongs to does with it; nothing where the decorators say it.
    pub role: Option<Role>,
    /// Its name in the file where its own alone means another function, or several.
    pub(crate) qualified: Option<Box<str>>,
}

impl FunctionDef {
    /// The shortest name that means this function among those of its file ([`crate::functions::choose`]): its own, else `make.kernel` with the
    /// names of what it stands in, else the same with its line, `make.kernel:12`.
    pub fn known_as(&self) -> &str {
        self.qualified.as_deref().unwrap_or(&self.name.text)
    }

    /// Whether a decorator ends in `jit` (`@triton.jit`, `@jit`, `@triton.jit(...)`), which makes it device code.
    pub fn is_jit(&self) -> bool {
        if let Some(role) = self.role {
            return matches!(role, Role::Jit | Role::NoInline);
        }
        self.decorators.iter().any(makes_kernels)
    }

    /// Whether this is an operation that another compiler adds to the language: a decorator says so (`@core.extern`, `@builtin`), or it makes IR
    /// by a parameter that the code generator passes. One that only hands the parameter on is Python that calls operations.
    pub fn is_operation(&self) -> bool {
        self.role.is_none()
            && !self.is_jit()
            && (self.makes_ir()
                || self
                    .decorators
                    .iter()
                    .filter_map(|decorator| decorator.dotted_name())
                    .any(|name| matches!(name.rsplit('.').next(), Some("builtin" | "extern"))))
    }

    /// Whether it has a parameter that Triton's code generator passes to operations.
    pub fn has_hook(&self) -> bool {
        self.params.iter().any(|param| HOOKS.contains(&param.name.text.as_str()))
    }

    /// It has a parameter of the code generator's, and asks that for something.
    fn makes_ir(&self) -> bool {
        let is_hook = |name: &str| HOOKS.contains(&name);
        if !self.has_hook() {
            return false;
        }
        let mut pending = Vec::new();
        self.body.iter().for_each(|stmt| stmt.each_expression(&mut |expression| pending.push(expression)));
        while let Some(expression) = pending.pop() {
            if let ExprKind::Attribute { value, .. } = &expression.kind
                && matches!(&value.kind, ExprKind::Name(name) if is_hook(name.as_str()))
            {
                return true;
            }
            expression.each_child(&mut |child| pending.push(child));
        }
        false
    }

    /// Whether a decorator says `noinline=True`.
    pub fn is_noinline(&self) -> bool {
        if let Some(role) = self.role {
            return role == Role::NoInline;
        }
        self.decorators.iter().any(|decorator| match &decorator.kind {
            ExprKind::Call { args, .. } => args.iter().any(|arg| {
                matches!(arg, Argument::Keyword(name, value) if name.text == "noinline" && matches!(value.kind, ExprKind::Bool(true)))
            }),
            _ => false,
        })
    }
}

/// What Triton's code generator passes to operations, under this name or an older one.
const HOOKS: [&str; 3] = ["_semantic", "_builder", "_generator"];

/// Whether a decorator ends in `jit`.
pub(crate) fn makes_kernels(decorator: &Expr) -> bool {
    let callee = match &decorator.kind {
        ExprKind::Call { func, .. } => func,
        _ => decorator,
    };
    callee.dotted_name().is_some_and(|name| name == "jit" || name.ends_with(".jit"))
}

/// One parameter of a function.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// How arguments reach it.
    pub kind: ParamKind,
    /// The annotation after `:`.
    pub annotation: Option<Expr>,
    /// The default value.
    pub default: Option<Expr>,
}

/// How arguments reach a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// By position or name.
    Normal,
    /// By position only (before `/`).
    PositionalOnly,
    /// By name only (after `*`).
    KeywordOnly,
    /// `*args`.
    VarArgs,
    /// `**kwargs`.
    KeywordArgs,
}

/// A class definition.
#[derive(Clone, Debug)]
pub struct ClassDef {
    /// Its name.
    pub name: Ident,
    /// Decorators in order.
    pub decorators: Vec<Expr>,
    /// Base classes.
    pub bases: Vec<Expr>,
    /// Keyword arguments after the base classes, such as `metaclass=M`.
    pub keywords: Vec<(Ident, Expr)>,
    /// Statements.
    pub body: Vec<Stmt>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name.
    Name(String),
    /// An integer of at most 128 bits.
    Int(i128),
    /// A float.
    Float(f64),
    /// A string, adjacent literals joined, escapes resolved.
    Str(String),
    /// A bytes literal.
    Bytes(Vec<u8>),
    /// `True`, `False`.
    Bool(bool),
    /// `None`.
    None,
    /// `...`.
    Ellipsis,
    /// An f-string.
    FString(Vec<FStringPart>),
    /// `(a, b)`, or `a, b` where Python allows it.
    Tuple(Vec<Expr>),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `{a, b}`.
    Set(Vec<Expr>),
    /// `{k: v, **rest}`; a `None` key is `**rest`.
    Dict(Vec<(Option<Expr>, Expr)>),
    /// `-x`, `not x`, …
    Unary { op: UnaryOp, operand: Box<Expr> },
    /// `a + b`, …
    Binary { op: BinaryOp, left: Box<Expr>, right: Box<Expr> },
    /// `a and b and c`, `a or b`.
    BoolOp { op: BoolOp, values: Vec<Expr> },
    /// `a < b <= c`: one operator before each further operand.
    Compare { left: Box<Expr>, rest: Vec<(CompareOp, Expr)> },
    /// `body if test else orelse`.
    IfElse { test: Box<Expr>, body: Box<Expr>, orelse: Box<Expr> },
    /// `func(args, name=value, *args, **kwargs)`.
    Call { func: Box<Expr>, args: Vec<Argument> },
    /// `value.name`.
    Attribute { value: Box<Expr>, name: Ident },
    /// `value[index]`; several indices are a tuple.
    Subscript { value: Box<Expr>, index: Box<Expr> },
    /// `lower:upper:step` inside a subscript.
    Slice { lower: Option<Box<Expr>>, upper: Option<Box<Expr>>, step: Option<Box<Expr>> },
    /// `lambda params: body`.
    Lambda { params: Vec<Param>, body: Box<Expr> },
    /// `*value` in a call, a tuple or an assignment target.
    Starred(Box<Expr>),
    /// `name := value`.
    Walrus { name: Ident, value: Box<Expr> },
    /// `[element for … in … if …]`.
    ListComp { element: Box<Expr>, clauses: Vec<Comprehension> },
    /// `(element for … in … if …)`.
    GeneratorExp { element: Box<Expr>, clauses: Vec<Comprehension> },
    /// `{key: value for …}`.
    DictComp { key: Box<Expr>, value: Box<Expr>, clauses: Vec<Comprehension> },
    /// `{element for … in … if …}`.
    SetComp { element: Box<Expr>, clauses: Vec<Comprehension> },
}

impl Expr {
    /// `a.b.c` for a chain of names, else nothing.
    pub fn dotted_name(&self) -> Option<String> {
        match &self.kind {
            ExprKind::Name(name) => Some(name.clone()),
            ExprKind::Attribute { value, name } => Some(format!("{}.{}", value.dotted_name()?, name.text)),
            _ => None,
        }
    }
}

/// One argument of a call.
#[derive(Clone, Debug)]
pub enum Argument {
    /// By position.
    Positional(Expr),
    /// `name=value`.
    Keyword(Ident, Expr),
    /// `*value`.
    Star(Expr),
    /// `**value`.
    DoubleStar(Expr),
}

/// One `for target in iter if …` of a comprehension.
#[derive(Clone, Debug)]
pub struct Comprehension {
    /// What each element is bound to.
    pub target: Expr,
    /// What is iterated.
    pub iter: Expr,
    /// Conditions.
    pub conditions: Vec<Expr>,
}

/// A piece of an f-string.
#[derive(Clone, Debug)]
pub enum FStringPart {
    /// Literal text.
    Text(String),
    /// `{value!conversion:format}`; `{value=}` has its text before it as a `Text`.
    Value { value: Expr, conversion: Option<char>, format: Option<String> },
    /// `{value!conversion:format}` whose format has replacement fields of its own, as in `{x:{width}.3f}`.
    Formatted { value: Expr, conversion: Option<char>, format: Vec<FStringPart> },
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum UnaryOp {
    Neg,
    Pos,
    Invert,
    Not,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
    MatMul,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
}

impl BinaryOp {
    /// The operator as written: `+`, `//`, ….
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::FloorDiv => "//",
            Self::Mod => "%",
            Self::Pow => "**",
            Self::MatMul => "@",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
        }
    }
}

/// `and`, `or`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum BoolOp {
    And,
    Or,
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum CompareOp {
    Eq,
    NotEq,
    Lt,
    LtEq,
    Gt,
    GtEq,
    Is,
    IsNot,
    In,
    NotIn,
}
