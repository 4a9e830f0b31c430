//! Functions of tensors: `x.name(…)`, `torch.name(x, …)` and `torch.nn.functional.name(x, …)` are the same function here.
//!
//! This file knows the names and asks the families in turn: shapes, conversions, reductions, changes in place, mathematics.

mod conversion;
mod in_place;
mod indexing;
mod mathematics;
mod parameters;
mod shapes;

use super::args::need;
use super::{Args, Interpreter, convert};
use crate::exception::Result;
use crate::tensor::elementwise::{self, Operator, UNARY};
use crate::tensor::{Tensor, array::promote, check_work};
use crate::value::Value;
use tk_types::ScalarType::{self, F32};

pub(crate) use mathematics::comparison;

const BINARY: &[(&str, Operator)] = &[
    ("add", Operator::Add),
    ("sub", Operator::Sub),
    ("mul", Operator::Mul),
    ("div", Operator::Div),
    ("floor_divide", Operator::FloorDiv),
    ("remainder", Operator::Mod),
    ("pow", Operator::Pow),
    ("maximum", Operator::Maximum),
    ("minimum", Operator::Minimum),
    ("eq", Operator::Eq),
    ("ne", Operator::Ne),
    ("lt", Operator::Lt),
    ("le", Operator::Le),
    ("gt", Operator::Gt),
    ("ge", Operator::Ge),
    ("logical_and", Operator::LogicalAnd),
    ("logical_or", Operator::LogicalOr),
    ("bitwise_and", Operator::BitAnd),
    ("bitwise_or", Operator::BitOr),
    ("bitwise_xor", Operator::BitXor),
];

/// Functions that one of the families has.
const OTHERS: &[&str] = &[
    "stride",
    "size",
    "numel",
    "dim",
    "element_size",
    "is_contiguous",
    "contiguous",
    "t",
    "transpose",
    "permute",
    "reshape",
    "view",
    "unsqueeze",
    "squeeze",
    "expand",
    "expand_as",
    "flatten",
    "to",
    "type",
    "float",
    "half",
    "double",
    "int",
    "long",
    "bool",
    "bfloat16",
    "item",
    "tolist",
    "clone",
    "detach",
    "cpu",
    "cuda",
    "numpy",
    "data_ptr",
    "sum",
    "mean",
    "prod",
    "max",
    "min",
    "amax",
    "amin",
    "argmax",
    "argmin",
    "var",
    "std",
    "norm",
    "any",
    "all",
    "cumsum",
    "cumprod",
    "logsumexp",
    "softmax",
    "log_softmax",
    "sort",
    "argsort",
    "topk",
    "matmul",
    "mm",
    "bmm",
    "dot",
    "fill_",
    "zero_",
    "copy_",
    "normal_",
    "uniform_",
    "clamp",
    "clip",
    "masked_fill",
    "masked_fill_",
    "tril",
    "triu",
    "gather",
    "scatter_add_",
    "index_select",
    "repeat",
    "flip",
    "is_floating_point",
    "requires_grad_",
    "storage_offset",
    "chunk",
    "split",
    "narrow",
    "select",
    "gelu",
    "leaky_relu",
    "where",
    "unbind",
    "add_",
    "mul_",
    "sub_",
    "div_",
    "view_as",
    "reshape_as",
    "type_as",
    "is_cuda",
    "broadcast_to",
    "swapaxes",
    "ravel",
    "untyped_storage",
    "record_stream",
    "new_empty",
    "new_zeros",
    "new_ones",
    "new_full",
    "new_tensor",
    "nonzero",
    "masked_select",
    "repeat_interleave",
    "pad",
    "one_hot",
    "index_add_",
    "index_add",
    "index_copy_",
];

/// Whether tensors have this method.
pub(crate) fn is_method(name: &str) -> bool {
    let in_table = UNARY.iter().any(|(known, _)| *known == name) || BINARY.iter().any(|(known, _)| *known == name);
    in_table || OTHERS.contains(&name)
}

/// All methods, for suggestions.
pub(crate) fn names() -> Vec<&'static str> {
    let of_tables = UNARY.iter().map(|(name, _)| *name).chain(BINARY.iter().map(|(name, _)| *name));
    of_tables.chain(OTHERS.iter().copied()).collect()
}

/// Arguments that only say where a tensor is.
pub(crate) const PLACEMENT: &[&str] =
    &["device", "requires_grad", "pin_memory", "generator", "layout", "memory_format", "non_blocking", "copy"];

impl<'a> Interpreter<'a, '_> {
    /// Calls a function of tensors; nothing when there is none with this name.
    pub(crate) fn tensor_function(&mut self, name: &str, mut args: Args<'a>) -> Result<Option<Value<'a>>> {
        args.ignore(PLACEMENT);
        if let Some((_, function)) = UNARY.iter().find(|(known, _)| *known == name) {
            args.ignore(&["inplace"]);
            let tensor = convert::tensor(&args.one(name)?, "the argument")?;
            check_work(tensor.count())?;
            return Ok(Some(Value::Tensor(function.apply(&tensor))));
        }
        if let Some((_, op)) = BINARY.iter().find(|(known, _)| *known == name) {
            let [a, b] = args.bind(name, ["input", "other"])?;
            let a = convert::need_operand(&need(a, name, "input")?, "input")?;
            let b = convert::need_operand(&need(b, name, "other")?, "other")?;
            return elementwise::binary(*op, &a, &b).map(|tensor| Some(Value::Tensor(tensor)));
        }
        let Some(Value::Tensor(tensor)) = args.positional.first().cloned() else {
            let input = args.take("input").filter(|_| is_method(name));
            let Some(input @ Value::Tensor(_)) = input else { return Ok(None) };
            args.positional.insert(0, input);
            return self.tensor_function(name, args);
        };
        let mut rest = args;
        rest.positional.remove(0);
        let mut rest = parameters::in_place(name, rest)?;
        if let Some(value) = self.place_function(&tensor, name, &mut rest)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.shape_function(&tensor, name, &mut rest)? {
            return Ok(Some(value));
        }
        if let Some(value) = conversion::call(&tensor, name, &mut rest)? {
            return Ok(Some(value));
        }
        check_work(tensor.count())?;
        if let Some(value) = super::reductions::call(&tensor, name, &mut rest)? {
            return Ok(Some(value));
        }
        if let Some(value) = in_place::call(&tensor, name, &mut rest)? {
            return Ok(Some(value));
        }
        mathematics::call(&tensor, name, rest)
    }
}

/// The type that elements of several tensors share.
pub(crate) fn common_type(tensors: &[Tensor]) -> ScalarType {
    tensors.iter().map(|tensor| tensor.dtype).reduce(promote).unwrap_or(F32)
}
