//! Typed arguments, for the modules that `tk build` writes.

use crate::{Arg, DeviceAddress};
use half::{bf16, f16};
use std::marker::PhantomData;
use tk_types::ScalarType;

/// A type of Rust whose values have the bits of an element type.
pub trait Element: Copy {
    /// The element type. Floats of 8 bits are `u8` in Rust.
    const TYPE: ScalarType;

    /// The bits of a value, in the low bytes.
    fn bits(self) -> u64;
}

macro_rules! elements {
    ($($rust:ty => $scalar:ident, |$value:ident| $bits:expr;)*) => {
        $(impl Element for $rust {
            const TYPE: ScalarType = ScalarType::$scalar;

            fn bits(self) -> u64 {
                let $value = self;
                $bits
            }
        })*
    };
}

elements! {
    bool => I1, |value| u64::from(value);
    i8 => I8, |value| u64::from(value as u8);
    i16 => I16, |value| u64::from(value as u16);
    i32 => I32, |value| u64::from(value as u32);
    i64 => I64, |value| value as u64;
    u8 => U8, |value| u64::from(value);
    u16 => U16, |value| u64::from(value);
    u32 => U32, |value| u64::from(value);
    u64 => U64, |value| value;
    f16 => F16, |value| u64::from(value.to_bits());
    bf16 => BF16, |value| u64::from(value.to_bits());
    f32 => F32, |value| u64::from(value.to_bits());
    f64 => F64, |value| value.to_bits();
}

/// The address of elements in the memory of a GPU.
#[derive(Debug)]
pub struct Pointer<T> {
    address: DeviceAddress,
    element: PhantomData<fn() -> T>,
}

impl<T> Clone for Pointer<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Pointer<T> {}

impl<T> Pointer<T> {
    /// No address.
    pub const NULL: Self = Self::new(DeviceAddress::NULL);

    /// Elements at an address.
    pub const fn new(address: DeviceAddress) -> Self {
        Self { address, element: PhantomData }
    }

    /// Where they are.
    pub fn address(self) -> DeviceAddress {
        self.address
    }

    /// As an argument of a launch.
    pub fn arg(self) -> Arg<'static> {
        Arg::Address(self.address)
    }
}
