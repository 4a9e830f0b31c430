//! Methods that change the tensor: their names end in `_`.

use super::BINARY;
use crate::exception::Result;
use crate::interpreter::{Args, convert};
use crate::tensor::Tensor;
use crate::tensor::elementwise::{self, Operand, Operator};
use crate::tensor::rearrange::scatter_add;
use crate::value::Value;

/// Changes the tensor and gives it back; nothing when there is no such method.
pub(super) fn call<'a>(tensor: &Tensor, name: &str, args: &mut Args<'a>) -> Result<Option<Value<'a>>> {
    let Some(base) = name.strip_suffix('_') else { return Ok(None) };
    let first = args.positional.first().cloned().unwrap_or(Value::Int(0));
    match base {
        "zero" | "fill" | "copy" => tensor.assign(&convert::need_operand(&first, "the value")?.tensor)?,
        "add" | "sub" | "mul" | "div" => {
            let op = BINARY.iter().find(|(known, _)| *known == base).map_or(Operator::Add, |(_, op)| *op);
            let result =
                elementwise::binary(op, &Operand::tensor(tensor.clone()), &convert::need_operand(&first, "other")?)?;
            tensor.assign(&result)?;
        }
        "masked_fill" => {
            let value = convert::need_operand(args.positional.get(1).unwrap_or(&Value::None), "value")?;
            let mask = convert::tensor(&first, "mask")?;
            tensor.assign(&elementwise::choose(&mask, &value, &Operand::tensor(tensor.clone()))?)?;
        }
        "scatter_add" => {
            let axis = tensor.axis(convert::int(&first, "dim")?)?;
            let index = convert::tensor(args.positional.get(1).unwrap_or(&Value::None), "index")?;
            let source = convert::tensor(args.positional.get(2).unwrap_or(&Value::None), "src")?;
            scatter_add(tensor, axis, &index, &source)?;
        }
        _ => return Ok(None),
    }
    Ok(Some(Value::Tensor(tensor.clone())))
}
