//! Functions and calls.

use super::view;
use crate::{Attribute, Block, Type, Value};

/// Attribute of a parameter that is a descriptor: what lies outside its tensor, in the numbers of `tt.make_tensor_descriptor`.
pub const PADDING: &str = "tt.padding";

/// The value of [`PADDING`] for NaN; without the attribute there are zeros.
pub const PADDING_NAN: i64 = 2;

/// Attribute of a parameter that is a descriptor: the last size of its tensor is no multiple of 16 bytes. Without it, the launch promises
/// that it is one.
pub const RAGGED: &str = "tt.ragged";

/// Attribute of a pointer parameter that was a descriptor before it was rewritten for a GPU without tensor maps: the rank. The
/// next parameters are the sizes (`i32`) and strides (`i64`) of the tensor.
pub const DESCRIPTOR: &str = "tt.descriptor";

/// Attribute of a number that is a parameter: it is positive.
pub const POSITIVE: &str = "tk.positive";

/// Attribute of a parameter that is a descriptor of the compiler's making, no argument of the launch: the number of the pointer parameter that
/// its tensor starts at. The tensor has two axes, and sizes that nothing reaches.
pub const MAP_BASE: &str = "tk.map_base";

/// Attribute beside [`MAP_BASE`]: the number of the parameter that is the distance of two rows, in elements.
pub const MAP_STRIDE: &str = "tk.map_stride";

view! {
    /// `tt.func`.
    FuncOp = TtFunc {}
    /// `tt.call`.
    CallOp = TtCall {}
}

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

impl<'c> CallOp<'c> {
    /// The name of the called function.
    pub fn callee(self) -> &'c str {
        self.op.str_attr("callee").unwrap_or_default()
    }

    /// The arguments.
    pub fn args(self) -> Vec<Value<'c>> {
        self.op.operands()
    }
}
