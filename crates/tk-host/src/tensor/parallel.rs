//! Work on the elements of large tensors, shared among all cores. Small tensors are not worth a thread.

/// Elements of one block; tensors of more are worked on by all cores.
pub(crate) const BLOCK: usize = 1 << 16;

/// Calls `fill` for each block of [`BLOCK`] elements of `width` bytes: the number of the block and its bytes. The last block
/// may be shorter. What a block gets must not depend on the others, because their order is free.
pub(crate) fn fill(bytes: &mut [u8], width: usize, fill: &(impl Fn(usize, &mut [u8]) + Sync)) {
    let mut blocks: Vec<(usize, &mut [u8])> = bytes.chunks_mut(BLOCK * width).enumerate().collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let share = blocks.len().div_ceil(cores).max(1);
    std::thread::scope(|scope| {
        while !blocks.is_empty() {
            let mine = blocks.split_off(blocks.len().saturating_sub(share));
            scope.spawn(move || mine.into_iter().for_each(|(block, out)| fill(block, out)));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_is_filled_once_and_knows_its_number() {
        for count in [0, 1, BLOCK, BLOCK + 1, 5 * BLOCK + 17] {
            let mut bytes = vec![0xff; count * 2];
            fill(&mut bytes, 2, &|block, out| out.fill(block as u8));
            let expected: Vec<u8> = (0..count * 2).map(|at| (at / (2 * BLOCK)) as u8).collect();
            assert_eq!(bytes, expected);
        }
    }
}
