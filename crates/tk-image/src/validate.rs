//! What an image or a bundle from an untrusted place has to be, beyond having the right types.

use crate::{
    AtRunTime, Bundle, BundleEntry, ImageError, ImageParam, KernelImage, MAX_RANK, MapEnd, ParamKind, TensorMapSpec,
};
use std::collections::HashSet;
use tk_types::ScalarType;

/// The most parameters of an entry point.
pub const MAX_PARAMETERS: usize = 512;

/// The most bytes of a parameter list (PTX ISA, parameter space of kernels from sm_70 on).
pub const MAX_PARAMETER_BYTES: u32 = 32_764;

/// The most warps of a CTA.
const MAX_WARPS: u32 = 32;

/// The most CTAs of a cluster.
const MAX_CTAS: u32 = 16;

/// The longest name that is read, in bytes.
const MAX_NAME_BYTES: usize = 1024;

impl KernelImage {
    /// Checks that the parts of the image fit together, so that launches may rely on it.
    ///
    /// # Errors
    /// An [`ImageError::Invalid`] that says what does not fit.
    pub fn validate(&self) -> Result<(), ImageError> {
        let wrong = |what: String| Err(ImageError::Invalid(format!("`{}`: {what}", self.entry)));
        if !is_identifier(&self.entry) {
            return Err(ImageError::Invalid("the name of an entry point is no identifier".to_string()));
        }
        if self.num_warps == 0 || self.num_warps > MAX_WARPS {
            return wrong(format!("{} warps; a CTA has 1 to {MAX_WARPS}", self.num_warps));
        }
        if self.num_ctas == 0 || self.num_ctas > MAX_CTAS {
            return wrong(format!("clusters of {} CTAs; there are 1 to {MAX_CTAS}", self.num_ctas));
        }
        if self.params.len() > MAX_PARAMETERS {
            return wrong(format!("{} parameters, more than {MAX_PARAMETERS}", self.params.len()));
        }
        for (at, param) in self.params.iter().enumerate() {
            if let Err(what) = self.check_param(at) {
                return wrong(format!("parameter `{}`: {what}", param.name));
            }
        }
        let is_map = |param: &&ImageParam| matches!(param.kind, ParamKind::MapOfPointer { .. });
        if self.params.iter().skip_while(|param| !is_map(param)).any(|param| !is_map(&param)) {
            return wrong("a map of a pointer stands before another parameter".to_string());
        }
        for limit in &self.limits.numbers {
            let kind = self.params.get(limit.param as usize).map(|param| &param.kind);
            if !matches!(kind, Some(ParamKind::Scalar(_))) || limit.low > limit.high {
                return wrong(format!("parameter {} has a range and is no number", limit.param));
            }
        }
        let bytes = self.offsets()?.last().copied().unwrap_or(0);
        if bytes > MAX_PARAMETER_BYTES {
            return wrong(format!("{bytes} bytes of parameters, more than {MAX_PARAMETER_BYTES}"));
        }
        Ok(())
    }

    /// Says in a sentence what is wrong with a parameter.
    fn check_param(&self, at: usize) -> Result<(), String> {
        let param = &self.params[at];
        if param.name.len() > MAX_NAME_BYTES {
            return Err("its name is too long".to_string());
        }
        if param.facts.multiple_of == 0 {
            return Err("nothing is a multiple of 0".to_string());
        }
        match &param.kind {
            ParamKind::Scalar(_) | ParamKind::Pointer(_) => {}
            ParamKind::TensorMap(map) => check_map(map)?,
            ParamKind::DescriptorBase { rank, .. } => {
                if *rank == 0 || *rank as usize > MAX_RANK {
                    return Err(format!("a tensor with {rank} dimensions; there are 1 to {MAX_RANK}"));
                }
            }
            ParamKind::MapOfPointer { map, base, stride, rows, columns } => {
                check_map(map)?;
                let kind = |index: u32| self.params.get(index as usize).map(|param| &param.kind);
                let is_matrix = map.block.len() == 2;
                let has_parts = matches!(kind(*base), Some(ParamKind::Pointer(_)))
                    && matches!(kind(*stride), Some(ParamKind::Scalar(_)));
                if !is_matrix || !has_parts {
                    return Err("it is no map of a matrix with a pointer and a stride".to_string());
                }
                let is_number = |end: &MapEnd| match end {
                    MapEnd::Nowhere => true,
                    MapEnd::At(elements) => *elements > 0 && *elements <= i32::MAX as u32,
                    MapEnd::Parameter(index) => matches!(kind(*index), Some(ParamKind::Scalar(ScalarType::I32))),
                };
                if ![rows, columns].into_iter().all(is_number) {
                    return Err("its rows or columns end where no number says".to_string());
                }
            }
        }
        let extents = self.params.get(at + 1..at + param.kind.span());
        match extents {
            Some(extents) if extents.iter().all(|extent| matches!(extent.kind, ParamKind::Scalar(_))) => Ok(()),
            _ => Err("its sizes and strides are missing".to_string()),
        }
    }
}

fn check_map(map: &TensorMapSpec) -> Result<(), String> {
    if map.block.is_empty() || map.block.len() > MAX_RANK || map.block.iter().any(|size| *size == 0 || *size > 256) {
        return Err(format!("blocks of {:?} are none that a tensor map has", map.block));
    }
    if !matches!(map.swizzle_bytes, 0 | 32 | 64 | 128) {
        return Err(format!("a swizzle of {} bytes; there are 0, 32, 64 and 128", map.swizzle_bytes));
    }
    Ok(())
}

impl Bundle {
    /// Checks that the parts of the bundle fit together.
    ///
    /// # Errors
    /// An [`ImageError::Invalid`] that says what does not fit.
    pub fn validate(&self) -> Result<(), ImageError> {
        let wrong = |what: String| Err(ImageError::Invalid(what));
        if !is_identifier(&self.name) {
            return wrong("the name of a bundle is no identifier".to_string());
        }
        let mut names = HashSet::new();
        for entry in &self.entries {
            if !is_identifier(&entry.name) {
                return wrong("the name of a kernel of the bundle is no identifier".to_string());
            }
            if !names.insert(entry.name.as_str()) {
                return wrong(format!("two kernels of the bundle are called `{}`", entry.name));
            }
            entry.validate()?;
        }
        if let Some(tuning) = self.tunings.iter().find(|tuning| !names.contains(tuning.entry.as_str())) {
            return wrong(format!("a result of autotuning names `{}`, which the bundle has not", tuning.entry));
        }
        let without = self.images().find(|image| image.cubin.is_none());
        match (self.at_run_time, without) {
            (AtRunTime::Nothing, Some(image)) => wrong(format!(
                "the bundle promises that nothing is compiled at run time, and `{}` has no machine code for {}",
                image.entry, image.target
            )),
            _ => Ok(()),
        }
    }
}

impl BundleEntry {
    fn validate(&self) -> Result<(), ImageError> {
        let wrong = |what: &str| Err(ImageError::Invalid(format!("`{}`: {what}", self.name)));
        if self.variants.is_empty() || self.variants.iter().any(|variant| variant.images.is_empty()) {
            return wrong("there is no code for it");
        }
        if self.arguments.iter().any(|argument| !is_identifier(&argument.name)) {
            return wrong("the name of an argument is no identifier");
        }
        for image in self.variants.iter().flat_map(|variant| &variant.images) {
            image.validate()?;
            let same =
                |(a, b): (&crate::EntryArgument, &crate::EntryArgument)| a.name == b.name && a.kind.is_like(b.kind);
            let arguments = Self::arguments_of(image);
            if arguments.len() != self.arguments.len() || !arguments.iter().zip(&self.arguments).all(same) {
                return wrong("its variants do not take the same arguments");
            }
        }
        Ok(())
    }
}

/// Whether a name can stand in Rust, C and PTX alike.
fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    let is_first = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    bytes.next().is_some_and(is_first)
        && bytes.all(|byte| is_first(byte) || byte.is_ascii_digit() || byte == b'$')
        && name.len() <= MAX_NAME_BYTES
}
