//! Arrays that go into a program and come out of it: the caller reads and writes files, host code does not.

use crate::exception::{Exception, Result};
use crate::tensor::Tensor;
use crate::value::Value;
use tk_diag::{HOST_ERROR, UNINITIALISED};
use tk_types::ScalarType;

/// An array in C order.
#[derive(Clone, Debug, PartialEq)]
pub struct HostArray {
    /// The type of its elements.
    pub ty: ScalarType,
    /// Its sizes; none for a single element.
    pub shape: Vec<usize>,
    /// Its elements, little-endian, as many bytes as type and shape say.
    pub bytes: Vec<u8>,
}

impl HostArray {
    /// As a value of the program.
    pub(crate) fn tensor(&self) -> Result<Tensor> {
        let width = self.ty.bytes() as usize;
        let bytes = self.shape.iter().try_fold(width, |bytes, size| bytes.checked_mul(*size));
        match bytes == Some(self.bytes.len()) {
            true => Ok(Tensor::from_bytes(self.ty, self.shape.clone(), self.bytes.clone())),
            false => Err(Exception::value("the bytes of an array are not as many as its shape says")),
        }
    }

    fn of(tensor: &Tensor) -> Result<Self> {
        let copy = tensor.copied();
        if !copy.buffer.unwritten().is_empty() {
            let message = "`main` returns a tensor with elements that nothing has written";
            return Err(Exception::new("RuntimeError", UNINITIALISED, message));
        }
        let bytes = copy.buffer.bytes().clone();
        Ok(Self { ty: tensor.dtype, shape: tensor.shape.clone(), bytes })
    }
}

/// The tensors that `main` returned: one, or those of a tuple or list.
pub(crate) fn returned(value: &Value<'_>, wanted: usize) -> Result<Vec<HostArray>> {
    let tensors: Vec<Tensor> = match value {
        Value::Tensor(tensor) => vec![tensor.clone()],
        Value::Tuple(items) => items.iter().filter_map(as_tensor).collect(),
        Value::List(items) => items.borrow().iter().filter_map(as_tensor).collect(),
        _ => Vec::new(),
    };
    if tensors.len() < wanted {
        let message = format!("`main` returns {} tensors, and {wanted} are to be saved", tensors.len());
        return Err(Exception::new("ValueError", HOST_ERROR, message).help("write `return y`, or `return y, z`"));
    }
    tensors.iter().take(wanted).map(HostArray::of).collect()
}

fn as_tensor(value: &Value<'_>) -> Option<Tensor> {
    match value {
        Value::Tensor(tensor) => Some(tensor.clone()),
        _ => None,
    }
}
