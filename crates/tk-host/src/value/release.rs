//! How values are freed: a program can nest lists, dicts and closures as deep as it runs long, and freeing them by recursion would use up the
//! stack, so each of them hands what it holds to [`dismantle`], which works through a list.

use super::{Dict, Scope, Sequence, Value};
use std::rc::Rc;

impl Drop for Sequence<'_> {
    fn drop(&mut self) {
        dismantle(std::mem::take(&mut self.0));
    }
}

impl Drop for Dict<'_> {
    fn drop(&mut self) {
        dismantle(std::mem::take(&mut self.entries).into_iter().flat_map(|(key, value)| [key, value]).collect());
    }
}

impl Drop for Scope<'_> {
    fn drop(&mut self) {
        let mut work: Vec<Value<'_>> = std::mem::take(&mut *self.names.borrow_mut()).into_values().collect();
        let mut outer = self.outer.take();
        while let Some(mut scope) = outer.and_then(Rc::into_inner) {
            work.extend(std::mem::take(&mut *scope.names.borrow_mut()).into_values());
            outer = scope.outer.take();
        }
        dismantle(work);
    }
}

/// Frees values without recursion.
pub(super) fn dismantle(mut work: Vec<Value<'_>>) {
    while let Some(value) = work.pop() {
        match value {
            Value::Tuple(items) => {
                work.extend(Rc::into_inner(items).map(|mut items| std::mem::take(&mut items.0)).into_iter().flatten())
            }
            Value::List(items) => {
                work.extend(
                    Rc::into_inner(items).map(|items| std::mem::take(&mut items.into_inner().0)).into_iter().flatten(),
                );
            }
            Value::Dict(dict) | Value::Set(dict) => {
                if let Some(dict) = Rc::into_inner(dict) {
                    let entries = std::mem::take(&mut dict.into_inner().entries);
                    work.extend(entries.into_iter().flat_map(|(key, value)| [key, value]));
                }
            }
            Value::Function(function) => {
                if let Some(function) = Rc::into_inner(function) {
                    work.extend(function.defaults.into_iter().flatten());
                    let mut scope = Some(function.scope);
                    while let Some(mut inner) = scope.and_then(Rc::into_inner) {
                        work.extend(std::mem::take(&mut *inner.names.borrow_mut()).into_values());
                        scope = inner.outer.take();
                    }
                }
            }
            Value::Partial(partial) => {
                if let Some(partial) = Rc::into_inner(partial) {
                    work.push(partial.function);
                    work.extend(partial.positional);
                    work.extend(partial.named.into_iter().map(|(_, value)| value));
                }
            }
            Value::Slice(parts) => work.extend(Rc::into_inner(parts).into_iter().flatten()),
            Value::Method(method) => work.extend(Rc::into_inner(method).map(|method| method.0)),
            Value::Launch(launch) => work.extend(Rc::into_inner(launch).map(|launch| launch.1)),
            Value::Instance(instance) => {
                let fields = Rc::into_inner(instance).map(|instance| instance.fields.take()).into_iter().flatten();
                work.extend(fields.map(|(_, value)| value));
            }
            Value::Object(object) => {
                let fields = Rc::into_inner(object).map(|object| object.fields.into_inner()).into_iter().flatten();
                work.extend(fields.map(|(_, value)| value));
            }
            _ => {}
        }
    }
}
