//! The binary form of images and bundles: eight bytes that say what it is, the version, a checksum, and the data (postcard).
//!
//! The version is that of the data and of its meaning: a change of any type of this crate that is stored is a new one.

use crate::{Bundle, ImageError, KernelImage};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The version of the stored data.
const VERSION: u32 = 4;

const IMAGE: &[u8; 8] = b"tkimage\n";

const BUNDLE: &[u8; 8] = b"tkbundle";

/// Kernels are kilobytes; what is larger than this is none.
const MAX_BYTES: usize = 1 << 30;

impl KernelImage {
    /// The image as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        encode(IMAGE, self)
    }
}

/// Reads what [`KernelImage::to_bytes`] wrote.
///
/// # Errors
/// Bytes that were not written by it, were changed, or have another version.
pub fn decode_image(bytes: &[u8]) -> Result<KernelImage, ImageError> {
    let image: KernelImage = decode(IMAGE, bytes)?;
    image.validate()?;
    Ok(image)
}

impl Bundle {
    /// The bundle as bytes: what a `.tkb` file holds.
    pub fn to_bytes(&self) -> Vec<u8> {
        encode(BUNDLE, self)
    }

    /// Reads what [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    /// Bytes that were not written by it, were changed, or have another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ImageError> {
        let bundle: Self = decode(BUNDLE, bytes)?;
        bundle.validate()?;
        Ok(bundle)
    }
}

fn encode(magic: &[u8; 8], value: &impl Serialize) -> Vec<u8> {
    // The types of this crate have no part that postcard cannot store, and a vector takes all bytes.
    let data = postcard::to_stdvec(value).unwrap_or_default();
    let mut bytes = magic.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(checksum(&data).to_le_bytes());
    bytes.extend(data);
    bytes
}

fn decode<T: DeserializeOwned>(magic: &[u8; 8], bytes: &[u8]) -> Result<T, ImageError> {
    let rest = bytes.strip_prefix(magic).ok_or(ImageError::OtherFormat)?;
    let (version, rest) = rest.split_first_chunk::<4>().ok_or(ImageError::Damaged)?;
    let found = u32::from_le_bytes(*version);
    if found != VERSION {
        return Err(ImageError::Version { found, supported: VERSION });
    }
    let (sum, data) = rest.split_first_chunk::<16>().ok_or(ImageError::Damaged)?;
    if data.len() > MAX_BYTES || checksum(data).to_le_bytes() != *sum {
        return Err(ImageError::Damaged);
    }
    match postcard::take_from_bytes(data) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(ImageError::Invalid(format!("{} bytes follow the kernels", rest.len()))),
        Err(error) => Err(ImageError::Invalid(format!("these kernels cannot be read: {error}"))),
    }
}

/// A short name of a text that is the same in every build, in hexadecimal.
pub fn digest(text: &str) -> String {
    format!("{:032x}", checksum(text.as_bytes()))
}

/// FNV-1a of 128 bits (Fowler, Noll, Vo): stable across builds, unlike the standard library's hasher. It finds accidents; it is no
/// signature.
pub fn checksum(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_published_one() {
        assert_eq!(checksum(b""), 0x6c62272e07bb014262b821756295c58d);
        assert_eq!(checksum(b"a"), 0xd228cb696f1a8caf78912b704e4a8964);
    }
}
