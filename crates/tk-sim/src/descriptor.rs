//! Matrix descriptors of wgmma: where the 16-byte pieces of an operand tile lie in shared memory.
//!
//! The layouts are those of the PTX ISA ("Asynchronous Warpgroup Level Matrix Shared Memory Layout"), written in pieces of 16
//! bytes. A piece always stays whole: swizzling exchanges address bits 4 to 6 with those three, two or one bits further up.

/// The swizzle of a tile in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swizzle {
    None,
    Bytes32,
    Bytes64,
    Bytes128,
}

impl Swizzle {
    /// Bytes of one row of the pattern; 16 without a swizzle.
    pub(crate) fn row_bytes(self) -> u64 {
        match self {
            Swizzle::None => 16,
            Swizzle::Bytes32 => 32,
            Swizzle::Bytes64 => 64,
            Swizzle::Bytes128 => 128,
        }
    }

    /// Where a byte goes. `phase` is the pattern row, of eight, that address 0 has.
    #[inline]
    pub(crate) fn apply(self, address: u64, phase: u64) -> u64 {
        let row = (address >> 7).wrapping_sub(phase);
        let mask = match self {
            Swizzle::None => return address,
            Swizzle::Bytes32 => 1,
            Swizzle::Bytes64 => 3,
            Swizzle::Bytes128 => 7,
        };
        address ^ (row & mask) << 4
    }
}

/// A decoded 64-bit matrix descriptor; addresses and offsets are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Descriptor {
    pub(crate) start: u64,
    pub(crate) leading: u64,
    pub(crate) stride: u64,
    pub(crate) base: u64,
    pub(crate) swizzle: Swizzle,
}

impl Descriptor {
    pub(crate) fn decode(bits: u64) -> Self {
        let field = |at: u32, width: u32| bits >> at & ((1 << width) - 1);
        let swizzle = match field(62, 2) {
            0 => Swizzle::None,
            1 => Swizzle::Bytes128,
            2 => Swizzle::Bytes64,
            _ => Swizzle::Bytes32,
        };
        let (start, leading, stride) = (field(0, 14) << 4, field(16, 14) << 4, field(32, 14) << 4);
        Self { start, leading, stride, base: field(49, 3), swizzle }
    }

    /// Address of the 16 bytes of row `row` (of M or N) that hold piece `piece` of the 32 bytes along K.
    #[inline]
    pub(crate) fn k_major(&self, row: u64, piece: u64) -> u64 {
        let along = if self.swizzle == Swizzle::None { self.leading } else { 16 };
        let offset = row / 8 * self.stride + row % 8 * self.swizzle.row_bytes() + piece * along;
        self.swizzle.apply(self.start + offset, self.base)
    }

    /// Address of the eight 16-bit elements `8 * piece` and on along M or N, at depth `k`.
    #[inline]
    pub(crate) fn mn_major(&self, k: u64, piece: u64) -> u64 {
        let offset = match self.swizzle {
            Swizzle::None => k / 8 * self.leading + k % 8 * 16 + piece * self.stride,
            swizzle => {
                let per_row = swizzle.row_bytes() / 16;
                let row = k / 8 * self.stride + k % 8 * swizzle.row_bytes();
                row + piece % per_row * 16 + piece / per_row * self.leading
            }
        };
        self.swizzle.apply(self.start + offset, self.base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_descriptor() {
        let decoded = Descriptor::decode(0x4000_0040_0001_0000 | 0x1040);
        let wanted = Descriptor { start: 0x10400, leading: 16, stride: 1024, base: 0, swizzle: Swizzle::Bytes128 };
        assert_eq!(decoded, wanted);
    }

    #[test]
    fn eight_rows_of_any_layout_fill_all_banks_once() {
        for mode in [0u64, 1, 2, 3] {
            let width = Descriptor::decode(mode << 62).swizzle.row_bytes();
            let bits = mode << 62 | ((8 * width) >> 4) << 32 | 4 << 16 | 0x40;
            let tile = Descriptor::decode(bits);
            for piece in 0..2 {
                let mut places: Vec<u64> = (0..8).map(|row| tile.k_major(row, piece) / 16 % 8).collect();
                places.sort_unstable();
                assert_eq!(places, [0, 1, 2, 3, 4, 5, 6, 7], "{mode} {piece}");
            }
        }
    }
}
