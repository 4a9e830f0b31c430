//! Reshapes of padded tensors: one of the padded shapes where no padding moves, and otherwise a gather.

use super::Padder;
use crate::checked::{BinaryOp, Op, OpKind, Type, Value};

/// Whether a reshape keeps every dimension that is no power of two as it is, so that the padded shapes reshape alike.
///
/// The dimensions are cut into the smallest groups with equal products on both sides; a group is harmless when all of it is
/// powers of two, or when it is the same one dimension besides dimensions of 1.
fn keeps_padding(from: &[u32], to: &[u32]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < from.len() || j < to.len() {
        let (start_i, start_j) = (i, j);
        let (mut left, mut right) = (1_u64, 1_u64);
        loop {
            if left <= right && i < from.len() {
                left *= u64::from(from[i]);
                i += 1;
            } else if j < to.len() {
                right *= u64::from(to[j]);
                j += 1;
            } else {
                break;
            }
            if left == right {
                break;
            }
        }
        let (left, right) = (&from[start_i..i], &to[start_j..j]);
        let powers = left.iter().chain(right).all(|d| d.is_power_of_two());
        let wide = |dims: &[u32]| dims.iter().copied().filter(|d| *d != 1).collect::<Vec<u32>>();
        let same = wide(left).len() <= 1 && wide(left) == wide(right);
        if !(powers || same) {
            return false;
        }
    }
    true
}

impl Padder<'_> {
    /// The reshape itself is left as the last op: of the source, or of the gathered elements.
    pub(super) fn reshape(&mut self, op: &mut Op) {
        let (source, result) = (op.operands[0], op.results[0]);
        let (from, to) = (self.shape(source).to_vec(), self.shape(result).to_vec());
        if let OpKind::Reshape { allow_reorder } = &mut op.kind {
            *allow_reorder = false;
        }
        if keeps_padding(&from, &to) {
            return;
        }
        let index = self.source_index(&from, &to);
        let (word, restore) = self.as_word(source);
        let flat = self.flat(word);
        let shape = self.builder.ty(index).shape.clone();
        let ty = Type { element: self.builder.ty(flat).element.clone(), shape };
        let gathered = self.builder.emit(OpKind::Gather { axis: 0 }, &[flat, index], ty);
        op.operands[0] = self.restored(gathered, &restore);
    }

    fn flat(&mut self, value: Value) -> Value {
        let numel = self.builder.ty(value).numel() as u32;
        self.builder.reshape(value, vec![numel])
    }

    /// For every element of the padded result, flattened, the index of its source in the padded source, flattened.
    fn source_index(&mut self, from: &[u32], to: &[u32]) -> Value {
        let padded: Vec<u32> = to.iter().map(|d| d.next_power_of_two()).collect();
        let mut linear = None;
        let mut stride = 1_i128;
        for axis in (0..to.len()).rev() {
            let index = self.index(&padded, axis);
            let index = self.scaled(index, stride);
            linear = Some(match linear {
                None => index,
                Some(sum) => self.builder.binary(BinaryOp::AddI, sum, index),
            });
            stride *= i128::from(to[axis]);
        }
        let Some(linear) = linear else { return self.index(&[1], 0) };
        let linear = self.flat(linear);
        let ty = self.builder.ty(linear).clone();
        let mut source = None;
        let (mut stride, mut padded_stride) = (1_i128, 1_i128);
        for &dim in from.iter().rev() {
            let by = self.builder.int(stride, ty.clone());
            let quotient = self.builder.binary(BinaryOp::DivS, linear, by);
            let dim_value = self.builder.int(dim.into(), ty.clone());
            // The remainder also keeps what stands for padding inside the source.
            let index = self.builder.binary(BinaryOp::RemS, quotient, dim_value);
            let index = self.scaled(index, padded_stride);
            source = Some(match source {
                None => index,
                Some(sum) => self.builder.binary(BinaryOp::AddI, sum, index),
            });
            stride *= i128::from(dim);
            padded_stride *= i128::from(dim.next_power_of_two());
        }
        source.unwrap_or(linear)
    }

    fn scaled(&mut self, index: Value, by: i128) -> Value {
        if by == 1 {
            return index;
        }
        let by = self.builder.int(by, self.builder.ty(index).clone());
        self.builder.binary(BinaryOp::MulI, index, by)
    }
}

#[cfg(test)]
mod tests {
    use super::keeps_padding;

    #[test]
    fn padding_stays_where_its_dimension_stays() {
        assert!(keeps_padding(&[3], &[3, 1]));
        assert!(keeps_padding(&[3, 8], &[3, 2, 4]));
        assert!(keeps_padding(&[4, 1, 3], &[2, 2, 3]));
        assert!(keeps_padding(&[8, 16], &[128]));
        assert!(!keeps_padding(&[3, 2], &[6]));
        assert!(!keeps_padding(&[12], &[3, 4]));
        assert!(!keeps_padding(&[6, 4], &[4, 6]));
        assert!(!keeps_padding(&[2, 3], &[3, 2]));
    }
}
