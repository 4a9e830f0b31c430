//! Words that programs read: numbers of all kinds, many of them at the edges of what instructions take.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// 32-bit words of which all programs read a part.
pub(crate) const POOL_WORDS: u32 = 1 << 15;

const WORDS: [u32; 30] = [
    0,
    1,
    2,
    31,
    32,
    33,
    63,
    64,
    255,
    256,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    0xFFFF_FFFE,
    0x3F80_0000,
    0xBF80_0000,
    0x7F80_0000,
    0xFF80_0000,
    0x7FC0_0000,
    0xFFC0_1234,
    0x0000_0001,
    0x007F_FFFF,
    0x0080_0000,
    0x8000_0001,
    0x3F80_0001,
    0x4B00_0001,
    0x477F_F000,
    0x7F80_0001,
    0x4F00_0000,
    0x3300_0000,
];
const HALVES: [u16; 16] = [
    0, 1, 0x8000, 0x3C00, 0xBC00, 0x7BFF, 0x7C00, 0xFC00, 0x0400, 0x03FF, 0xFFFF, 0x3F80, 0x7E01, 0x7D00, 0x7F7F,
    0x0080,
];
const LONGS: [u64; 16] = [
    0,
    1,
    0x8000_0000_0000_0000,
    0x7FFF_FFFF_FFFF_FFFF,
    0x3FF0_0000_0000_0000,
    0xBFF0_0000_0000_0001,
    0x7FF0_0000_0000_0000,
    0xFFF0_0000_0000_0000,
    0x7FF8_0000_0000_0000,
    0x7FF4_0000_0000_0001,
    0x0010_0000_0000_0000,
    0x000F_FFFF_FFFF_FFFF,
    0x41DF_FFFF_FFC0_0000,
    0x43E0_0000_0000_0000,
    0x47EF_FFFF_F000_0000,
    0x36A0_0000_0000_0001,
];

/// The words, in pairs that are also 64-bit numbers.
pub(crate) fn pool(random: &mut ChaCha8Rng) -> Vec<u32> {
    let mut words = Vec::with_capacity(POOL_WORDS as usize);
    while words.len() < POOL_WORDS as usize {
        let long = match random.random_range(0..5) {
            0 => *LONGS.choose(random).unwrap_or(&0),
            1 => random.random_range(-100.0..100.0f64).to_bits(),
            _ => u64::from(word(random)) << 32 | u64::from(word(random)),
        };
        words.extend([long as u32, (long >> 32) as u32]);
    }
    words
}

fn word(random: &mut ChaCha8Rng) -> u32 {
    match random.random_range(0..6) {
        0 => *WORDS.choose(random).unwrap_or(&0),
        1 => random.random_range(-1000.0..1000.0f32).to_bits(),
        2 => u32::from(half(random)) << 16 | u32::from(half(random)),
        3 => random.random_range(0..70),
        4 => (2f32.powi(random.random_range(-140..128)) * random.random_range(-2.0..2.0f32)).to_bits(),
        _ => random.random(),
    }
}

fn half(random: &mut ChaCha8Rng) -> u16 {
    if random.random_range(0..2) == 0 { *HALVES.choose(random).unwrap_or(&0) } else { random.random() }
}
