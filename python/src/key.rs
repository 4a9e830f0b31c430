//! What a kernel depends on, as a key of those that are compiled: types, facts, constants, options and the device.

use crate::compile::Root;
use crate::entries::Entries;
use crate::simulate;
use crate::value::Value;
use pyo3::prelude::*;
use tk_diag::SourceFile;
use tk_launch::ParamRole;
use tk_types::{CompileOptions, ConstValue, Language, MOST_MULTIPLE};

/// What a kernel depends on: numbers, and the texts among the constants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    words: Vec<u64>,
    texts: Vec<String>,
}

impl Key {
    /// The key of a launch on a GPU, or on the simulator.
    pub(crate) fn of(
        entries: &Entries<'_>,
        options: &CompileOptions,
        root: &Root,
        gpu: Option<usize>,
    ) -> PyResult<Self> {
        let mut key = Key::default();
        key.words.push(gpu.map_or(u64::MAX, |ordinal| ordinal as u64));
        key.words.extend(words_of_options(options));
        for (param, value) in entries.params.iter().zip(&entries.values) {
            let role = root.declared.get(*param).map(|param| param.role).unwrap_or_default();
            key.add(value, role, gpu.is_none())?;
        }
        Ok(key)
    }

    /// The key of the same launch with another text in place of the kernel's own.
    pub(crate) fn with_code(mut self, code: Option<&SourceFile>) -> Self {
        self.texts.extend(code.into_iter().flat_map(|code| [code.name().to_string(), code.text().to_string()]));
        self
    }

    fn add(&mut self, value: &Value<'_>, role: ParamRole, is_simulated: bool) -> PyResult<()> {
        match value {
            Value::Int(value) if role != ParamRole::Constexpr => self.words.push(class_of_integer(*value)),
            Value::Float(_) if role != ParamRole::Constexpr => self.words.push(2),
            Value::Bool(_) if role != ParamRole::Constexpr => self.words.push(3),
            Value::Tensor(tensor) => {
                let address = if is_simulated { simulate::address_in_storage(tensor)? } else { tensor.address };
                self.words.push(4 | u64::from(address % 16 == 0) << 8 | (tensor.dtype as u64) << 16);
            }
            Value::Descriptor(descriptor) => {
                let ty = &descriptor.ty;
                let flags = u64::from(ty.pad_nan) << 8 | u64::from(ty.ragged) << 9 | (ty.element as u64) << 16;
                self.words.push(5 | flags | (ty.block.len() as u64) << 32);
                self.words.extend(ty.block.iter().map(|size| u64::from(*size)));
            }
            // They are kept with the kernel, so that no other object has their address.
            Value::Function(object) | Value::Object(object) => self.words.extend([6, object.as_ptr() as u64]),
            Value::Int(value) => self.words.extend([7, *value as u64, (*value >> 64) as u64]),
            Value::Float(value) => self.words.extend([8, value.to_bits()]),
            Value::Bool(value) => self.words.extend([9, u64::from(*value)]),
            Value::Constant(value) => self.add_constant(value),
            Value::Tuple(items) | Value::Record(_, items) => {
                self.words.extend([10, items.len() as u64]);
                items.iter().try_for_each(|item| self.add(item, role, is_simulated))?;
            }
        }
        Ok(())
    }

    fn add_constant(&mut self, value: &ConstValue) {
        match value {
            ConstValue::None => self.words.push(11),
            ConstValue::Bool(value) => self.words.extend([9, u64::from(*value)]),
            ConstValue::Int(value) => self.words.extend([7, *value as u64, (*value >> 64) as u64]),
            ConstValue::Float(value) => self.words.extend([8, value.to_bits()]),
            ConstValue::Str(text) | ConstValue::Function(text) => {
                self.words.push(12);
                self.texts.push(text.clone());
            }
            ConstValue::Dtype(ty) => self.words.extend([13, *ty as u64]),
            ConstValue::Tuple(items) => {
                self.words.extend([10, items.len() as u64]);
                items.iter().for_each(|item| self.add_constant(item));
            }
        }
    }
}

/// The options that launches can give.
pub(crate) fn words_of_options(options: &CompileOptions) -> [u64; 2] {
    [
        u64::from(options.num_warps) << 32 | u64::from(options.num_stages),
        u64::from(options.num_ctas) << 32
            | u64::from(options.maxnreg.unwrap_or(0)) << 8
            | u64::from(options.language == Language::Portable) << 2
            | u64::from(options.fp_fusion) << 1
            | u64::from(options.debug),
    ]
}

/// What a kernel may be compiled for of an integer: that it is 1, its width, its sign and the power of two that divides it.
fn class_of_integer(value: i128) -> u64 {
    match i64::try_from(value) {
        Ok(value) => class_of_word(value),
        Err(_) => class(value > 0, 2, value.trailing_zeros()),
    }
}

/// The same for integers that a word holds.
pub(crate) fn class_of_word(value: i64) -> u64 {
    match value {
        1 => 1,
        0 => class(false, 0, u32::MAX),
        _ => class(value > 0, u64::from(i32::try_from(value).is_err()), value.trailing_zeros()),
    }
}

/// `width` is 0 for 32 bits, 1 for 64, 2 for more.
fn class(is_positive: bool, width: u64, zeros: u32) -> u64 {
    let power = zeros.min(MOST_MULTIPLE.trailing_zeros());
    u64::from(is_positive) << 8 | width << 16 | u64::from(if power < 4 { 0 } else { power }) << 32
}
