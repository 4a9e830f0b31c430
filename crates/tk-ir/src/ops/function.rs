//! Functions: their names, bodies and parameters.

use super::FuncOp;
use crate::{Attribute, Block, Type, Value};

impl<'c> FuncOp<'c> {
    /// Its symbol name.
    pub fn name(self) -> &'c str {
        self.op.str_attr("sym_name").unwrap_or_default()
    }

    /// A kernel (called from the host) and not a helper.
    pub fn is_public(self) -> bool {
        self.op.str_attr("sym_visibility").is_none_or(|visibility| visibility == "public")
    }

    /// Whether its calls stay calls.
    pub fn is_noinline(self) -> bool {
        self.op.int_attr("noinline").is_some_and(|flag| flag != 0)
    }

    /// Its type.
    pub fn ty(self) -> Option<Type<'c>> {
        self.op.attr("function_type")?.as_type()
    }

    /// The first block; `None` for a declaration.
    pub fn body(self) -> Option<Block<'c>> {
        self.op.region(0).first_block()
    }

    /// Its parameters inside the body.
    pub fn args(self) -> Vec<Value<'c>> {
        self.body().map(Block::arguments).unwrap_or_default()
    }

    /// An attribute of a parameter, such as `tt.divisibility`.
    pub fn arg_attr(self, index: usize, name: &str) -> Option<Attribute<'c>> {
        let all = self.op.attr("arg_attrs")?.as_array()?;
        all.get(index)?.as_dict()?.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Every attribute of a parameter.
    pub fn arg_attrs(self, index: usize) -> Vec<(&'c str, Attribute<'c>)> {
        let all = self.op.attr("arg_attrs").and_then(|attrs| attrs.as_array()).unwrap_or_default();
        all.get(index).and_then(|attrs| attrs.as_dict()).unwrap_or_default()
    }

    /// Sets an attribute of a parameter.
    pub fn set_arg_attr(self, index: usize, name: &str, value: Attribute<'c>) {
        let context = self.op.context();
        let count = self.ty().map_or(0, |ty| ty.function_inputs().len());
        let all: Vec<Attribute<'c>> = (0..count)
            .map(|arg| {
                let mut entries: Vec<(&str, Attribute<'c>)> = self.arg_attrs(arg);
                if arg == index {
                    entries.retain(|(key, _)| *key != name);
                    entries.push((name, value));
                }
                context.dict_attr(&entries)
            })
            .collect();
        self.op.set_attr("arg_attrs", context.array_attr(&all));
    }
}
