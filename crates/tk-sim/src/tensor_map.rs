//! Tensor maps: what a bulk tensor copy knows of a tensor in global memory.
//!
//! The 128 bytes of a real tensor map are opaque; those of the simulator are documented here. All numbers are little-endian and
//! all fields hold what `tensormap.replace` takes, so zero bytes with every field replaced are a valid map:
//!
//! | bytes | field |
//! |---|---|
//! | 0 to 7 | address of the tensor |
//! | 8 | element type: 0 u8, 1 u16, 2 u32, 3 s32, 4 u64, 5 s64, 6 f16, 7 f32, 8 f32.ftz, 9 f64, 10 bf16, 11 tf32, 12 tf32.ftz |
//! | 9 | interleave: 0, none |
//! | 10 | swizzle: 0 none, 1 32 bytes, 2 64 bytes, 3 128 bytes |
//! | 11 | fill outside the tensor: 0 zeros, 1 NaN |
//! | 12 | rank minus 1 |
//! | 16 to 35 | five sizes of the tensor, elements, innermost first |
//! | 36 to 55 | five sizes of the box, elements |
//! | 56 to 87 | four strides, bytes, of all dimensions but the innermost |
//! | 88 to 107 | five element strides |

use crate::descriptor::Swizzle;
use tk_diag::{BAD_LAUNCH, Diagnostic, Result};

/// Bytes of a tensor map.
pub const TENSOR_MAP_BYTES: usize = 128;

/// Element type of a tensor map, numbered as in PTX and in the CUDA driver.
#[allow(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TensorElement {
    U8,
    U16,
    U32,
    S32,
    U64,
    S64,
    F16,
    F32,
    F32Ftz,
    F64,
    BF16,
    TF32,
    TF32Ftz,
}

const ELEMENTS: [TensorElement; 13] = {
    use TensorElement::{BF16, F16, F32, F32Ftz, F64, S32, S64, TF32, TF32Ftz, U8, U16, U32, U64};
    [U8, U16, U32, S32, U64, S64, F16, F32, F32Ftz, F64, BF16, TF32, TF32Ftz]
};

impl TensorElement {
    /// Size in bytes.
    pub fn bytes(self) -> u32 {
        use TensorElement::{BF16, F16, F64, S64, U8, U16, U64};
        match self {
            U8 => 1,
            U16 | F16 | BF16 => 2,
            U64 | S64 | F64 => 8,
            _ => 4,
        }
    }

    /// The element that fills places outside a tensor of floats when it is NaN; `None` for integers.
    pub(crate) fn nan(self) -> Option<u64> {
        use TensorElement::{BF16, F16, F32, F32Ftz, F64, TF32, TF32Ftz};
        match self {
            F16 | BF16 => Some(0x7FFF),
            F32 | F32Ftz | TF32 | TF32Ftz => Some(0x7FFF_FFFF),
            F64 => Some(0x7FFF_FFFF_FFFF_FFFF),
            _ => None,
        }
    }

    /// The PTX type that reductions use.
    pub(crate) fn ptx_type(self) -> tk_ptx::Type {
        use TensorElement::{BF16, F16, F64, S32, S64, U8, U16, U32, U64};
        use tk_ptx::Type;
        match self {
            U8 => Type::U8,
            U16 => Type::U16,
            U32 => Type::U32,
            S32 => Type::S32,
            U64 => Type::U64,
            S64 => Type::S64,
            F16 => Type::F16,
            BF16 => Type::BF16,
            F64 => Type::F64,
            _ => Type::F32,
        }
    }
}

/// A tensor in global memory and the box that one copy moves. Dimension 0 is the innermost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorMap {
    /// Address of the first element, a multiple of 16.
    pub address: u64,
    /// Element type.
    pub element: TensorElement,
    /// Sizes of the tensor in elements, 1 to 5 of them.
    pub sizes: Vec<u32>,
    /// Bytes from one index to the next, of dimension 1 and up; multiples of 16.
    pub strides: Vec<u64>,
    /// Sizes of the box in elements, each 1 to 256.
    pub block: Vec<u32>,
    /// Every how many elements of the box one is taken, each 1 to 8.
    pub element_strides: Vec<u32>,
    /// Bytes of the swizzle pattern's row in shared memory: 0, 32, 64 or 128.
    pub swizzle_bytes: u32,
    /// Elements outside the tensor read as NaN, not zero.
    pub fill_nan: bool,
}

impl TensorMap {
    /// Decodes 128 bytes and checks every rule of PTX that the simulator knows; the error is a sentence.
    pub(crate) fn decode(bytes: &[u8; TENSOR_MAP_BYTES]) -> std::result::Result<Self, String> {
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let rank = usize::from(bytes[12]) + 1;
        if rank > 5 {
            return Err(format!("it has rank {rank}; there are 1 to 5 dimensions"));
        }
        let Some(element) = ELEMENTS.get(usize::from(bytes[8])).copied() else {
            return Err(format!("the simulator does not know its element type {}", bytes[8]));
        };
        if bytes[9] != 0 {
            return Err("the simulator does not know interleaved layouts".to_string());
        }
        if bytes[10] > 3 || bytes[11] > 1 {
            return Err(format!("it has swizzle mode {} and fill mode {}", bytes[10], bytes[11]));
        }
        let words = |at: usize| (0..rank).map(|d| word(at + 4 * d)).collect::<Vec<u32>>();
        let map = Self {
            address: long(0),
            element,
            sizes: words(16),
            strides: (0..rank - 1).map(|d| long(56 + 8 * d)).collect(),
            block: words(36),
            element_strides: words(88),
            swizzle_bytes: [0, 32, 64, 128][usize::from(bytes[10])],
            fill_nan: bytes[11] == 1,
        };
        map.check().map(|()| map)
    }

    /// The rules of `cuTensorMapEncodeTiled`.
    fn check(&self) -> std::result::Result<(), String> {
        let rank = self.sizes.len();
        if !(1..=5).contains(&rank) {
            return Err(format!("it has rank {rank}; there are 1 to 5 dimensions"));
        }
        if [self.block.len(), self.element_strides.len(), self.strides.len() + 1] != [rank; 3] {
            return Err("its lists differ in length".to_string());
        }
        if !self.address.is_multiple_of(16) {
            return Err(format!("its address {:#x} is not a multiple of 16", self.address));
        }
        for (d, size) in self.sizes.iter().enumerate() {
            let (block, stride) = (self.block[d], self.element_strides[d]);
            if *size == 0 || !(1..=256).contains(&block) || !(1..=8).contains(&stride) {
                return Err(format!("dimension {d} has size {size}, box {block} and element stride {stride}"));
            }
        }
        if let Some(stride) = self.strides.iter().find(|s| !s.is_multiple_of(16) || **s >= 1 << 40) {
            return Err(format!("a stride of {stride} bytes; strides are multiples of 16 below 2^40"));
        }
        if self.fill_nan && self.element.nan().is_none() {
            return Err("integers cannot be filled with NaN".to_string());
        }
        let row = self.row_bytes();
        if !row.is_multiple_of(16) {
            return Err(format!("a row of its box has {row} bytes, not a multiple of 16"));
        }
        match self.swizzle_bytes {
            0 => Ok(()),
            32 | 64 | 128 if row == self.swizzle_bytes => Ok(()),
            32 | 64 | 128 if row > self.swizzle_bytes => {
                Err(format!("a row of its box has {row} bytes, more than its swizzle"))
            }
            // How shorter rows lie in shared memory is not documented well enough to simulate.
            32 | 64 | 128 => {
                Err(format!("a row of its box has {row} bytes; the simulator wants as many as its swizzle"))
            }
            other => Err(format!("a swizzle of {other} bytes; there are 0, 32, 64 and 128")),
        }
    }

    /// Elements the box has along a dimension in shared memory.
    pub(crate) fn extent(&self, dimension: usize) -> u32 {
        self.block[dimension].div_ceil(self.element_strides[dimension])
    }

    /// Bytes of one row of the box in shared memory.
    pub(crate) fn row_bytes(&self) -> u32 {
        self.extent(0) * self.element.bytes()
    }

    /// Bytes of the box in shared memory.
    pub(crate) fn box_bytes(&self) -> u32 {
        (1..self.sizes.len()).fold(self.row_bytes(), |bytes, d| bytes.saturating_mul(self.extent(d)))
    }

    pub(crate) fn swizzle(&self) -> Swizzle {
        match self.swizzle_bytes {
            32 => Swizzle::Bytes32,
            64 => Swizzle::Bytes64,
            128 => Swizzle::Bytes128,
            _ => Swizzle::None,
        }
    }

    /// Address of index 0 of each row of the box at `start`, outer dimensions last; `None` for a row outside the tensor.
    pub(crate) fn rows(&self, start: &[i32]) -> Vec<Option<u64>> {
        let mut rows = vec![Some(self.address)];
        for (d, start) in start.iter().enumerate().take(self.sizes.len()).skip(1) {
            let place = |i: u32| i64::from(*start) + i64::from(i * self.element_strides[d]);
            let inside = |at: &i64| (0..i64::from(self.sizes[d])).contains(at);
            let along: Vec<Option<u64>> = (0..self.extent(d))
                .map(|i| Some(place(i)).filter(inside).map(|at| at as u64 * self.strides[d - 1]))
                .collect();
            rows = along
                .iter()
                .flat_map(|step| rows.iter().map(move |row| Some((*row)?.wrapping_add((*step)?))))
                .collect();
        }
        rows
    }

    /// Index in the tensor of element `i` of a row of the box; `None` outside.
    pub(crate) fn column(&self, start: &[i32], i: u32) -> Option<u64> {
        let at = i64::from(start[0]) + i64::from(i * self.element_strides[0]);
        (0..i64::from(self.sizes[0])).contains(&at).then_some(at as u64)
    }
}

/// The simulator's 128 bytes of a tensor map, for a kernel parameter `.param .align 64 .b8 x[128]` or a buffer. An error when
/// the map breaks a rule of the CUDA driver.
pub fn encode_tensor_map(map: &TensorMap) -> Result<[u8; TENSOR_MAP_BYTES]> {
    if let Err(message) = map.check() {
        return Err(Diagnostic::error(BAD_LAUNCH, format!("this tensor map is not valid: {message}")).boxed());
    }
    let mut bytes = [0; TENSOR_MAP_BYTES];
    bytes[..8].copy_from_slice(&map.address.to_le_bytes());
    bytes[8] = ELEMENTS.iter().position(|e| *e == map.element).unwrap_or(0) as u8;
    bytes[10] = [0, 32, 64, 128].iter().position(|b| *b == map.swizzle_bytes).unwrap_or(0) as u8;
    bytes[11] = u8::from(map.fill_nan);
    bytes[12] = map.sizes.len() as u8 - 1;
    for (at, words) in [(16, &map.sizes), (36, &map.block), (88, &map.element_strides)] {
        for (d, word) in words.iter().enumerate() {
            bytes[at + 4 * d..at + 4 * d + 4].copy_from_slice(&word.to_le_bytes());
        }
    }
    for (d, stride) in map.strides.iter().enumerate() {
        bytes[56 + 8 * d..64 + 8 * d].copy_from_slice(&stride.to_le_bytes());
    }
    Ok(bytes)
}

/// A field of a tensor map, which `tensormap.replace` writes.
#[derive(Clone, Copy)]
pub(crate) struct MapField {
    /// Its first byte.
    pub(crate) at: u32,
    /// Bytes of one entry.
    pub(crate) bytes: u32,
    /// How many entries it has.
    pub(crate) entries: u32,
}

/// The field with a name that `tensormap.replace` knows.
pub(crate) fn field(name: &str) -> Option<MapField> {
    let (at, bytes, entries) = match name {
        "global_address" => (0, 8, 1),
        "elemtype" => (8, 1, 1),
        "interleave_layout" => (9, 1, 1),
        "swizzle_mode" => (10, 1, 1),
        "fill_mode" => (11, 1, 1),
        "rank" => (12, 1, 1),
        "global_dim" => (16, 4, 5),
        "box_dim" => (36, 4, 5),
        "global_stride" => (56, 8, 4),
        "element_stride" => (88, 4, 5),
        _ => return None,
    };
    Some(MapField { at, bytes, entries })
}
