//! Tensor descriptors at a launch: their rules, and the tensor map that a kernel for the tensor memory accelerator takes.
//!
//! The 128 bytes of a map are opaque: on a GPU the driver makes them, on the simulator `tk-sim`. What is checked here is what
//! both would refuse, in the words of the one who wrote the launch, and before the driver is asked.

use crate::Buffer;
use tk_diag::{BAD_LAUNCH, Diagnostic, Result};
use tk_sim::TensorElement;
use tk_types::{ScalarType, TENSOR_MAP_BYTES, TensorMapSpec};

/// A tensor in global memory that a kernel moves blocks of.
#[derive(Clone, Copy, Debug)]
pub struct TensorDescriptor<'a> {
    /// The memory.
    pub buffer: &'a Buffer,
    /// Where in it the tensor starts, in bytes.
    pub offset: usize,
    /// Element type.
    pub element: ScalarType,
    /// Elements along each dimension.
    pub shape: &'a [i64],
    /// Elements from one index to the next along each dimension; the last is 1.
    pub strides: &'a [i64],
}

/// Addresses and strides are multiples of this many bytes.
const ALIGNMENT: u64 = 16;
/// Strides are below this many bytes.
const STRIDE_LIMIT: u64 = 1 << 40;

impl TensorDescriptor<'_> {
    /// The address of the first element.
    pub(crate) fn address(&self) -> u64 {
        self.buffer.address() + self.offset as u64
    }

    /// Says in a sentence what keeps this from being the descriptor of a tensor with `rank` dimensions of `element`.
    pub(crate) fn check(&self, element: ScalarType, rank: usize) -> Result<(), String> {
        if self.element != element {
            return Err(format!("the kernel was compiled for a descriptor of {element}, not of {}", self.element));
        }
        if self.shape.len() != rank || self.strides.len() != rank {
            let (sizes, strides) = (self.shape.len(), self.strides.len());
            return Err(format!("its block has {rank} dimensions, its shape {sizes} and its strides {strides}"));
        }
        if self.offset > self.buffer.len() {
            return Err(format!("byte {} is past the end of a buffer of {} bytes", self.offset, self.buffer.len()));
        }
        if !self.address().is_multiple_of(ALIGNMENT) {
            let over = self.address() % ALIGNMENT;
            return Err(format!("its tensor starts {over} bytes after a multiple of {ALIGNMENT} bytes"));
        }
        if let Some(size) = self.shape.iter().find(|size| !(1..=i64::from(i32::MAX)).contains(*size)) {
            return Err(format!("its shape has a dimension of {size}; sizes are 1 to {}", i32::MAX));
        }
        let (last, others) = self.strides.split_last().map_or((1, &[][..]), |(last, others)| (*last, others));
        if last != 1 {
            return Err(format!("its last stride is {last}, and the last dimension must be contiguous"));
        }
        for stride in others {
            let bytes = u64::try_from(*stride).ok().and_then(|stride| stride.checked_mul(u64::from(element.bytes())));
            match bytes {
                Some(bytes) if bytes.is_multiple_of(ALIGNMENT) && bytes < STRIDE_LIMIT => {}
                _ => {
                    let bytes = i128::from(*stride) * i128::from(element.bytes());
                    return Err(format!(
                        "a stride of {stride} elements is {bytes} bytes, and strides are multiples of {ALIGNMENT} bytes below 2^40"
                    ));
                }
            }
        }
        Ok(())
    }

    /// What the map of this tensor says. [`Self::check`] has found nothing wrong.
    pub(crate) fn map<'a>(&self, spec: &'a TensorMapSpec) -> TensorMap<'a> {
        let bytes = u64::from(self.element.bytes());
        TensorMap {
            spec,
            address: self.address(),
            sizes: self.shape.iter().rev().map(|size| *size as u64).collect(),
            strides: self.strides.iter().rev().skip(1).map(|stride| *stride as u64 * bytes).collect(),
            block: spec.block.iter().rev().copied().collect(),
        }
    }
}

/// What a tensor map says, in the order of the hardware: the contiguous dimension first.
#[derive(Debug)]
pub(crate) struct TensorMap<'a> {
    pub(crate) spec: &'a TensorMapSpec,
    pub(crate) address: u64,
    /// Elements along each dimension.
    pub(crate) sizes: Vec<u64>,
    /// Bytes from one index to the next, of every dimension but the first.
    pub(crate) strides: Vec<u64>,
    /// Elements that one copy moves along each dimension.
    pub(crate) block: Vec<u32>,
}

/// The bytes of a tensor map where a launch takes them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(128))]
pub(crate) struct MapBytes(pub(crate) [u8; TENSOR_MAP_BYTES as usize]);

impl<'a> TensorMap<'a> {
    /// The map of a matrix at `address` whose rows are `stride` elements apart. It has no end: the kernel asks for nothing outside of what the
    /// program would load through the pointer. The error is a sentence about the address or the stride.
    pub(crate) fn without_end(spec: &'a TensorMapSpec, address: u64, stride: i64) -> Result<Self, String> {
        if !address.is_multiple_of(ALIGNMENT) {
            return Err(format!("its address was to be a multiple of {ALIGNMENT} bytes, and is not"));
        }
        let bytes = u64::try_from(stride).unwrap_or(0) * u64::from(spec.element.bytes());
        if bytes == 0 || !bytes.is_multiple_of(ALIGNMENT) {
            return Err(format!(
                "the stride of its rows was to be a positive multiple of {ALIGNMENT} bytes, and is {stride} elements"
            ));
        }
        let block = spec.block.iter().rev().copied().collect();
        Ok(Self { spec, address, sizes: vec![i32::MAX as u64; 2], strides: vec![bytes], block })
    }
}

impl TensorMap<'_> {
    /// The map as the simulator reads it.
    pub(crate) fn encode_for_simulator(&self) -> Result<MapBytes> {
        let Some(element) = tensor_element(self.spec.element) else {
            let message = format!("a tensor map has no elements of type {}", self.spec.element);
            return Err(Diagnostic::error(BAD_LAUNCH, message).boxed());
        };
        let map = tk_sim::TensorMap {
            address: self.address,
            element,
            sizes: self.sizes.iter().map(|size| *size as u32).collect(),
            strides: self.strides.clone(),
            block: self.block.clone(),
            element_strides: vec![1; self.block.len()],
            swizzle_bytes: self.spec.swizzle_bytes,
            fill_nan: self.spec.pad_nan,
        };
        tk_sim::encode_tensor_map(&map).map(MapBytes)
    }
}

/// How a tensor map names an element type: floats of 8 bits are bytes to it. `None` for types that it does not have.
pub fn tensor_element(scalar: ScalarType) -> Option<TensorElement> {
    Some(match scalar {
        ScalarType::I1 | ScalarType::F8E4B15 => return None,
        ScalarType::I8 | ScalarType::U8 => TensorElement::U8,
        ScalarType::I16 | ScalarType::U16 => TensorElement::U16,
        ScalarType::U32 => TensorElement::U32,
        ScalarType::I32 => TensorElement::S32,
        ScalarType::U64 => TensorElement::U64,
        ScalarType::I64 => TensorElement::S64,
        ScalarType::F16 => TensorElement::F16,
        ScalarType::BF16 => TensorElement::BF16,
        ScalarType::F32 => TensorElement::F32,
        ScalarType::F64 => TensorElement::F64,
        ScalarType::F8E4M3 | ScalarType::F8E5M2 | ScalarType::F8E4M3B8 | ScalarType::F8E5M2B16 => TensorElement::U8,
    })
}
