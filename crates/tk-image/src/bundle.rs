//! Bundles: what `tk build` writes and programs load, without a compiler.

use crate::{KernelImage, ParamKind};
use serde::{Deserialize, Serialize};
use tk_types::ScalarType;

/// Kernels that were compiled ahead of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bundle {
    /// What it is called: an identifier of Rust and C.
    pub name: String,
    /// The build of tk that made it.
    pub compiler: String,
    /// What it promises.
    pub at_run_time: AtRunTime,
    /// Its kernels, by names that differ.
    pub entries: Vec<BundleEntry>,
    /// Which entries autotuning chose.
    pub tunings: Vec<BundledTuning>,
}

/// What autotuning chose on a GPU for a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BundledTuning {
    /// What programs call the kernel.
    pub kernel: String,
    /// What the choice is for: `M=512 N=512 float16 float16`.
    pub key: String,
    /// The GPU, as its driver calls it.
    pub gpu: String,
    /// The entry with the configuration that was chosen.
    pub entry: String,
}

/// What may be compiled where a bundle runs. tk itself never is: who launches a bundle has no compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AtRunTime {
    /// The driver compiles PTX for GPUs that the bundle has no machine code for.
    #[default]
    DriverMayCompile,
    /// Nothing: a GPU without machine code in the bundle is an error.
    Nothing,
}

/// A kernel with its compile-time arguments: what a program calls. All variants and targets take the same run-time arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BundleEntry {
    /// What programs call it: an identifier of Rust and C.
    pub name: String,
    /// The function that it was compiled from.
    pub kernel: String,
    /// A short name of what it was made from: text, imports and options. Programs with a compiler take the entry for the same alone. Empty
    /// where nothing is known of it.
    pub made_from: String,
    /// Its compile-time arguments.
    pub constants: Vec<Constant>,
    /// The run-time arguments, in order.
    pub arguments: Vec<EntryArgument>,
    /// What it was compiled for, the most special first: a launch takes the first whose facts hold.
    pub variants: Vec<Variant>,
}

/// A compile-time argument as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value as `--constexpr` takes it.
    pub value: String,
}

/// A run-time argument of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryArgument {
    /// Its name.
    pub name: String,
    /// What a launch passes.
    pub kind: ArgumentKind,
}

/// What a launch passes for an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ArgumentKind {
    /// A number.
    Scalar(ScalarType),
    /// An address in the memory of the GPU; the element type, where one is known.
    Pointer(Option<ScalarType>),
    /// A tensor descriptor.
    Descriptor {
        /// Element type.
        element: ScalarType,
        /// Dimensions.
        rank: u32,
    },
}

impl ArgumentKind {
    /// What is passed for an argument whose first parameter is this; nothing for a map that the launch makes by itself.
    pub fn of(kind: &ParamKind) -> Option<Self> {
        match kind {
            ParamKind::Scalar(ty) => Some(Self::Scalar(*ty)),
            ParamKind::Pointer(ty) => Some(Self::Pointer(*ty)),
            ParamKind::TensorMap(map) => Some(Self::Descriptor { element: map.element, rank: map.block.len() as u32 }),
            ParamKind::DescriptorBase { element, rank } => Some(Self::Descriptor { element: *element, rank: *rank }),
            ParamKind::MapOfPointer { .. } => None,
        }
    }

    /// Whether a caller passes the same for both. Descriptors of integers do not know their sign on every target.
    pub fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Descriptor { element: a, rank: m }, Self::Descriptor { element: b, rank: n }) => {
                m == n && a.mlir_name() == b.mlir_name()
            }
            _ => self == other,
        }
    }
}

/// One compilation of an entry: what it may assume, and its code for every target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// The run-time arguments with their facts, as `--signature` takes them.
    pub signature: String,
    /// One image for each target.
    pub images: Vec<KernelImage>,
}

impl BundleEntry {
    /// The run-time arguments of an image.
    pub fn arguments_of(image: &KernelImage) -> Vec<EntryArgument> {
        let argument = |name: &str, kind| EntryArgument { name: name.to_string(), kind };
        image
            .arguments()
            .filter_map(|(_, param)| ArgumentKind::of(&param.kind).map(|kind| argument(&param.name, kind)))
            .collect()
    }
}

impl Bundle {
    /// The entry of this name.
    pub fn entry(&self, name: &str) -> Option<&BundleEntry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The entry that autotuning chose for a key: on this GPU, else on any other, whose choice is as right and perhaps slower.
    pub fn tuned(&self, kernel: &str, key: &str, gpu: &str) -> Option<&BundleEntry> {
        let all = || self.tunings.iter().filter(|tuning| tuning.kernel == kernel && tuning.key == key);
        let chosen = all().find(|tuning| tuning.gpu == gpu).or_else(|| all().next())?;
        self.entry(&chosen.entry)
    }

    /// The targets of all images, in the order in which they first appear.
    pub fn targets(&self) -> Vec<&str> {
        let mut targets: Vec<&str> = Vec::new();
        for image in self.images() {
            if !targets.contains(&image.target.as_str()) {
                targets.push(&image.target);
            }
        }
        targets
    }

    /// Every image.
    pub fn images(&self) -> impl Iterator<Item = &KernelImage> {
        self.entries.iter().flat_map(|entry| &entry.variants).flat_map(|variant| &variant.images)
    }
}
