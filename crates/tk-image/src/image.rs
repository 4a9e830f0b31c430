//! A compiled kernel: what code generation makes and what a launch (GPU or simulator) needs.

use crate::ImageError;
use crate::limits::LaunchLimits;
use serde::{Deserialize, Serialize};
use tk_types::{ArgType, Argument, DotPolicy, Facts, ScalarType};
use tk_why::Why;

/// One parameter of the PTX entry point, in order.
///
/// A tensor descriptor is one argument in the `.tk` file and several parameters here, all with its name: a
/// [`ParamKind::TensorMap`] or a [`ParamKind::DescriptorBase`], then the sizes of the tensor (`i32`), then its strides in
/// elements (`i64`), one of each per dimension.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImageParam {
    /// The name in the `.tk` file.
    pub name: String,
    /// What the launch passes.
    pub kind: ParamKind,
    /// What the signature promised of a number.
    pub facts: Facts,
}

impl ImageParam {
    /// A parameter of which nothing was promised.
    pub fn new(name: impl Into<String>, kind: ParamKind) -> Self {
        Self { name: name.into(), kind, facts: Facts::NONE }
    }

    /// A number passed by value.
    pub fn scalar(name: impl Into<String>, scalar: ScalarType) -> Self {
        Self::new(name, ParamKind::Scalar(scalar))
    }

    /// A pointer to elements of this type.
    pub fn pointer(name: impl Into<String>, pointee: Option<ScalarType>) -> Self {
        Self::new(name, ParamKind::Pointer(pointee))
    }
}

/// What a parameter of the entry point is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ParamKind {
    /// A number.
    Scalar(ScalarType),
    /// A pointer to global memory; the element type, where one is known.
    Pointer(Option<ScalarType>),
    /// The 128 bytes of a tensor map, for the tensor memory accelerator.
    TensorMap(TensorMapSpec),
    /// The base address of a descriptor on a GPU without tensor maps, whose kernel computes the addresses itself.
    DescriptorBase {
        /// Element type.
        element: ScalarType,
        /// Dimensions of the tensor.
        rank: u32,
    },
    /// A tensor map that is no argument: the launch makes it of a pointer and a stride among the other parameters. Its tensor has two
    /// dimensions.
    MapOfPointer {
        /// What the map has to say besides.
        map: TensorMapSpec,
        /// The number of the parameter that is the address of the tensor.
        base: u32,
        /// The number of the parameter that is the stride of its rows, in elements: positive, and a multiple of 16 bytes.
        stride: u32,
        /// Where its rows end.
        rows: MapEnd,
        /// Where its columns end.
        columns: MapEnd,
    },
}

/// Where the tensor of a [`ParamKind::MapOfPointer`] ends along a dimension. What a copy reads behind the end is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MapEnd {
    /// The kernel asks for nothing outside of what the program would load through the pointer.
    Nowhere,
    /// Behind so many elements, at least one.
    At(u32),
    /// Behind as many elements as the parameter of this number says, a number of 32 bits. Where it is below one, the map has one element, and
    /// the kernel does not ask for it.
    Parameter(u32),
}

impl ParamKind {
    /// Bytes in the parameter list.
    pub fn bytes(&self) -> u32 {
        match self {
            ParamKind::Scalar(scalar) => scalar.bytes(),
            ParamKind::Pointer(_) | ParamKind::DescriptorBase { .. } => 8,
            ParamKind::TensorMap(_) | ParamKind::MapOfPointer { .. } => TENSOR_MAP_BYTES,
        }
    }

    /// What its offset in the parameter list is a multiple of, in bytes.
    pub fn alignment(&self) -> u32 {
        match self {
            ParamKind::Scalar(_) | ParamKind::Pointer(_) | ParamKind::DescriptorBase { .. } => self.bytes(),
            ParamKind::TensorMap(_) | ParamKind::MapOfPointer { .. } => TENSOR_MAP_ALIGNMENT,
        }
    }

    /// How many parameters one argument fills from this one on: a descriptor brings its sizes and strides.
    pub fn span(&self) -> usize {
        match self {
            ParamKind::Scalar(_) | ParamKind::Pointer(_) | ParamKind::MapOfPointer { .. } => 1,
            ParamKind::TensorMap(map) => 1 + 2 * map.block.len(),
            ParamKind::DescriptorBase { rank, .. } => 1 + 2 * *rank as usize,
        }
    }
}

/// Bytes of a tensor map.
pub const TENSOR_MAP_BYTES: u32 = 128;

/// What the address of a tensor map is a multiple of, in bytes.
pub const TENSOR_MAP_ALIGNMENT: u32 = 64;

/// The most dimensions of a tensor that a map describes.
pub const MAX_RANK: usize = 5;

/// What a tensor map has to say besides address, sizes and strides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorMapSpec {
    /// Element type.
    pub element: ScalarType,
    /// Elements that one copy moves along each dimension of the tensor, the contiguous one last.
    pub block: Vec<u32>,
    /// Bytes of a row of the swizzle in shared memory: 0, 32, 64 or 128.
    pub swizzle_bytes: u32,
    /// Elements outside the tensor read as NaN instead of zero.
    pub pad_nan: bool,
}

/// What a kernel uses of a multiprocessor, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResourceUse {
    /// Registers per thread, known after ptxas or the driver's JIT.
    pub registers: Option<u32>,
    /// Bytes of spill stores per thread.
    pub spill_bytes: Option<u32>,
    /// PTX instructions in the entry.
    pub instructions: u32,
    /// Shared memory by buffer: name of what it is for, offset and size in bytes.
    pub shared_buffers: Vec<(String, u32, u32)>,
    /// Dots that tensor cores do not compute: where each is, and why.
    pub scalar_dots: Vec<String>,
    /// Why it is as fast as it is.
    pub why: Why,
    /// What its dots do that could run on: they wait where the compiler or ptxas would touch their registers meanwhile.
    pub dots: DotPolicy,
}

/// A kernel ready to launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KernelImage {
    /// Entry point in the PTX.
    pub entry: String,
    /// PTX text.
    pub ptx: String,
    /// Machine code, when ptxas made it.
    #[serde(with = "serde_bytes")]
    pub cubin: Option<Vec<u8>>,
    /// Parameters in order.
    pub params: Vec<ImageParam>,
    /// Threads per CTA divided by 32.
    pub num_warps: u32,
    /// CTAs per cluster.
    pub num_ctas: u32,
    /// Dynamic shared memory in bytes.
    pub shared_bytes: u32,
    /// Scratch memory per CTA in global memory, in bytes; when it is not 0, the entry has one more parameter after `params`: a
    /// pointer, aligned to 128, to so many bytes for every CTA of the grid.
    pub global_scratch_bytes: u32,
    /// `sm_90a`, `sm_80`, …
    pub target: String,
    /// What it uses.
    pub resources: ResourceUse,
    /// What it was compiled for besides the facts of its parameters, and holds of each launch.
    pub limits: LaunchLimits,
}

impl KernelImage {
    /// Writes down what the signature promised of the numbers and addresses among the arguments, and their types, of whose integers IR
    /// does not know the sign.
    pub fn promise(&mut self, args: &[Argument]) {
        let places: Vec<usize> = self.arguments().map(|(at, _)| at).collect();
        for (at, arg) in places.into_iter().zip(args.iter().filter(|arg| arg.is_runtime())) {
            let param = &mut self.params[at];
            match (&mut param.kind, &arg.ty) {
                (ParamKind::Scalar(ty), ArgType::Scalar(given)) if ty.mlir_name() == given.mlir_name() => *ty = *given,
                (ParamKind::Pointer(pointee), ArgType::Pointer { element, .. }) => *pointee = Some(*element),
                (ParamKind::Scalar(_) | ParamKind::Pointer(_), _) => {}
                (ParamKind::TensorMap(_) | ParamKind::DescriptorBase { .. } | ParamKind::MapOfPointer { .. }, _) => {
                    continue;
                }
            }
            param.facts = arg.facts;
        }
    }

    /// Where the parameters lie in the parameter list, hidden ones included: the offset of each in bytes, by the rules of PTX.
    ///
    /// # Errors
    /// Those of [`Self::hidden_parameters`].
    pub fn offsets(&self) -> Result<Vec<u32>, ImageError> {
        let own = self.params.iter().map(|param| (param.kind.bytes(), param.kind.alignment()));
        let mut end = 0u32;
        let place = |(bytes, alignment): (u32, u32)| {
            let offset = end.next_multiple_of(alignment);
            end = offset + bytes;
            offset
        };
        Ok(own.chain(std::iter::repeat_n((8, 8), self.hidden_parameters()?)).map(place).collect())
    }

    /// The first parameter of each argument, with its number: a descriptor is one argument and several parameters, and a map of a pointer
    /// is none.
    pub fn arguments(&self) -> impl Iterator<Item = (usize, &ImageParam)> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let (at, param) = (next, self.params.get(next)?);
            next += param.kind.span();
            Some((at, param))
        })
        .filter(|(_, param)| !matches!(param.kind, ParamKind::MapOfPointer { .. }))
    }
}
