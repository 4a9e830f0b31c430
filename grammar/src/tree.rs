//! What the grammar's actions build: expressions with their height, and the checks that a grammar cannot say.
//!
//! The height is what bounds the tree: a walk over it and its drop are recursive, and must not run out of stack
//! on text made to nest. Left-leaning chains (`a.b.c`, `a + b + c`) count 1 per step, the forms that nest in themselves
//! (`not not x`, `a if b else c if d else e`, `lambda: lambda: x`) count 5.

use crate::ast::*;
use tk_diag::{Diagnostic, NESTING_TOO_DEEP, SYNTAX, SourceFile, Span};

/// The greatest height of an expression.
const MAX_HEIGHT: u32 = 1000;
/// What a form that nests in itself adds to the height, so that 200 of them reach the limit.
const NESTING: u32 = 5;

/// What an action may fail with.
pub(crate) type Fault = Box<Diagnostic>;

/// An expression and the height of its tree.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) expr: Expr,
    pub(crate) height: u32,
}

impl Node {
    /// A node without children.
    pub(crate) fn leaf(kind: ExprKind, span: Span) -> Self {
        Self { expr: Expr { kind, span }, height: 1 }
    }
}

/// An argument and the height of its value.
#[derive(Debug)]
pub(crate) struct ArgumentNode {
    pub(crate) argument: Argument,
    pub(crate) height: u32,
    /// A generator without parentheses of its own, which must be the only argument.
    pub(crate) bare_generator: Option<Span>,
}

/// One `key: value` of a dict display, or `**value` without a key.
#[derive(Debug)]
pub(crate) struct DictItem {
    pub(crate) key: Option<Node>,
    pub(crate) value: Node,
}

/// One parameter as written, before its kind is known.
#[derive(Debug)]
pub(crate) enum ParamItem {
    /// `name: annotation = default`.
    Plain(Ident, Option<Node>, Option<Node>),
    /// `*name: annotation`.
    VarArgs(Ident, Option<Node>),
    /// `**name: annotation`.
    KeywordArgs(Ident, Option<Node>),
    /// `*` alone.
    Star(Span),
    /// `/` alone.
    Slash(Span),
}

/// One clause of a comprehension with the height of what it holds.
#[derive(Debug)]
pub(crate) struct ClauseNode {
    clause: Comprehension,
    height: u32,
}

/// What the actions know of the file.
pub(crate) struct Context<'a> {
    pub(crate) file: &'a SourceFile,
    /// How many f-strings the text being read is inside of.
    pub(crate) fstring_depth: u32,
}

impl Context<'_> {
    /// A syntax error with its place.
    pub(crate) fn error(&self, span: Span, message: impl Into<String>, label: &str) -> Fault {
        Diagnostic::error(SYNTAX, message).at(self.file, span, label).boxed()
    }

    /// Reads the expression in a field of an f-string; `start` is where it is in the file.
    pub(crate) fn parse_field(&self, source: &str, start: usize) -> Result<Node, Fault> {
        let inner = Context { file: self.file, fstring_depth: self.fstring_depth + 1 };
        crate::lines::parse_field(&inner, source, start)
    }

    /// A node whose children have this height at most.
    fn node(&self, kind: ExprKind, span: Span, children: u32, weight: u32) -> Result<Node, Fault> {
        let height = children + weight;
        if height > MAX_HEIGHT {
            return Err(too_deep(self.file, span, "this expression is nested too deep"));
        }
        Ok(Node { expr: Expr { kind, span }, height })
    }

    pub(crate) fn unary(&self, op: UnaryOp, operand: Node, span: Span) -> Result<Node, Fault> {
        let height = operand.height;
        self.node(ExprKind::Unary { op, operand: Box::new(operand.expr) }, span, height, NESTING)
    }

    pub(crate) fn binary(&self, left: Node, op: BinaryOp, right: Node) -> Result<Node, Fault> {
        let span = left.expr.span.to(right.expr.span);
        let height = left.height.max(right.height);
        let kind = ExprKind::Binary { op, left: Box::new(left.expr), right: Box::new(right.expr) };
        self.node(kind, span, height, if op == BinaryOp::Pow { NESTING } else { 1 })
    }

    pub(crate) fn bool_op(&self, op: BoolOp, first: Node, rest: Vec<Node>, span: Span) -> Result<Node, Fault> {
        let (values, height) = join(first, rest);
        self.node(ExprKind::BoolOp { op, values }, span, height, 1)
    }

    pub(crate) fn compare(&self, left: Node, rest: Vec<(CompareOp, Node)>, span: Span) -> Result<Node, Fault> {
        let height = rest.iter().map(|(_, node)| node.height).max().unwrap_or(0).max(left.height);
        let rest = rest.into_iter().map(|(op, node)| (op, node.expr)).collect();
        self.node(ExprKind::Compare { left: Box::new(left.expr), rest }, span, height, 1)
    }

    pub(crate) fn if_else(&self, body: Node, test: Node, orelse: Node) -> Result<Node, Fault> {
        let span = body.expr.span.to(orelse.expr.span);
        let height = body.height.max(test.height).max(orelse.height);
        let kind =
            ExprKind::IfElse { test: Box::new(test.expr), body: Box::new(body.expr), orelse: Box::new(orelse.expr) };
        self.node(kind, span, height, NESTING)
    }

    pub(crate) fn lambda(&self, params: Vec<ParamItem>, body: Node, span: Span) -> Result<Node, Fault> {
        let (params, height) = self.params(params)?;
        let height = height.max(body.height);
        self.node(ExprKind::Lambda { params, body: Box::new(body.expr) }, span, height, NESTING)
    }

    pub(crate) fn walrus(&self, name: Ident, value: Node, span: Span) -> Result<Node, Fault> {
        let height = value.height;
        self.node(ExprKind::Walrus { name, value: Box::new(value.expr) }, span, height, 1)
    }

    pub(crate) fn starred(&self, value: Node, span: Span) -> Result<Node, Fault> {
        let height = value.height;
        self.node(ExprKind::Starred(Box::new(value.expr)), span, height, 1)
    }

    pub(crate) fn attribute(&self, value: Node, name: Ident) -> Result<Node, Fault> {
        let (span, height) = (value.expr.span.to(name.span), value.height);
        self.node(ExprKind::Attribute { value: Box::new(value.expr), name }, span, height, 1)
    }

    pub(crate) fn subscript(&self, value: Node, index: Node, span: Span) -> Result<Node, Fault> {
        let height = value.height.max(index.height);
        let kind = ExprKind::Subscript { value: Box::new(value.expr), index: Box::new(index.expr) };
        self.node(kind, span, height, 1)
    }

    pub(crate) fn slice(&self, [lower, upper, step]: [Option<Node>; 3], span: Span) -> Result<Node, Fault> {
        let height = [&lower, &upper, &step].into_iter().flatten().map(|node| node.height).max().unwrap_or(0);
        let part = |node: Option<Node>| node.map(|node| Box::new(node.expr));
        let kind = ExprKind::Slice { lower: part(lower), upper: part(upper), step: part(step) };
        self.node(kind, span, height, 1)
    }

    pub(crate) fn call(&self, func: Node, args: Vec<ArgumentNode>, span: Span) -> Result<Node, Fault> {
        let (args, height) = self.arguments(args)?;
        let height = func.height.max(height);
        self.node(ExprKind::Call { func: Box::new(func.expr), args }, span, height, 1)
    }

    /// Checks the order of arguments, as Python does.
    pub(crate) fn arguments(&self, nodes: Vec<ArgumentNode>) -> Result<(Vec<Argument>, u32), Fault> {
        let mut keyword_seen = None;
        let alone = nodes.len() == 1;
        for node in &nodes {
            if let Some(span) = node.bare_generator.filter(|_| !alone) {
                return Err(self.error(span, "a generator beside other arguments needs parentheses", "generator"));
            }
            match &node.argument {
                Argument::Keyword(name, _) => keyword_seen = Some(name.text.as_str()),
                Argument::DoubleStar(_) => keyword_seen = Some("**"),
                Argument::Positional(expr) => {
                    if let Some(name) = keyword_seen {
                        let message = format!("a positional argument follows the keyword argument `{name}`");
                        return Err(self.error(expr.span, message, "give it before the keyword arguments"));
                    }
                }
                Argument::Star(_) => {}
            }
        }
        let height = nodes.iter().map(|node| node.height).max().unwrap_or(0);
        Ok((nodes.into_iter().map(|node| node.argument).collect(), height))
    }

    /// A tuple, list or set display.
    pub(crate) fn display(&self, kind: fn(Vec<Expr>) -> ExprKind, nodes: Vec<Node>, span: Span) -> Result<Node, Fault> {
        let height = nodes.iter().map(|node| node.height).max().unwrap_or(0);
        self.node(kind(nodes.into_iter().map(|node| node.expr).collect()), span, height, 1)
    }

    /// One expression as it is, or several (or one with a trailing comma) as a tuple.
    pub(crate) fn tuple_or_one(&self, mut nodes: Vec<Node>, comma: bool, span: Span) -> Result<Node, Fault> {
        match (nodes.pop(), comma) {
            (Some(only), false) if nodes.is_empty() => match &only.expr.kind {
                ExprKind::Starred(_) => Err(self.error(span, "`*` needs a tuple, a list or a call around it", "")),
                _ => Ok(only),
            },
            (last, _) => {
                nodes.extend(last);
                self.display(ExprKind::Tuple, nodes, span)
            }
        }
    }

    /// What stands between the brackets of a subscript: `x[*y]` is `x[(*y,)]`.
    pub(crate) fn index(&self, nodes: Vec<Node>, comma: bool, span: Span) -> Result<Node, Fault> {
        let is_starred = matches!(&nodes[..], [Node { expr: Expr { kind: ExprKind::Starred(_), .. }, .. }]);
        self.tuple_or_one(nodes, comma || is_starred, span)
    }

    pub(crate) fn dict(&self, items: Vec<DictItem>, span: Span) -> Result<Node, Fault> {
        let height_of = |item: &DictItem| item.key.as_ref().map_or(0, |key| key.height).max(item.value.height);
        let height = items.iter().map(height_of).max().unwrap_or(0);
        let items = items.into_iter().map(|item| (item.key.map(|key| key.expr), item.value.expr)).collect();
        self.node(ExprKind::Dict(items), span, height, 1)
    }

    /// A list, set or generator comprehension.
    pub(crate) fn comprehension(
        &self,
        kind: fn(Box<Expr>, Vec<Comprehension>) -> ExprKind,
        element: Node,
        clauses: Vec<ClauseNode>,
        span: Span,
    ) -> Result<Node, Fault> {
        let (clauses, height) = clause_list(clauses);
        self.node(kind(Box::new(element.expr), clauses), span, height.max(element.height), 1)
    }

    pub(crate) fn dict_comprehension(
        &self,
        (key, value): (Node, Node),
        clauses: Vec<ClauseNode>,
        span: Span,
    ) -> Result<Node, Fault> {
        let (clauses, height) = clause_list(clauses);
        let height = height.max(key.height).max(value.height);
        let kind = ExprKind::DictComp { key: Box::new(key.expr), value: Box::new(value.expr), clauses };
        self.node(kind, span, height, 1)
    }

    pub(crate) fn clause(&self, target: Node, iter: Node, conditions: Vec<Node>) -> Result<ClauseNode, Fault> {
        let target_height = target.height;
        let target = self.target(target)?;
        let (mut conditions, height) = join(iter, conditions);
        let iter = conditions.remove(0);
        Ok(ClauseNode { clause: Comprehension { target, iter, conditions }, height: height.max(target_height) })
    }

    /// The kinds of the parameters, after the checks that Python makes of their order.
    pub(crate) fn params(&self, items: Vec<ParamItem>) -> Result<(Vec<Param>, u32), Fault> {
        let mut list =
            ParamList { cx: self, params: Vec::new(), height: 0, names_only: None, defaults: false, slash: false };
        for item in items {
            list.push(item)?;
        }
        match list.names_only {
            Some(Some(star)) => Err(self.error(star, "a `*` alone must be followed by a parameter", "")),
            _ => Ok((list.params, list.height)),
        }
    }

    /// An expression as a target of an assignment; an error says what it is instead.
    pub(crate) fn target(&self, node: Node) -> Result<Expr, Fault> {
        let mut unchecked = vec![&node.expr];
        while let Some(expr) = unchecked.pop() {
            match &expr.kind {
                ExprKind::Name(_) | ExprKind::Attribute { .. } | ExprKind::Subscript { .. } => {}
                ExprKind::Tuple(items) | ExprKind::List(items) => unchecked.extend(items),
                ExprKind::Starred(value) => unchecked.push(value),
                other => {
                    let message = format!("cannot assign to {}", describe(other));
                    let fault = Diagnostic::error(SYNTAX, message).at(self.file, expr.span, "not a target");
                    let compare = matches!(other, ExprKind::Compare { .. } | ExprKind::BoolOp { .. });
                    return Err(if compare { fault.help("write `==` to compare").boxed() } else { fault.boxed() });
                }
            }
        }
        Ok(node.expr)
    }

    /// A target of `op=` or of an annotation: a name, an attribute or a subscript.
    pub(crate) fn single_target(&self, node: Node, what: &str) -> Result<Expr, Fault> {
        match &node.expr.kind {
            ExprKind::Name(_) | ExprKind::Attribute { .. } | ExprKind::Subscript { .. } => Ok(node.expr),
            other => {
                let message = format!("{what} needs a name, an attribute or a subscript, not {}", describe(other));
                Err(self.error(node.expr.span, message, "not a single target"))
            }
        }
    }

    /// `a = b = value`, or `value` alone.
    pub(crate) fn assign(&self, first: Node, rest: Vec<Node>) -> Result<StmtKind, Fault> {
        let mut nodes = Vec::with_capacity(rest.len() + 1);
        nodes.push(first);
        nodes.extend(rest);
        let Some(value) = nodes.pop() else { return Ok(StmtKind::Pass) };
        if nodes.is_empty() {
            return Ok(StmtKind::Expr(value.expr));
        }
        let targets = nodes.into_iter().map(|node| self.target(node)).collect::<Result<_, _>>()?;
        Ok(StmtKind::Assign { targets, value: value.expr })
    }
}

/// The error for text that is nested deeper than any tree may be.
pub(crate) fn too_deep(file: &SourceFile, span: Span, message: &str) -> Fault {
    // A span over a whole chain would underline pages of text; its end is where the limit was passed.
    let place = Span { start: span.start.max(span.end.saturating_sub(1)), end: span.end };
    Diagnostic::error(NESTING_TOO_DEEP, message)
        .at(file, place, "the limit is reached here")
        .help("name a part of it and use the name")
        .boxed()
}

fn join(first: Node, rest: Vec<Node>) -> (Vec<Expr>, u32) {
    let height = rest.iter().map(|node| node.height).max().unwrap_or(0).max(first.height);
    (std::iter::once(first).chain(rest).map(|node| node.expr).collect(), height)
}

fn clause_list(clauses: Vec<ClauseNode>) -> (Vec<Comprehension>, u32) {
    let height = clauses.iter().map(|node| node.height).max().unwrap_or(0);
    (clauses.into_iter().map(|node| node.clause).collect(), height)
}

/// An expression in words, for messages.
fn describe(kind: &ExprKind) -> &'static str {
    match kind {
        ExprKind::Int(_) | ExprKind::Float(_) => "a number",
        ExprKind::Str(_) | ExprKind::Bytes(_) | ExprKind::FString(_) => "a string",
        ExprKind::Bool(true) => "`True`",
        ExprKind::Bool(false) => "`False`",
        ExprKind::None => "`None`",
        ExprKind::Ellipsis => "`...`",
        ExprKind::Call { .. } => "the result of a call",
        ExprKind::Compare { .. } => "a comparison",
        ExprKind::IfElse { .. } => "a conditional expression",
        ExprKind::Lambda { .. } => "a lambda",
        ExprKind::Dict(_) | ExprKind::DictComp { .. } => "a dict",
        ExprKind::Set(_) | ExprKind::SetComp { .. } => "a set",
        ExprKind::Tuple(_) => "a tuple",
        ExprKind::List(_) => "a list",
        ExprKind::ListComp { .. } => "a list comprehension",
        ExprKind::GeneratorExp { .. } => "a generator",
        ExprKind::Walrus { .. } => "a named expression",
        ExprKind::Name(_)
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::BoolOp { .. }
        | ExprKind::Attribute { .. }
        | ExprKind::Subscript { .. }
        | ExprKind::Slice { .. }
        | ExprKind::Starred(_) => "an expression",
    }
}

/// Parameters read so far.
struct ParamList<'c, 'a> {
    cx: &'c Context<'a>,
    params: Vec<Param>,
    height: u32,
    /// Set behind `*` or `*args`; holds the place of a `*` that no parameter follows yet.
    names_only: Option<Option<Span>>,
    /// A parameter had a default, so those behind it need one.
    defaults: bool,
    slash: bool,
}

impl ParamList<'_, '_> {
    fn push(&mut self, item: ParamItem) -> Result<(), Fault> {
        if let Some(last) = self.params.last().filter(|last| last.kind == ParamKind::KeywordArgs) {
            let message = format!("nothing may follow `**{}`", last.name.text);
            return Err(self.cx.error(last.name.span, message, "must be the last parameter"));
        }
        match item {
            ParamItem::Plain(name, annotation, default) => self.push_plain(name, annotation, default),
            ParamItem::VarArgs(name, annotation) => {
                self.forbid_second_star(name.span)?;
                self.names_only = Some(None);
                self.push_param(name, ParamKind::VarArgs, annotation, None)
            }
            ParamItem::KeywordArgs(name, annotation) => self.push_param(name, ParamKind::KeywordArgs, annotation, None),
            ParamItem::Star(span) => {
                self.forbid_second_star(span)?;
                self.names_only = Some(Some(span));
                Ok(())
            }
            ParamItem::Slash(span) => {
                if self.slash || self.names_only.is_some() || self.params.is_empty() {
                    return Err(self.cx.error(span, "`/` stands once, behind parameters and before `*`", ""));
                }
                self.slash = true;
                self.params.iter_mut().for_each(|param| param.kind = ParamKind::PositionalOnly);
                Ok(())
            }
        }
    }

    fn push_plain(&mut self, name: Ident, annotation: Option<Node>, default: Option<Node>) -> Result<(), Fault> {
        let kind = if self.names_only.is_some() { ParamKind::KeywordOnly } else { ParamKind::Normal };
        if kind == ParamKind::Normal && self.defaults && default.is_none() {
            let message = format!("the parameter `{}` without a default follows one with a default", name.text);
            return Err(self.cx.error(name.span, message, "give it a default or move it to the front"));
        }
        if kind == ParamKind::KeywordOnly {
            self.names_only = Some(None);
        } else {
            self.defaults |= default.is_some();
        }
        self.push_param(name, kind, annotation, default)
    }

    fn push_param(
        &mut self,
        name: Ident,
        kind: ParamKind,
        annotation: Option<Node>,
        default: Option<Node>,
    ) -> Result<(), Fault> {
        // A function with thousands of parameters is checked by `tk-check` against its map of names; here only small lists.
        if self.params.len() < 256 && self.params.iter().any(|param| param.name.text == name.text) {
            let message = format!("the parameter `{}` appears twice", name.text);
            return Err(self.cx.error(name.span, message, "second use of the name"));
        }
        let mut expr = |node: Option<Node>| {
            node.map(|node| {
                self.height = self.height.max(node.height);
                node.expr
            })
        };
        let (annotation, default) = (expr(annotation), expr(default));
        self.params.push(Param { name, kind, annotation, default });
        Ok(())
    }

    fn forbid_second_star(&self, span: Span) -> Result<(), Fault> {
        match self.names_only {
            None => Ok(()),
            Some(_) => Err(self.cx.error(span, "only one `*` may stand among the parameters", "second `*`")),
        }
    }
}

/// The type of `except* X`: there are no groups of exceptions, and who comes to the clause is told that.
pub(crate) fn exception_group(ty: Node, span: Span) -> Expr {
    let func = Box::new(Expr { kind: ExprKind::Name("ExceptionGroup".to_string()), span });
    let span = span.to(ty.expr.span);
    Expr { kind: ExprKind::Call { func, args: vec![Argument::Positional(ty.expr)] }, span }
}
