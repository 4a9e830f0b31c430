//! `break`, `continue`, and `return` in loops, without jumps.
//!
//! A jump sets hidden variables, which branches merge and loops carry like those of the program: whether the rest of the
//! iteration is skipped, whether the loop is left, and whether the function is. What follows a possible jump runs under its
//! negation, and a `for` that can be left becomes a `while` over its index.

use crate::check::Checker;
use crate::checked::{BinaryOp, CompareOp, Literal, OpKind, Type, Value};
use crate::error::R;
use crate::flow::{BREAK, Flow, Jump, RESULT, RETURN, SKIP, Skipped, Test};
use crate::syntax::contains_return;
use crate::value::Binding;
use crate::value::{Spanned, Val};
use tk_diag::Span;
use tk_grammar::ast::{Stmt, StmtKind};
use tk_types::ScalarType;

impl<'a> Checker<'a> {
    /// Runs a jump: sets the hidden variables of the innermost loop.
    pub(crate) fn jump(&mut self, span: Span, jump: Jump) -> R<()> {
        if !self.frame().jumping {
            let word = if jump == Jump::Break { "break" } else { "continue" };
            return Err(self.cx.unsupported(span, &format!("`{word}` outside a loop"), "Remove it."));
        }
        let (message, help) = match jump {
            Jump::Break => ("unsupported AST node type: Break", "Loop on a condition, with `while`."),
            Jump::Continue => ("unsupported AST node type: Continue", "Put the rest of the iteration under an `if`."),
            Jump::Return => (
                "Cannot have `return` statements inside `while` or `for` statements in triton",
                "Return after the loop.",
            ),
        };
        self.cx.construct_beyond_triton(span, message, help)?;
        self.bind(SKIP, Val::Bool(true), span);
        if jump != Jump::Continue {
            self.bind(BREAK, Val::Bool(true), span);
        }
        if jump == Jump::Return {
            self.bind(RETURN, Val::Bool(true), span);
        }
        Ok(())
    }

    /// `return value` in a loop. Its type is known only now, so the first time the loop is emitted again with a variable for it.
    pub(crate) fn return_from_loop(&mut self, val: Val<'a>, span: Span) -> R<()> {
        let val = self.assigned(val, span)?;
        if !self.frame().scope.contains_key(RESULT) {
            let mut leaves = Vec::new();
            if !crate::value::leaves_of(&val, &mut leaves) || leaves.is_empty() {
                let what = "`return` of something that is no run-time value inside a loop";
                return Err(self.cx.unsupported(span, what, "Return run-time values, or return after the loop."));
            }
            let types = leaves.iter().map(|leaf| self.cx.builder.ty(*leaf).clone()).collect();
            self.frame_mut().result = Some((val, types));
            return self.jump(span, Jump::Return);
        }
        self.frame_mut().scope.insert(RESULT, Binding { val, span });
        self.jump(span, Jump::Return)
    }

    /// What the hidden variable says about the statements that follow.
    pub(crate) fn skipped(&self) -> Skipped {
        if !self.frame().jumping {
            return Skipped::No;
        }
        match self.frame().scope.get(SKIP).map(|binding| &binding.val) {
            Some(Val::Bool(true)) => Skipped::Yes,
            Some(Val::Value(flag)) => match self.cx.known_int(&Val::Value(*flag)) {
                Some(0) => Skipped::No,
                Some(_) => Skipped::Yes,
                None => Skipped::Maybe(*flag),
            },
            _ => Skipped::No,
        }
    }

    /// Statements that run unless the flag is set.
    pub(crate) fn unless(&mut self, flag: Value, stmts: &'a [Stmt], span: Span) -> Flow<'a> {
        let jumped = self.path(&[], "then");
        let other = self.path_with("else", |checker| {
            checker.frame_mut().scope.insert(SKIP, Binding { val: Val::Bool(false), span });
            checker.exec_list(stmts)
        });
        self.join(flag, jumped, other, span)
    }

    /// An `if` with a jump somewhere in it, and the statements after it.
    pub(crate) fn jumping_if(&mut self, stmt: &'a Stmt, rest: &'a [Stmt]) -> R<Flow<'a>> {
        let StmtKind::If { test, body, orelse } = &stmt.kind else { return Ok(Flow::Next) };
        self.enter(stmt.span)?;
        self.cx.builder.set_span(stmt.span);
        let flow = match self.test(test, "the condition of `if`") {
            Err(stop) => Err(stop),
            Ok(Test::Known(truth)) => {
                let _ = self.exec_list(if truth { body } else { orelse });
                Ok(self.exec_list(rest))
            }
            Ok(Test::Runtime(condition)) => {
                let mut then = self.path(body, "then");
                let mut other = self.path(orelse, "else");
                let ends = |path: &crate::branch::Path<'a>| {
                    matches!(path.scope.get(SKIP).map(|binding| &binding.val), Some(Val::Bool(true)))
                };
                match (ends(&then), ends(&other)) {
                    (true, false) => self.extend(&mut other, rest),
                    (false, true) => self.extend(&mut then, rest),
                    _ => {
                        let _ = self.join(condition, then, other, stmt.span);
                        let flow = self.exec_list(rest);
                        self.leave();
                        return Ok(flow);
                    }
                }
                Ok(self.join(condition, then, other, stmt.span))
            }
        };
        self.leave();
        flow
    }

    /// Prepares the hidden variables of a loop that can be left and gives those of the loop around it.
    pub(crate) fn open_jumps(&mut self, body: &'a [Stmt], span: Span) -> Option<Binding<'a>> {
        let outer = self.frame().scope.get(BREAK).cloned();
        let returns = contains_return(body) && !self.frame().scope.contains_key(RETURN);
        for name in [Some(BREAK), returns.then_some(RETURN)].into_iter().flatten() {
            let no = self.cx.builder.literal(Literal::Int(0), Type::scalar(ScalarType::I1));
            self.frame_mut().scope.insert(name, Binding { val: Val::Value(no), span });
        }
        outer
    }

    /// Puts back the hidden variables of the loop around, and says how execution goes on.
    pub(crate) fn close_jumps(&mut self, outer: Option<Binding<'a>>, body: &'a [Stmt], span: Span) -> Flow<'a> {
        match outer {
            Some(binding) => self.frame_mut().scope.insert(BREAK, binding),
            None => self.frame_mut().scope.remove(BREAK),
        };
        if !contains_return(body) {
            return Flow::Next;
        }
        let Some(Binding { val: Val::Value(flag), .. }) = self.frame().scope.get(RETURN).cloned() else {
            return Flow::Next;
        };
        if self.frame().loops == 0 {
            self.frame_mut().scope.remove(RETURN);
            self.frame_mut().result = None;
            let result = self.frame_mut().scope.remove(RESULT);
            let returned = result.map_or(Spanned { val: Val::None, span }, |b| Spanned { val: b.val, span: b.span });
            return Flow::Maybe(flag, returned);
        }
        for name in [BREAK, SKIP] {
            self.frame_mut().scope.insert(name, Binding { val: Val::Value(flag), span });
        }
        Flow::Next
    }

    /// Whether a loop goes on: `index < upper` and not left.
    pub(crate) fn goes_on(&mut self, index: Value, upper: Value) -> Value {
        let bool = Type::scalar(ScalarType::I1);
        let below = self.cx.builder.emit(OpKind::Compare(CompareOp::LtS), &[index, upper], bool.clone());
        let stays = self.not_left();
        self.cx.builder.emit(OpKind::Binary(BinaryOp::And), &[below, stays], bool)
    }

    /// The negation of the hidden variable that says whether the loop is left.
    pub(crate) fn not_left(&mut self) -> Value {
        let bool = Type::scalar(ScalarType::I1);
        let yes = self.cx.builder.literal(Literal::Int(1), bool.clone());
        match self.frame().scope.get(BREAK).map(|binding| binding.val.clone()) {
            Some(Val::Value(left)) => self.cx.builder.emit(OpKind::Binary(BinaryOp::Xor), &[left, yes], bool),
            _ => yes,
        }
    }
}
