//! Tensor descriptors at a launch: their rules, and the tensor map that a kernel for the tensor memory accelerator takes.
//!
//! The 128 bytes of a map are opaque: on a GPU the driver makes them, on the simulator `tk-sim`. What is checked here is what
//! both would refuse, in the words of the one who wrote the launch, and before the driver is asked.

use crate::{ArgumentFault, DeviceAddress};
use tk_image::{MAX_RANK, TENSOR_MAP_BYTES, TensorMapSpec};
use tk_types::ScalarType;

/// A tensor in global memory that a kernel moves blocks of.
#[derive(Clone, Copy, Debug)]
pub struct Descriptor<'a> {
    /// Where its first element is.
    pub address: DeviceAddress,
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

impl Descriptor<'_> {
    /// What keeps this from being the descriptor of a tensor with `rank` dimensions of `element`.
    pub(crate) fn check(&self, element: ScalarType, rank: usize) -> Result<(), ArgumentFault> {
        if self.element != element {
            return Err(ArgumentFault::DescriptorElement { wanted: element, given: self.element });
        }
        let (sizes, strides) = (self.shape.len(), self.strides.len());
        if sizes != rank || strides != rank {
            return Err(ArgumentFault::DescriptorRank { rank, sizes, strides });
        }
        let over = self.address.raw() % ALIGNMENT;
        if over != 0 {
            return Err(ArgumentFault::DescriptorAddress { over });
        }
        if let Some(size) = self.shape.iter().find(|size| !(1..=i64::from(i32::MAX)).contains(*size)) {
            return Err(ArgumentFault::DescriptorSize { size: *size });
        }
        let (last, others) = self.strides.split_last().map_or((1, &[][..]), |(last, others)| (*last, others));
        if last != 1 {
            return Err(ArgumentFault::LastStride { stride: last });
        }
        for stride in others {
            let bytes = u64::try_from(*stride).ok().and_then(|stride| stride.checked_mul(u64::from(element.bytes())));
            if !bytes.is_some_and(|bytes| bytes.is_multiple_of(ALIGNMENT) && bytes < STRIDE_LIMIT) {
                return Err(ArgumentFault::Stride { stride: *stride, element });
            }
        }
        Ok(())
    }

    /// What the map of this tensor says. [`Self::check`] has found nothing wrong.
    pub(crate) fn map<'a>(&self, spec: &'a TensorMapSpec) -> TensorMap<'a> {
        let mut map = TensorMap::of(spec, self.address.raw());
        let bytes = u64::from(self.element.bytes());
        for (at, size) in self.shape.iter().rev().enumerate() {
            map.sizes[at] = *size as u64;
        }
        for (at, stride) in self.strides.iter().rev().skip(1).enumerate() {
            map.strides[at] = *stride as u64 * bytes;
        }
        map
    }
}

/// What a tensor map says, in the order of the hardware: the contiguous dimension first.
#[derive(Debug)]
pub struct TensorMap<'a> {
    /// Element type, swizzle and padding.
    pub spec: &'a TensorMapSpec,
    /// Where the tensor begins.
    pub address: u64,
    rank: usize,
    sizes: [u64; MAX_RANK],
    strides: [u64; MAX_RANK],
    block: [u32; MAX_RANK],
}

impl<'a> TensorMap<'a> {
    fn of(spec: &'a TensorMapSpec, address: u64) -> Self {
        let mut block = [1; MAX_RANK];
        block.iter_mut().zip(spec.block.iter().rev()).for_each(|(to, size)| *to = *size);
        let rank = spec.block.len().min(MAX_RANK);
        Self { spec, address, rank, sizes: [1; MAX_RANK], strides: [0; MAX_RANK], block }
    }

    /// The size of a dimension that has no end: the kernel asks for nothing outside of what the program would load through the pointer.
    pub(crate) const NO_END: u64 = i32::MAX as u64;

    /// The map of a matrix at `address` whose rows are `stride` elements apart. Its sizes start with the columns.
    pub(crate) fn of_pointer(
        spec: &'a TensorMapSpec,
        address: u64,
        stride: i64,
        sizes: [u64; 2],
    ) -> Result<Self, ArgumentFault> {
        if !address.is_multiple_of(ALIGNMENT) {
            return Err(ArgumentFault::MapAddress);
        }
        let bytes = u64::try_from(stride).unwrap_or(0) * u64::from(spec.element.bytes());
        if bytes == 0 || !bytes.is_multiple_of(ALIGNMENT) {
            return Err(ArgumentFault::MapStride { stride });
        }
        let mut map = Self::of(spec, address);
        map.sizes[..2].copy_from_slice(&sizes);
        map.strides[0] = bytes;
        Ok(map)
    }

    /// Elements along each dimension.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes[..self.rank]
    }

    /// Bytes from one index to the next, of every dimension but the first.
    pub fn strides(&self) -> &[u64] {
        &self.strides[..self.rank.saturating_sub(1)]
    }

    /// Elements that one copy moves along each dimension.
    pub fn block(&self) -> &[u32] {
        &self.block[..self.rank]
    }
}

/// The bytes of a tensor map where a launch takes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct MapBytes(pub [u8; TENSOR_MAP_BYTES as usize]);
