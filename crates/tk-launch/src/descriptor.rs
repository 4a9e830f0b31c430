//! Tensor descriptors on buffers, and the tensor maps of the simulator. `tk-runtime` checks descriptors for both kinds of device.

use crate::Buffer;
use tk_runtime::{Error, MapBytes, TensorMap};
use tk_sim::TensorElement;
use tk_types::ScalarType;

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

/// The map as the simulator reads it.
pub(crate) fn encode_for_simulator(map: &TensorMap<'_>) -> Result<MapBytes, Error> {
    let spec = map.spec;
    let Some(element) = tensor_element(spec.element) else {
        return Err(Error::TensorMap(format!("its elements are {}", spec.element)));
    };
    let map = tk_sim::TensorMap {
        address: map.address,
        element,
        sizes: map.sizes().iter().map(|size| *size as u32).collect(),
        strides: map.strides().to_vec(),
        block: map.block().to_vec(),
        element_strides: vec![1; map.block().len()],
        swizzle_bytes: spec.swizzle_bytes,
        fill_nan: spec.pad_nan,
    };
    tk_sim::encode_tensor_map(&map).map(MapBytes).map_err(|fault| Error::TensorMap(fault.message))
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
