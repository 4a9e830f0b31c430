//! Joins logical lines to blocks by their indentation, and heads with their `elif`, `else`, `except` and `finally`.
//!
//! The open blocks are a vector, not recursion, so that indentation cannot use up the stack. A line that could not be read
//! still takes part as [`Head::Broken`]: its block is read and reported on, and nothing is said twice.

use crate::ast::*;
use crate::lines::{Indent, LineStart};
use crate::tree::{Fault, too_deep};
use std::cmp::Ordering;
use tk_diag::{Diagnostic, NESTING_TOO_DEEP, SYNTAX, SourceFile, Span, UNSUPPORTED};

/// Blocks inside blocks, at most.
const MAX_BLOCKS: usize = 200;
/// `elif` clauses of one `if`, at most: each is an `If` inside the one before.
const MAX_ELIFS: usize = 200;
/// Statements inside statements, at most, where every `elif` counts.
const MAX_DEPTH: usize = 1000;

/// What one logical line holds.
pub(crate) enum Line {
    /// Statements with `;` between them.
    Simple(Vec<Stmt>),
    /// The head of a block, with the statements behind its `:` if they are on the same line.
    Block { head: Head, span: Span, body: Option<Vec<Stmt>> },
    /// `@decorator`.
    Decorator(Expr),
}

/// The head of a block.
pub(crate) enum Head {
    If(Expr),
    Elif(Expr),
    Else,
    While(Expr),
    For {
        target: Expr,
        iter: Expr,
    },
    With(Vec<WithItem>),
    Try,
    Except {
        ty: Option<Expr>,
        name: Option<Ident>,
    },
    Finally,
    Def {
        name: Ident,
        params: Vec<Param>,
        returns: Option<Expr>,
    },
    Class {
        name: Ident,
        bases: Vec<Argument>,
    },
    /// Python that tk does not run, with the error for whoever reaches it; what stands under it is not kept. Of a function that is whoever
    /// calls it.
    Unsupported {
        fault: Box<Diagnostic>,
        function: Option<Ident>,
    },
    /// A line that could not be read, with the word that it starts with.
    Broken,
}

impl Head {
    fn word(&self) -> &'static str {
        match self {
            Head::If(_) => "if",
            Head::Elif(_) => "elif",
            Head::Else => "else",
            Head::While(_) => "while",
            Head::For { .. } => "for",
            Head::With(_) => "with",
            Head::Try => "try",
            Head::Except { .. } => "except",
            Head::Finally => "finally",
            Head::Def { .. } => "def",
            Head::Class { .. } => "class",
            Head::Broken | Head::Unsupported { .. } => "line",
        }
    }

    /// Whether it belongs to the statement before it.
    fn continues(&self) -> bool {
        matches!(self, Head::Elif(_) | Head::Else | Head::Except { .. } | Head::Finally)
    }

    /// Whether a clause with this head may follow one with `before`.
    fn may_follow(&self, before: &Head, compound: &Compound) -> bool {
        if matches!(before, Head::Broken) {
            return true;
        }
        match self {
            Head::Elif(_) => matches!(before, Head::If(_) | Head::Elif(_)),
            Head::Else => {
                matches!(before, Head::If(_) | Head::Elif(_) | Head::For { .. } | Head::While(_) | Head::Except { .. })
            }
            Head::Except { .. } => match before {
                Head::Try => true,
                Head::Except { ty, .. } => ty.is_some(),
                Head::If(_)
                | Head::Elif(_)
                | Head::Else
                | Head::While(_)
                | Head::For { .. }
                | Head::With(_)
                | Head::Finally
                | Head::Def { .. }
                | Head::Class { .. }
                | Head::Unsupported { .. }
                | Head::Broken => false,
            },
            Head::Finally => {
                let is_try =
                    matches!(compound.clauses.first().map(|clause| &clause.head), Some(Head::Try | Head::Broken));
                is_try && matches!(before, Head::Try | Head::Except { .. } | Head::Else)
            }
            Head::If(_)
            | Head::While(_)
            | Head::For { .. }
            | Head::With(_)
            | Head::Try
            | Head::Def { .. }
            | Head::Class { .. }
            | Head::Unsupported { .. }
            | Head::Broken => false,
        }
    }
}

/// A head with its block.
struct Clause {
    head: Head,
    span: Span,
    body: Vec<Stmt>,
}

/// A statement whose clauses are still being read.
struct Compound {
    decorators: Vec<Expr>,
    clauses: Vec<Clause>,
}

/// A block that lines are added to.
struct Block {
    indent: Indent,
    stmts: Vec<Stmt>,
    decorators: Vec<Expr>,
    open: Option<Compound>,
    /// How many statements it is inside of.
    depth: usize,
    /// Indented without a head; its statements go to the block around it.
    stray: bool,
}

impl Block {
    fn new(indent: Indent, depth: usize, stray: bool) -> Self {
        Self { indent, stmts: Vec::new(), decorators: Vec::new(), open: None, depth, stray }
    }
}

/// Whether a block must follow the line before.
#[derive(Clone, Copy, PartialEq)]
enum Expects {
    Nothing,
    /// After a line that could not be read.
    Perhaps,
    Block,
}

/// Takes lines in order and builds the statements.
pub(crate) struct Assembler<'a> {
    file: &'a SourceFile,
    /// Where the text ends.
    end: u32,
    blocks: Vec<Block>,
    expects: Expects,
    /// Lines indented deeper than this are inside a block that is nested too deep, and skipped.
    skipped_below: Option<Indent>,
    has_lines: bool,
    pub(crate) faults: Vec<Diagnostic>,
}

impl<'a> Assembler<'a> {
    pub(crate) fn new(file: &'a SourceFile, end: u32) -> Self {
        let blocks = vec![Block::new(Indent::default(), 0, false)];
        Self { file, end, blocks, expects: Expects::Nothing, skipped_below: None, has_lines: false, faults: Vec::new() }
    }

    /// Says how far the outermost statements are indented, before any line is added.
    pub(crate) fn begin_at(&mut self, indent: Indent) {
        self.top().indent = indent;
        self.has_lines = true;
    }

    /// Whether [`Self::begin_at`] has been said.
    pub(crate) fn has_lines(&self) -> bool {
        self.has_lines
    }

    /// Adds a line, or what was wrong with it; `continues` says whether an unread line began with `else` or its like.
    pub(crate) fn add(&mut self, start: LineStart, line: Result<Line, Fault>, continues: bool) {
        if let Some(limit) = self.skipped_below {
            if start.indent.compare(limit) == Some(Ordering::Greater) {
                return;
            }
            self.skipped_below = None;
        }
        if !self.indent(start) {
            return;
        }
        match line {
            Ok(Line::Simple(stmts)) => {
                self.close_compound();
                self.report_lone_decorators();
                self.top().stmts.extend(stmts);
            }
            Ok(Line::Decorator(decorator)) => {
                self.close_compound();
                self.top().decorators.push(decorator);
            }
            Ok(Line::Block { head, span, body }) => self.add_head(head, span, body),
            Err(fault) => {
                let span = fault.labels.first().map_or(start.margin, |label| label.span);
                if fault.code == UNSUPPORTED && !continues {
                    self.close_compound();
                    let is_kernel = std::mem::take(&mut self.top().decorators).iter().any(makes_kernels);
                    self.top().open = Some(Compound { decorators: Vec::new(), clauses: Vec::new() });
                    let function = function_name(self.file, start.margin.end).filter(|_| !is_kernel);
                    self.push_clause(Head::Unsupported { fault, function }, span, Vec::new());
                    self.expects = Expects::Perhaps;
                    return;
                }
                self.faults.push(*fault);
                if !continues || self.top().open.is_none() {
                    self.close_compound();
                    self.top().decorators.clear();
                    self.top().open = Some(Compound { decorators: Vec::new(), clauses: Vec::new() });
                }
                self.push_clause(Head::Broken, span, Vec::new());
                self.expects = Expects::Perhaps;
            }
        }
    }

    /// The statements of the file.
    pub(crate) fn finish(mut self) -> (Vec<Stmt>, Vec<Diagnostic>) {
        if self.expects == Expects::Block {
            self.report_missing_block(Span { start: self.end, end: self.end });
        }
        while self.blocks.len() > 1 {
            self.close_block();
        }
        self.close_compound();
        self.report_lone_decorators();
        let stmts = self.blocks.pop().map(|block| block.stmts).unwrap_or_default();
        (stmts, self.faults)
    }

    fn top(&mut self) -> &mut Block {
        if self.blocks.is_empty() {
            self.blocks.push(Block::new(Indent::default(), 0, false));
        }
        let last = self.blocks.len() - 1;
        &mut self.blocks[last]
    }

    /// Opens and closes blocks until the line fits; false when the line is to be skipped.
    fn indent(&mut self, start: LineStart) -> bool {
        let expects = std::mem::replace(&mut self.expects, Expects::Nothing);
        let here = Span { start: start.margin.end, end: start.margin.end + 1 };
        let order = self.compare(start);
        match (order, expects) {
            (Ordering::Greater, Expects::Block | Expects::Perhaps) => return self.open_block(start, false),
            (Ordering::Greater, Expects::Nothing) => {
                let message = "this line is indented, but no block starts before it";
                let after_stray = self.blocks.last().is_some_and(|block| block.stray);
                if !after_stray {
                    self.fault(Diagnostic::error(SYNTAX, message).at(self.file, here, "unexpected indentation"));
                }
                self.close_compound();
                return self.open_block(start, true);
            }
            (_, Expects::Block) => self.report_missing_block(here),
            _ => {}
        }
        if order == Ordering::Less {
            let mut order = order;
            while order == Ordering::Less && self.blocks.len() > 1 {
                self.close_block();
                order = self.compare(start);
            }
            if order != Ordering::Equal {
                let message = "this indentation fits no block around it";
                let fault = Diagnostic::error(SYNTAX, message).at(self.file, here, "indented differently");
                self.fault(fault.help("indent it like the line that it should stand under"));
            }
        }
        true
    }

    /// How far the line is indented against the innermost block.
    fn compare(&mut self, start: LineStart) -> Ordering {
        let indent = self.top().indent;
        start.indent.compare(indent).unwrap_or_else(|| {
            let fault = Diagnostic::error(SYNTAX, "tabs and spaces are mixed, so the indentation is not clear");
            let fault = fault.at(self.file, start.margin, "tabs and spaces");
            self.fault(fault.help("indent with spaces only"));
            start.indent.wide.cmp(&indent.wide)
        })
    }

    fn open_block(&mut self, start: LineStart, stray: bool) -> bool {
        let clauses = self.top().open.as_ref().map_or(0, |compound| compound.clauses.len());
        let depth = self.top().depth + clauses.max(1);
        if self.blocks.len() > MAX_BLOCKS || depth > MAX_DEPTH {
            let message = format!("blocks are nested more than {MAX_BLOCKS} deep");
            let here = Span { start: start.margin.end, end: start.margin.end + 1 };
            let fault = Diagnostic::error(NESTING_TOO_DEEP, message).at(self.file, here, "one too many");
            self.fault(fault.help("move the inner blocks to a function"));
            self.skipped_below = Some(self.top().indent);
            return false;
        }
        self.blocks.push(Block::new(start.indent, depth, stray));
        true
    }

    /// Ends the innermost block and gives its statements to its head.
    fn close_block(&mut self) {
        self.close_compound();
        self.report_lone_decorators();
        let Some(block) = self.blocks.pop() else { return };
        let parent = self.top();
        match &mut parent.open {
            Some(compound) if !block.stray => {
                if let Some(clause) = compound.clauses.last_mut() {
                    clause.body = block.stmts;
                }
            }
            _ => parent.stmts.extend(block.stmts),
        }
    }

    fn add_head(&mut self, head: Head, span: Span, body: Option<Vec<Stmt>>) {
        self.expects = if body.is_some() { Expects::Nothing } else { Expects::Block };
        let word = head.word();
        if head.continues() {
            self.report_lone_decorators();
            let fits = self.top().open.as_ref().is_some_and(|compound| {
                compound.clauses.last().is_some_and(|before| head.may_follow(&before.head, compound))
            });
            if fits {
                self.push_clause(head, span, body.unwrap_or_default());
                return;
            }
            let message = match word {
                "else" | "elif" => format!("this `{word}` belongs to no `if`, `for` or `while` before it"),
                _ => format!("this `{word}` belongs to no `try` before it"),
            };
            self.fault(Diagnostic::error(SYNTAX, message).at(self.file, span, "nothing before it fits"));
            self.close_compound();
            self.top().open = Some(Compound { decorators: Vec::new(), clauses: Vec::new() });
            self.push_clause(Head::Broken, span, body.unwrap_or_default());
            return;
        }
        self.close_compound();
        if !matches!(head, Head::Def { .. } | Head::Class { .. }) {
            self.report_lone_decorators();
        }
        let decorators = std::mem::take(&mut self.top().decorators);
        self.top().open = Some(Compound { decorators, clauses: Vec::new() });
        self.push_clause(head, span, body.unwrap_or_default());
    }

    fn push_clause(&mut self, head: Head, span: Span, body: Vec<Stmt>) {
        if let Some(compound) = &mut self.top().open {
            compound.clauses.push(Clause { head, span, body });
        }
    }

    /// Ends the statement whose clauses were being read.
    fn close_compound(&mut self) {
        let Some(compound) = self.top().open.take() else { return };
        match build(compound, self.file) {
            Ok(Some(stmt)) => self.top().stmts.push(stmt),
            Ok(None) => {}
            Err(fault) => self.faults.push(*fault),
        }
    }

    fn report_lone_decorators(&mut self) {
        let decorators = std::mem::take(&mut self.top().decorators);
        if let Some(decorator) = decorators.last() {
            let message = "a decorator must be followed by `def` or `class`";
            self.fault(Diagnostic::error(SYNTAX, message).at(self.file, decorator.span, "decorates nothing"));
        }
    }

    fn report_missing_block(&mut self, here: Span) {
        let clause = self.top().open.as_ref().and_then(|compound| compound.clauses.last());
        let (word, head) = clause.map_or(("line", here), |clause| (clause.head.word(), clause.span));
        let message = format!("`{word} …:` must be followed by an indented block");
        let fault = Diagnostic::error(SYNTAX, message).at(self.file, head, "its block is missing");
        self.fault(fault.help("indent the next line, or write `pass` in the block"));
    }

    fn fault(&mut self, fault: Diagnostic) {
        self.faults.push(fault);
    }
}

/// The statement of a head and its clauses; nothing for one that could not be read.
fn build(compound: Compound, file: &SourceFile) -> Result<Option<Stmt>, Fault> {
    let Compound { decorators, mut clauses } = compound;
    if clauses.is_empty() || clauses.iter().any(|clause| matches!(clause.head, Head::Broken)) {
        return Ok(None);
    }
    let end = clauses.iter().map(clause_end).max().unwrap_or(0);
    let rest = clauses.split_off(1);
    let Some(Clause { head, span, body }) = clauses.pop() else { return Ok(None) };
    let whole = Span { start: span.start, end: end.max(span.end) };
    let kind = match head {
        Head::If(test) => {
            if rest.len() > MAX_ELIFS {
                return Err(too_deep(file, rest[MAX_ELIFS].span, "this `if` has more than 200 `elif`"));
            }
            StmtKind::If { test, body, orelse: else_of_if(rest, whole.end) }
        }
        Head::While(test) => StmtKind::While { test, body, orelse: only_body(rest) },
        Head::For { target, iter } => StmtKind::For { target, iter, body, orelse: only_body(rest) },
        Head::With(items) => StmtKind::With { items, body },
        Head::Try => try_statement(body, rest, span, file)?,
        Head::Def { name, params, returns } => {
            let (role, qualified) = (None, None);
            StmtKind::FunctionDef(FunctionDef { name, decorators, params, returns, body, span: whole, role, qualified })
        }
        Head::Class { name, bases } => class(name, decorators, bases, body),
        Head::Unsupported { fault, function: None } => StmtKind::Unsupported(fault),
        Head::Unsupported { fault, function: Some(name) } => StmtKind::FunctionDef(unsupported_function(name, fault)),
        Head::Elif(_) | Head::Else | Head::Except { .. } | Head::Finally | Head::Broken => return Ok(None),
    };
    Ok(Some(Stmt { kind, span: whole }))
}

/// The name of the function whose definition begins here: `async def name`, or `def name` with a body that cannot be read on its line.
fn function_name(file: &SourceFile, start: u32) -> Option<Ident> {
    let part = file.part_at(start);
    let line = part.line_text(part.line_column(start).line);
    let words = line.trim_start().strip_prefix("async ").unwrap_or(line).trim_start().strip_prefix("def ")?;
    let words = words.trim_start();
    let length = words.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(words.len());
    let at = start as usize
        + (line.trim_end_matches(['\n', '\r']).trim_start().len() - words.trim_end_matches(['\n', '\r']).len());
    Some(Ident { text: words[..length].to_string(), span: Span::new(at, at + length) })
        .filter(|name| !name.text.is_empty())
}

/// A function that takes any arguments and ends with an error.
fn unsupported_function(name: Ident, fault: Box<Diagnostic>) -> FunctionDef {
    let span = fault.labels.first().map_or(name.span, |label| label.span);
    let param = |text: &str, kind| Param {
        name: Ident { text: text.to_string(), span: name.span },
        kind,
        annotation: None,
        default: None,
    };
    let params = vec![param("args", ParamKind::VarArgs), param("kwargs", ParamKind::KeywordArgs)];
    let body = vec![Stmt { kind: StmtKind::Unsupported(fault), span }];
    let (decorators, returns, role, qualified) = (Vec::new(), None, None, None);
    FunctionDef { name, decorators, params, returns, body, span, role, qualified }
}

fn clause_end(clause: &Clause) -> u32 {
    clause.body.last().map_or(clause.span.end, |stmt| stmt.span.end)
}

/// The `else` of an `if`: its `elif` clauses, each inside the one before, from the last to the first.
fn else_of_if(clauses: Vec<Clause>, end: u32) -> Vec<Stmt> {
    let mut orelse = Vec::new();
    for clause in clauses.into_iter().rev() {
        match clause.head {
            Head::Elif(test) => {
                let span = Span { start: clause.span.start, end };
                orelse = vec![Stmt { kind: StmtKind::If { test, body: clause.body, orelse }, span }];
            }
            _ => orelse = clause.body,
        }
    }
    orelse
}

/// The block of the one clause that may follow a loop.
fn only_body(clauses: Vec<Clause>) -> Vec<Stmt> {
    clauses.into_iter().next().map(|clause| clause.body).unwrap_or_default()
}

fn try_statement(body: Vec<Stmt>, clauses: Vec<Clause>, span: Span, file: &SourceFile) -> Result<StmtKind, Fault> {
    if clauses.is_empty() {
        let message = "this `try` has neither `except` nor `finally`";
        return Err(Diagnostic::error(SYNTAX, message).at(file, span, "").boxed());
    }
    let (mut handlers, mut orelse, mut finally) = (Vec::new(), Vec::new(), Vec::new());
    for clause in clauses {
        match clause.head {
            Head::Except { ty, name } => handlers.push(ExceptHandler { ty, name, body: clause.body }),
            Head::Else => orelse = clause.body,
            _ => finally = clause.body,
        }
    }
    Ok(StmtKind::Try { body, handlers, orelse, finally })
}

fn class(name: Ident, decorators: Vec<Expr>, arguments: Vec<Argument>, body: Vec<Stmt>) -> StmtKind {
    let (mut bases, mut keywords) = (Vec::new(), Vec::new());
    for argument in arguments {
        match argument {
            Argument::Keyword(name, value) => keywords.push((name, value)),
            Argument::Positional(value) | Argument::Star(value) | Argument::DoubleStar(value) => bases.push(value),
        }
    }
    StmtKind::ClassDef(ClassDef { name, decorators, bases, keywords, body })
}
