//! `TensorDescriptor` of `triton.tools.tensor_descriptor`: a tensor whose blocks the hardware copies.
//!
//! Its fields can be set after it was made, as the `pre_hook` of a configuration sets `block_shape`. So what only the fields
//! together can break is checked at the launch; what Triton refuses when a descriptor is made is refused then.

use super::args::need;
use super::{Args, Interpreter, convert};
use crate::exception::{Exception, Result};
use crate::launch::LaunchArg;
use crate::tensor::Tensor;
use crate::value::{Object, TENSOR_DESCRIPTOR, Value};
use tk_diag::BAD_LAUNCH;
use tk_types::{DescriptorType, ScalarType};

/// Most dimensions of a descriptor.
const MAX_RANK: usize = 5;
/// The address of the tensor and its strides are multiples of so many bytes; a row of a block has at least as many.
const UNIT_BYTES: i128 = 16;
/// Most elements of a block.
const MAX_ELEMENTS: i128 = 1 << 20;

/// `TensorDescriptor(base, shape, strides, block_shape)`.
pub(crate) fn make<'a>(args: Args<'a>) -> Result<Value<'a>> {
    let names = ["base", "shape", "strides", "block_shape", "padding", "round_f32_to_tf32"];
    let [base, shape, strides, block, padding, round] = args.bind(TENSOR_DESCRIPTOR, names)?;
    let fields = [base, shape, strides, block].into_iter().zip(names);
    let fields: Vec<Value<'a>> =
        fields.map(|(value, name)| need(value, TENSOR_DESCRIPTOR, name)).collect::<Result<_>>()?;
    let [base, shape, strides, block] = &fields[..] else { return Ok(Value::None) };
    of_parts(base.clone(), [shape, strides, block].map(Value::clone), padding, round)
}

/// `TensorDescriptor.from_tensor(tensor, block_shape)`.
pub(crate) fn from_tensor<'a>(args: Args<'a>) -> Result<Value<'a>> {
    let name = "TensorDescriptor.from_tensor";
    let [tensor, block, padding, round] = args.bind(name, ["tensor", "block_shape", "padding", "round_f32_to_tf32"])?;
    let base = convert::tensor(&need(tensor, name, "tensor")?, "tensor")?;
    let (shape, strides) = (Value::sizes(&base.shape), Value::sizes(&base.strides));
    of_parts(Value::Tensor(base), [shape, strides, need(block, name, "block_shape")?], padding, round)
}

fn of_parts<'a>(
    base: Value<'a>,
    [shape, strides, block]: [Value<'a>; 3],
    padding: Option<Value<'a>>,
    round: Option<Value<'a>>,
) -> Result<Value<'a>> {
    if round.is_some_and(|round| !matches!(round, Value::Bool(false))) {
        let exception = Exception::unsupported("round_f32_to_tf32 is not available here");
        return Err(exception.help("round in the kernel, or let `tl.dot` round with input_precision=\"tf32\""));
    }
    let fields = [
        ("base", base),
        ("shape", shape),
        ("strides", strides),
        ("block_shape", block),
        ("padding", padding.unwrap_or_else(|| Value::str("zero"))),
    ];
    let value = Interpreter::object(TENSOR_DESCRIPTOR, fields.into_iter().map(|(name, v)| (name.into(), v)).collect());
    if let Value::Object(object) = &value {
        Parts::of(object)?.check()?;
    }
    Ok(value)
}

/// The tensor of a tensor or a descriptor.
pub(crate) fn tensor_of(value: &Value<'_>) -> Option<Tensor> {
    match value {
        Value::Tensor(tensor) => Some(tensor.clone()),
        Value::Object(object) if object.class == TENSOR_DESCRIPTOR => match object.field("base") {
            Some(Value::Tensor(tensor)) => Some(tensor),
            _ => None,
        },
        _ => None,
    }
}

/// A descriptor as the launcher takes it.
pub(crate) fn argument(object: &Object<'_>) -> Result<LaunchArg> {
    let parts = Parts::of(object)?;
    parts.check()?;
    let element = parts.base.dtype;
    if matches!(element, ScalarType::I1 | ScalarType::F8E4B15) {
        return Err(refused(format!("tensor descriptors have no elements of type {element}")));
    }
    let row = parts.block.last().copied().unwrap_or(1) * i128::from(element.bytes());
    if row < UNIT_BYTES {
        let message = format!("a row of the block {:?} has {row} bytes, and descriptors copy at least 16", parts.block);
        return Err(refused(message).help("make the last entry of block_shape larger"));
    }
    let row_of_tensor = parts.shape.last().copied().unwrap_or(1) * i128::from(element.bytes());
    let narrow = |values: &[i128]| values.iter().map(|value| *value as i64).collect::<Vec<i64>>();
    Ok(LaunchArg::Descriptor {
        buffer: parts.base.buffer.clone(),
        byte_offset: parts.base.offset * parts.base.width(),
        ty: DescriptorType {
            element,
            block: parts.block.iter().map(|size| *size as u32).collect(),
            pad_nan: parts.pad_nan,
            ragged: row_of_tensor % UNIT_BYTES != 0,
        },
        shape: narrow(&parts.shape),
        strides: narrow(&parts.strides),
    })
}

/// The fields of a descriptor as what they should be.
struct Parts {
    base: Tensor,
    shape: Vec<i128>,
    strides: Vec<i128>,
    block: Vec<i128>,
    pad_nan: bool,
}

impl Parts {
    fn of(object: &Object<'_>) -> Result<Self> {
        let field = |name: &str| object.field(name).unwrap_or(Value::None);
        let pad_nan = match field("padding") {
            Value::Str(text) if &*text == "zero" => false,
            Value::Str(text) if &*text == "nan" => true,
            other => {
                let message = format!("{} is not a padding of a descriptor", other.repr());
                return Err(refused(message).help("there are \"zero\" and \"nan\""));
            }
        };
        Ok(Self {
            base: convert::tensor(&field("base"), "the base of a descriptor")?,
            shape: convert::ints(&field("shape"), "a size of a descriptor")?,
            strides: convert::ints(&field("strides"), "a stride of a descriptor")?,
            block: convert::ints(&field("block_shape"), "a size of a block")?,
            pad_nan,
        })
    }

    /// The rules that hold at all times.
    fn check(&self) -> Result<()> {
        let rank = self.shape.len();
        if !(1..=MAX_RANK).contains(&rank) {
            return Err(refused(format!("a tensor descriptor has 1 to {MAX_RANK} dimensions, not {rank}")));
        }
        if self.strides.len() != rank || self.block.len() != rank {
            let (strides, block) = (self.strides.len(), self.block.len());
            let message = format!("a descriptor has {rank} sizes, {strides} strides and {block} sizes of a block");
            return Err(refused(message).help("give one of each per dimension"));
        }
        self.check_block()?;
        if let Some(size) = self.shape.iter().find(|size| !(1..=i128::from(i32::MAX)).contains(*size)) {
            return Err(refused(format!("a descriptor's tensor cannot have {size} elements along a dimension")));
        }
        let width = i128::from(self.base.dtype.bytes());
        let start = (self.base.offset * self.base.width()) as i128;
        if start % UNIT_BYTES != 0 {
            let message =
                format!("a descriptor's tensor starts {} bytes after a multiple of 16 bytes", start % UNIT_BYTES);
            return Err(refused(message).help("begin at an element that lies 16-byte aligned, or use pointers"));
        }
        if self.strides[rank - 1] != 1 {
            let message = format!("a descriptor's last stride is {}, not 1", self.strides[rank - 1]);
            return Err(refused(message).help("describe the tensor with its contiguous dimension last"));
        }
        for stride in &self.strides[..rank - 1] {
            if *stride < 0 || stride.saturating_mul(width) % UNIT_BYTES != 0 || *stride >= 1 << 40 {
                let bytes = stride.saturating_mul(width);
                let message = format!("a descriptor's stride of {stride} elements is {bytes} bytes, no multiple of 16");
                return Err(refused(message).help("pad the rows of the tensor, or use pointers"));
            }
        }
        if self.pad_nan && (!self.base.dtype.is_float() || self.base.dtype.is_fp8()) {
            return Err(refused(format!("descriptors of {} cannot pad with NaN", self.base.dtype)));
        }
        Ok(())
    }

    fn check_block(&self) -> Result<()> {
        if let Some(size) = self.block.iter().find(|size| **size <= 0) {
            let message = format!("a block dimension must be positive, and {size} is not");
            return Err(refused(message));
        }
        let elements = self.block.iter().fold(1i128, |n, size| n.saturating_mul(*size));
        if elements > MAX_ELEMENTS {
            return Err(refused(format!("a block of {elements} elements has more than {MAX_ELEMENTS}")));
        }
        Ok(())
    }
}

/// Triton asserts these rules.
fn refused(message: impl Into<String>) -> Box<Exception> {
    Exception::new("AssertionError", BAD_LAUNCH, message)
}
