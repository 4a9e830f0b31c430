//! Expressions.

use super::{Args, Interpreter, MAX_ITEMS, builtins, suggestion};
use crate::exception::{Exception, Result};
use crate::format;
use crate::unwritten;
use crate::value::{Body, Dict, Function, Scope, Value, range_length};
use std::cell::RefCell;
use std::rc::Rc;
use tk_diag::UNKNOWN_NAME;
use tk_grammar::ast::*;

/// Stack left before an expression continues on a new piece, and the size of that piece, in bytes.
const RED_ZONE: usize = 128 * 1024;
const STACK_PIECE: usize = 2 * 1024 * 1024;

/// The items of a sequence, one at a time.
pub(crate) enum Items<'a> {
    Range { next: i128, step: i128, left: i128 },
    List(std::vec::IntoIter<Value<'a>>),
}

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        match self {
            Items::Range { left: 0, .. } => None,
            Items::Range { next, step, left } => {
                let value = *next;
                *next = next.saturating_add(*step);
                *left -= 1;
                Some(Value::Int(value))
            }
            Items::List(items) => items.next(),
        }
    }
}

impl<'a> Interpreter<'a, '_> {
    pub(crate) fn eval(&mut self, expr: &'a Expr, scope: &Rc<Scope<'a>>) -> Result<Value<'a>> {
        self.step().map_err(|e| e.at(expr.span))?;
        let result = stacker::maybe_grow(RED_ZONE, STACK_PIECE, || self.eval_kind(expr, scope));
        match unwritten::take() {
            None => result.map_err(|e| e.at(expr.span)),
            Some(read) => Err(Exception::unwritten(&read).at(expr.span)),
        }
    }

    fn eval_kind(&mut self, expr: &'a Expr, scope: &Rc<Scope<'a>>) -> Result<Value<'a>> {
        Ok(match &expr.kind {
            ExprKind::Name(name) => return self.lookup(name, scope),
            ExprKind::Int(value) => Value::Int(*value),
            ExprKind::Float(value) => Value::Float(*value),
            ExprKind::Str(text) => Value::str(text.as_str()),
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::None => Value::None,
            ExprKind::Ellipsis => Value::Ellipsis,
            ExprKind::FString(parts) => Value::str(self.eval_fstring(parts, scope)?),
            ExprKind::Tuple(items) => Value::tuple(self.eval_items(items, scope)?),
            ExprKind::List(items) => Value::list(self.eval_items(items, scope)?),
            ExprKind::Set(items) => {
                let items = self.eval_items(items, scope)?;
                return set_of(items);
            }
            ExprKind::Dict(items) => return self.eval_dict(items, scope),
            ExprKind::Unary { op, operand } => {
                let operand = self.eval(operand, scope)?;
                return self.unary(*op, &operand);
            }
            ExprKind::Binary { op, left, right } => {
                let left = self.eval(left, scope)?;
                let right = self.eval(right, scope)?;
                return self.binary(*op, &left, &right);
            }
            ExprKind::BoolOp { op, values } => return self.eval_bool_op(*op, values, scope),
            ExprKind::Compare { left, rest } => return self.eval_compare(left, rest, scope),
            ExprKind::IfElse { test, body, orelse } => {
                let branch = if self.eval(test, scope)?.truth()? { body } else { orelse };
                return self.eval(branch, scope);
            }
            ExprKind::Call { func, args } => {
                let callee = self.eval(func, scope)?;
                let args = self.eval_args(args, expr, scope)?;
                return self.call(&callee, args);
            }
            ExprKind::Attribute { value, name } => {
                let value = self.eval(value, scope)?;
                return self.attribute(&value, &name.text).map_err(|e| e.at(name.span));
            }
            ExprKind::Subscript { value, index } => {
                let value = self.eval(value, scope)?;
                let index = self.eval(index, scope)?;
                return self.get_item(&value, &index);
            }
            other => return self.eval_rare(other, expr, scope),
        })
    }

    fn eval_rare(&mut self, kind: &'a ExprKind, expr: &'a Expr, scope: &Rc<Scope<'a>>) -> Result<Value<'a>> {
        match kind {
            ExprKind::Slice { lower, upper, step } => {
                let mut part = |part: &'a Option<Box<Expr>>| match part {
                    Some(part) => self.eval(part, scope),
                    None => Ok(Value::None),
                };
                Ok(Value::Slice(Rc::new([part(lower)?, part(upper)?, part(step)?])))
            }
            ExprKind::Lambda { params, body } => Ok(Value::Function(Rc::new(Function {
                name: "<lambda>",
                params,
                body: Body::Expr(body),
                defaults: self.defaults(params, scope)?,
                scope: scope.clone(),
            }))),
            ExprKind::Walrus { name, value } => {
                let value = self.eval(value, scope)?;
                let mut home = scope;
                while let (true, Some(outer)) = (home.is_comprehension, &home.outer) {
                    home = outer;
                }
                let home = home.clone();
                self.store(&name.text, value.clone(), &home);
                Ok(value)
            }
            ExprKind::ListComp { element, clauses } | ExprKind::GeneratorExp { element, clauses } => {
                Ok(Value::list(self.comprehend(clauses, scope, &mut |this, scope| this.eval(element, scope))?))
            }
            ExprKind::SetComp { element, clauses } => {
                set_of(self.comprehend(clauses, scope, &mut |this, scope| this.eval(element, scope))?)
            }
            ExprKind::DictComp { key, value, clauses } => {
                let entries = self.comprehend(clauses, scope, &mut |this, scope| {
                    Ok((this.eval(key, scope)?, this.eval(value, scope)?))
                })?;
                Ok(Value::Dict(Rc::new(RefCell::new(Dict::from_entries(entries)?))))
            }
            ExprKind::Starred(_) => Err(Exception::ty("`*` cannot stand here")),
            ExprKind::Bytes(_) => Err(Exception::unsupported("bytes are not supported in host code").at(expr.span)),
            _ => Err(Exception::unsupported("this expression is not supported in host code").at(expr.span)),
        }
    }

    fn lookup(&mut self, name: &'a str, scope: &Rc<Scope<'a>>) -> Result<Value<'a>> {
        if let Some(value) = scope.get(name) {
            return Ok(value);
        }
        if let Some(value) = self.forced(name, scope)? {
            return Ok(value);
        }
        match builtins::find(name) {
            Some(path) => Ok(Value::Path(path.into())),
            None => Err(self.unknown_name(name, scope)),
        }
    }

    pub(crate) fn unknown_name(&self, name: &str, scope: &Rc<Scope<'a>>) -> Box<Exception> {
        let exception = Exception::new("NameError", UNKNOWN_NAME, format!("`{name}` is not defined"));
        let mut known: Vec<&'a str> = scope.visible();
        builtins::names().for_each(|name| known.push(name));
        match suggestion(name, known) {
            Some(help) => exception.help(help),
            None => exception,
        }
    }

    fn eval_items(&mut self, items: &'a [Expr], scope: &Rc<Scope<'a>>) -> Result<Vec<Value<'a>>> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            match &item.kind {
                ExprKind::Starred(inner) => {
                    let sequence = self.eval(inner, scope)?;
                    values.extend(self.items(&sequence).map_err(|e| e.at(item.span))?);
                }
                _ => values.push(self.eval(item, scope)?),
            }
        }
        Ok(values)
    }

    fn eval_dict(&mut self, items: &'a [(Option<Expr>, Expr)], scope: &Rc<Scope<'a>>) -> Result<Value<'a>> {
        let mut dict = Dict::default();
        for (key, value) in items {
            let evaluated = self.eval(value, scope)?;
            match (key, evaluated) {
                (Some(key), evaluated) => {
                    let place = key.span;
                    let key = self.eval(key, scope)?;
                    dict.insert(key, evaluated).map_err(|e| e.at(place))?;
                }
                (None, Value::Dict(rest)) => {
                    for (key, value) in rest.borrow().entries() {
                        dict.insert(key.clone(), value.clone())?;
                    }
                }
                (None, other) => return Err(Exception::ty(format!("`**` needs a dict, not a {}", other.class()))),
            }
        }
        Ok(Value::Dict(Rc::new(RefCell::new(dict))))
    }

    fn eval_bool_op(&mut self, op: BoolOp, values: &'a [Expr], scope: &Rc<Scope<'a>>) -> Result<Value<'a>> {
        let mut result = Value::None;
        for value in values {
            result = self.eval(value, scope)?;
            if result.truth().map_err(|e| e.at(value.span))? == (op == BoolOp::Or) {
                break;
            }
        }
        Ok(result)
    }

    fn eval_compare(
        &mut self,
        left: &'a Expr,
        rest: &'a [(CompareOp, Expr)],
        scope: &Rc<Scope<'a>>,
    ) -> Result<Value<'a>> {
        let mut left = self.eval(left, scope)?;
        let mut result = Value::Bool(true);
        for (i, (op, right)) in rest.iter().enumerate() {
            let right = self.eval(right, scope)?;
            result = self.compare(*op, &left, &right)?;
            if i + 1 < rest.len() && !result.truth()? {
                break;
            }
            left = right;
        }
        Ok(result)
    }

    fn eval_args(&mut self, args: &'a [Argument], call: &'a Expr, scope: &Rc<Scope<'a>>) -> Result<Args<'a>> {
        let mut result = Args { span: call.span, ..Args::default() };
        for arg in args {
            match arg {
                Argument::Positional(value) => result.positional.push(self.eval(value, scope)?),
                Argument::Keyword(name, value) => {
                    let value = self.eval(value, scope)?;
                    push_named(&mut result, name.text.as_str().into(), value).map_err(|e| e.at(name.span))?;
                }
                Argument::Star(value) => {
                    let sequence = self.eval(value, scope)?;
                    result.positional.extend(self.items(&sequence).map_err(|e| e.at(value.span))?);
                }
                Argument::DoubleStar(value) => {
                    let Value::Dict(dict) = self.eval(value, scope)? else {
                        return Err(Exception::ty("`**` needs a dict").at(value.span));
                    };
                    for (key, item) in dict.borrow().entries() {
                        let Value::Str(name) = key else {
                            return Err(Exception::ty("the keys of `**` arguments must be strings").at(value.span));
                        };
                        push_named(&mut result, name.clone(), item.clone()).map_err(|e| e.at(value.span))?;
                    }
                }
            }
        }
        Ok(result)
    }

    fn eval_fstring(&mut self, parts: &'a [FStringPart], scope: &Rc<Scope<'a>>) -> Result<String> {
        let mut out = String::new();
        for part in parts {
            let (value, conversion, format) = match part {
                FStringPart::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                FStringPart::Value { value, conversion, format } => {
                    (value, conversion, format.clone().unwrap_or_default())
                }
                FStringPart::Formatted { value, conversion, format } => {
                    (value, conversion, self.eval_fstring(format, scope)?)
                }
            };
            let evaluated = self.eval(value, scope)?;
            let evaluated = match conversion {
                Some('s') => Value::str(evaluated.display()),
                Some(_) => Value::str(evaluated.repr()),
                None => evaluated,
            };
            out.push_str(&format::apply(&evaluated, &format).map_err(|e| e.at(value.span))?);
            super::operators::check_length(out.len()).map_err(|e| e.at(value.span))?;
        }
        Ok(out)
    }

    /// Runs the clauses of a comprehension and collects what `element` gives.
    fn comprehend<T>(
        &mut self,
        clauses: &'a [Comprehension],
        scope: &Rc<Scope<'a>>,
        element: &mut dyn FnMut(&mut Self, &Rc<Scope<'a>>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let inner = Scope::new(Some(scope.clone()), true);
        let mut out = Vec::new();
        self.comprehend_clause(clauses, &inner, element, &mut out)?;
        Ok(out)
    }

    fn comprehend_clause<T>(
        &mut self,
        clauses: &'a [Comprehension],
        scope: &Rc<Scope<'a>>,
        element: &mut dyn FnMut(&mut Self, &Rc<Scope<'a>>) -> Result<T>,
        out: &mut Vec<T>,
    ) -> Result<()> {
        let Some((clause, rest)) = clauses.split_first() else {
            if out.len() >= MAX_ITEMS {
                return Err(Exception::overflow("a comprehension makes too many items"));
            }
            out.push(element(self, scope)?);
            return Ok(());
        };
        let sequence = self.eval(&clause.iter, scope)?;
        'items: for item in self.items(&sequence).map_err(|e| e.at(clause.iter.span))? {
            self.step()?;
            self.assign(&clause.target, item, scope)?;
            for condition in &clause.conditions {
                if !self.eval(condition, scope)?.truth()? {
                    continue 'items;
                }
            }
            self.comprehend_clause(rest, scope, element, out)?;
        }
        Ok(())
    }

    /// The items of a sequence, as `for` sees them.
    pub(crate) fn items(&mut self, value: &Value<'a>) -> Result<Items<'a>> {
        let items = match value {
            Value::Range(start, stop, step) => {
                let left = range_length(*start, *stop, *step);
                return Ok(Items::Range { next: *start, step: *step, left });
            }
            Value::Tuple(items) => items.to_vec(),
            Value::List(items) => items.borrow().to_vec(),
            Value::Dict(dict) | Value::Set(dict) => {
                dict.borrow().entries().iter().map(|(key, _)| key.clone()).collect()
            }
            Value::Str(text) => text.chars().map(|c| Value::str(c.to_string())).collect(),
            Value::Tensor(tensor) if tensor.rank() > 0 => (0..tensor.shape[0] as i128)
                .map(|index| tensor.select(0, index).map(Value::Tensor))
                .collect::<Result<_>>()?,
            Value::Tensor(_) => return Err(Exception::ty("a tensor without dimensions cannot be iterated")),
            other => return Err(Exception::ty(format!("a {} cannot be iterated", other.class()))),
        };
        Ok(Items::List(items.into_iter()))
    }

    /// The items of a sequence at once, if they are not too many.
    pub(crate) fn collect(&mut self, value: &Value<'a>) -> Result<Vec<Value<'a>>> {
        if let Value::Range(start, stop, step) = value
            && range_length(*start, *stop, *step) > MAX_ITEMS as i128
        {
            return Err(Exception::overflow("this range has too many items for a list"));
        }
        Ok(self.items(value)?.collect())
    }
}

fn push_named<'a>(args: &mut Args<'a>, name: Rc<str>, value: Value<'a>) -> Result<()> {
    if args.named.iter().any(|(given, _)| *given == name) {
        return Err(Exception::argument(format!("the argument `{name}` is given twice")));
    }
    args.named.push((name, value));
    Ok(())
}

pub(crate) fn set_of<'a>(items: Vec<Value<'a>>) -> Result<Value<'a>> {
    let entries = items.into_iter().map(|item| (item, Value::None));
    Ok(Value::Set(Rc::new(RefCell::new(Dict::from_entries(entries)?))))
}
