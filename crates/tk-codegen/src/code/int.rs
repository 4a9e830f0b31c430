//! Integer and pointer arithmetic on [`Reg`], with constants folded and kept apart from computed parts.

use super::node::{IntTest, Opcode, mask};
use super::reg::{NO_NODE, Reg, Ty, wrap};
use super::{Code, Space};

impl Code<'_> {
    /// An integer constant.
    pub(crate) fn int(&self, ty: Ty, value: i64) -> Reg {
        Reg { node: NO_NODE, ty, offset: wrap(ty, value) }
    }

    /// A 32-bit constant.
    pub(crate) fn i32(&self, value: i64) -> Reg {
        self.int(Ty::I32, value)
    }

    /// True or false.
    pub(crate) fn bool(&self, value: bool) -> Reg {
        self.int(Ty::BOOL, value.into())
    }

    /// The same computed value, now known to be below `2^bits`.
    pub(crate) fn assume_below(&mut self, a: Reg, bits: u32) -> Reg {
        if let Some(node) = self.nodes.get_mut(a.node as usize).filter(|_| a.offset == 0) {
            node.zeros |= if bits >= 64 { 0 } else { !((1u64 << bits) - 1) };
        }
        a
    }

    /// The same computed value, now known to be a multiple of `factor`, a power of two.
    pub(crate) fn assume_multiple(&mut self, a: Reg, factor: u64) -> Reg {
        if let Some(node) = self.nodes.get_mut(a.node as usize).filter(|_| a.offset == 0 && factor.is_power_of_two()) {
            node.zeros |= factor - 1;
        }
        a
    }

    /// `a + b`.
    pub(crate) fn add(&mut self, a: Reg, b: Reg) -> Reg {
        let offset = wrap(a.ty, a.offset.wrapping_add(b.offset));
        if a.node == NO_NODE || b.node == NO_NODE {
            return Reg { node: if a.node == NO_NODE { b.node } else { a.node }, ty: a.ty, offset };
        }
        // The constant parts are added apart, so registers with equal computed parts share one addition.
        let (low, high) = if a.node <= b.node { (a.base(), b.base()) } else { (b.base(), a.base()) };
        let zeros = self.sum_zeros(a.ty, self.zeros(low), self.zeros(high));
        Reg { offset, ..self.compute(Opcode::Add, a.ty, &[low, high], zeros) }
    }

    /// `a - b`.
    pub(crate) fn sub(&mut self, a: Reg, b: Reg) -> Reg {
        let offset = wrap(a.ty, a.offset.wrapping_sub(b.offset));
        if b.node == NO_NODE || a.node == b.node {
            return Reg { node: if b.node == NO_NODE { a.node } else { NO_NODE }, ty: a.ty, offset };
        }
        let whole = if a.node == NO_NODE { (Reg { offset, ..a }, b.base()) } else { (a.base(), b.base()) };
        let offset = if a.node == NO_NODE { 0 } else { offset };
        Reg { offset, ..self.compute(Opcode::Sub, a.ty, &[whole.0, whole.1], 0) }
    }

    /// `a * b`.
    pub(crate) fn mul(&mut self, a: Reg, b: Reg) -> Reg {
        let (a, b) = if a.node == NO_NODE { (b, a) } else { (a, b) };
        if let Some(factor) = b.constant() {
            return self.mul_constant(a, factor);
        }
        if let Some(sum) = self.product_of_row(a, b).or_else(|| self.product_of_row(b, a)) {
            return sum;
        }
        let low = (self.zeros(a).trailing_ones() + self.zeros(b).trailing_ones()).min(63);
        let (a, b) = if (a.node, a.offset) <= (b.node, b.offset) { (a, b) } else { (b, a) };
        self.compute(Opcode::Mul, a.ty, &[a, b], (1 << low) - 1)
    }

    fn mul_constant(&mut self, a: Reg, factor: i64) -> Reg {
        let offset = wrap(a.ty, a.offset.wrapping_mul(factor));
        if factor == 0 || a.node == NO_NODE {
            return self.int(a.ty, offset);
        }
        if factor == 1 {
            return a;
        }
        let base = a.base();
        let zeros = self.zeros(base);
        if factor > 0 && factor.count_ones() == 1 {
            let amount = self.int(a.ty, factor.trailing_zeros().into());
            let zeros = zeros << factor.trailing_zeros() | (factor as u64 - 1);
            return Reg { offset, ..self.compute(Opcode::Shl, a.ty, &[base, amount], zeros) };
        }
        let low = (zeros.trailing_ones() + factor.trailing_zeros()).min(63);
        let factor = self.int(a.ty, factor);
        Reg { offset, ..self.compute(Opcode::Mul, a.ty, &[base, factor], (1 << low) - 1) }
    }

    /// `a << b`; `b` is below the width.
    pub(crate) fn shl(&mut self, a: Reg, b: Reg) -> Reg {
        match b.constant() {
            Some(amount) if (0..i64::from(a.ty.bits())).contains(&amount) => {
                self.mul_constant(a, 1i64.wrapping_shl(amount as u32))
            }
            _ => self.compute(Opcode::Shl, a.ty, &[a, b], 0),
        }
    }

    /// `a >> b` of an unsigned number; `b` is below the width.
    pub(crate) fn lshr(&mut self, a: Reg, b: Reg) -> Reg {
        self.shift_right(Opcode::LShr, a, b)
    }

    /// `a >> b` of a signed number; `b` is below the width.
    pub(crate) fn ashr(&mut self, a: Reg, b: Reg) -> Reg {
        let opcode = if self.is_non_negative(a) { Opcode::LShr } else { Opcode::AShr };
        self.shift_right(opcode, a, b)
    }

    fn shift_right(&mut self, opcode: Opcode, a: Reg, b: Reg) -> Reg {
        let width = mask(a.ty);
        let Some(amount) = b.constant().filter(|amount| (0..i64::from(a.ty.bits())).contains(amount)) else {
            return self.compute(opcode, a.ty, &[a, b], 0);
        };
        let shift = |value: i64| {
            if opcode == Opcode::AShr { value >> amount } else { wrap(a.ty, ((value as u64 & width) >> amount) as i64) }
        };
        if amount == 0 {
            return a;
        }
        if a.node == NO_NODE {
            return self.int(a.ty, shift(a.offset));
        }
        let (a, offset) = if self.is_union(a) { (a.base(), shift(a.offset)) } else { (a, 0) };
        let zeros = self.zeros(a);
        // Into a signed number the sign comes in from above.
        let zeros = if opcode == Opcode::LShr {
            (zeros | !width) >> amount | !(u64::MAX >> amount)
        } else {
            (zeros & width) >> amount
        };
        Reg { offset, ..self.compute(opcode, a.ty, &[a, b], zeros) }
    }

    /// Bitwise and.
    pub(crate) fn and(&mut self, a: Reg, b: Reg) -> Reg {
        let (a, b) = if a.node == NO_NODE { (b, a) } else { (a, b) };
        if a == b {
            return a;
        }
        let Some(bits) = b.constant() else {
            let zeros = self.zeros(a) | self.zeros(b);
            return self.commutative(Opcode::And, a, b, zeros);
        };
        let width = mask(a.ty);
        if a.node == NO_NODE {
            return self.int(a.ty, a.offset & bits);
        }
        let (a, offset) = if self.is_union(a) { (a.base(), a.offset & bits) } else { (a, 0) };
        let zeros = self.zeros(a);
        if !zeros & !(bits as u64) & width == 0 {
            return a.with_offset(a.offset.wrapping_add(offset));
        }
        if !zeros & bits as u64 & width == 0 {
            return self.int(a.ty, offset);
        }
        Reg { offset, ..self.compute(Opcode::And, a.ty, &[a, b], zeros | !(bits as u64)) }
    }

    /// Bitwise or.
    pub(crate) fn or(&mut self, a: Reg, b: Reg) -> Reg {
        let (a, b) = if a.node == NO_NODE { (b, a) } else { (a, b) };
        let (za, zb) = (self.zeros(a), self.zeros(b));
        if a == b || !zb & mask(a.ty) == 0 {
            return a;
        }
        if a.node == NO_NODE {
            return self.int(a.ty, a.offset | b.offset);
        }
        if b.constant() == Some(-1) {
            return b;
        }
        if !za & !zb & mask(a.ty) == 0 {
            return self.add(a, b);
        }
        self.commutative(Opcode::Or, a, b, za & zb)
    }

    /// Bitwise exclusive or.
    pub(crate) fn xor(&mut self, a: Reg, b: Reg) -> Reg {
        let (a, b) = if a.node == NO_NODE { (b, a) } else { (a, b) };
        if a == b {
            return self.int(a.ty, 0);
        }
        if a.node == NO_NODE {
            return self.int(a.ty, a.offset ^ b.offset);
        }
        let (za, zb) = (self.zeros(a), self.zeros(b));
        if !za & !zb & mask(a.ty) == 0 {
            return self.add(a, b);
        }
        self.commutative(Opcode::Xor, a, b, za & zb)
    }

    fn commutative(&mut self, opcode: Opcode, a: Reg, b: Reg, zeros: u64) -> Reg {
        let (a, b) = if (a.node, a.offset) <= (b.node, b.offset) { (a, b) } else { (b, a) };
        self.compute(opcode, a.ty, &[a, b], zeros)
    }

    /// `!a` of a truth value.
    pub(crate) fn not(&mut self, a: Reg) -> Reg {
        let all = self.int(a.ty, -1);
        self.xor(a, all)
    }

    /// Signed quotient, rounded to zero. A zero divisor is undefined.
    pub(crate) fn sdiv(&mut self, a: Reg, b: Reg) -> Reg {
        if let (Some(x), Some(y)) = (a.constant(), b.constant())
            && y != 0
        {
            return self.int(a.ty, x.wrapping_div(y));
        }
        if !self.is_non_negative(a) {
            return self.compute(Opcode::SDiv, a.ty, &[a, b], 0);
        }
        let (magnitude, is_negative) = self.magnitude(b);
        let quotient = self.udiv(a, magnitude);
        let Some(is_negative) = is_negative else { return quotient };
        let zero = self.int(a.ty, 0);
        let negated = self.sub(zero, quotient);
        self.select(is_negative, negated, quotient)
    }

    /// The absolute value, to be taken as unsigned, and whether the number is negative where that is not known.
    ///
    /// A number that is not negative is divided by it as unsigned numbers are. ptxas keeps such a quotient of program ids in uniform registers, as it
    /// does not with a signed one, and with it the addresses of copies in the loops behind it.
    fn magnitude(&mut self, number: Reg) -> (Reg, Option<Reg>) {
        if self.is_non_negative(number) {
            return (number, None);
        }
        let zero = self.int(number.ty, 0);
        let is_negative = self.icmp(IntTest::Slt, number, zero);
        let negated = self.sub(zero, number);
        (self.select(is_negative, negated, number), Some(is_negative))
    }

    /// Unsigned quotient. A zero divisor is undefined.
    pub(crate) fn udiv(&mut self, a: Reg, b: Reg) -> Reg {
        match (a.constant(), b.constant()) {
            (Some(x), Some(y)) if y != 0 => {
                let width = mask(a.ty);
                self.int(a.ty, ((x as u64 & width) / (y as u64 & width)) as i64)
            }
            (_, Some(y)) if (y as u64 & mask(a.ty)).is_power_of_two() => {
                let amount = self.int(a.ty, (y as u64 & mask(a.ty)).trailing_zeros().into());
                self.lshr(a, amount)
            }
            _ => {
                let (a, _) = self.parted_by(a, b);
                let zeros = self.high_zeros(a);
                self.compute(Opcode::UDiv, a.ty, &[a, b], zeros)
            }
        }
    }

    /// Signed remainder with the sign of `a`. A zero divisor is undefined.
    pub(crate) fn srem(&mut self, a: Reg, b: Reg) -> Reg {
        if let (Some(x), Some(y)) = (a.constant(), b.constant())
            && y != 0
        {
            return self.int(a.ty, x.wrapping_rem(y));
        }
        if !self.is_non_negative(a) {
            let sign = self.high_zeros(a) & sign_bit(a.ty);
            return self.compute(Opcode::SRem, a.ty, &[a, b], sign);
        }
        let (magnitude, _) = self.magnitude(b);
        self.urem(a, magnitude)
    }

    /// Unsigned remainder. A zero divisor is undefined.
    pub(crate) fn urem(&mut self, a: Reg, b: Reg) -> Reg {
        match (a.constant(), b.constant()) {
            (Some(x), Some(y)) if y != 0 => {
                let width = mask(a.ty);
                self.int(a.ty, ((x as u64 & width) % (y as u64 & width)) as i64)
            }
            (_, Some(y)) if (y as u64 & mask(a.ty)).is_power_of_two() => {
                let bits = self.int(a.ty, (y as u64 & mask(a.ty)).wrapping_sub(1) as i64);
                self.and(a, bits)
            }
            _ => {
                let (a, offset) = self.parted_by(a, b);
                let low = self.zeros(a).trailing_ones().min(self.zeros(b).trailing_ones()).min(63);
                let zeros = self.high_zeros(a) | self.high_zeros(b) | ((1 << low) - 1);
                Reg { offset, ..self.compute(Opcode::URem, a.ty, &[a, b], zeros) }
            }
        }
    }

    /// A number without the bits of its constant that lie below a power of two which divides both the computed part and a constant divisor, and these bits.
    ///
    /// What is left is a multiple of that power, and so is its remainder, which is below the divisor by at least the power. So with the bits the quotient is the
    /// same, and the remainder is that with the bits. Registers whose constants differ by them alone share a division.
    fn parted_by(&self, number: Reg, divisor: Reg) -> (Reg, i64) {
        let power = divisor.constant().filter(|divisor| *divisor != 0).map(i64::trailing_zeros);
        let (Some(power), false) = (power, number.node == NO_NODE) else { return (number, 0) };
        let low = power.min(self.nodes[number.node as usize].zeros.trailing_ones()).min(62);
        let bits = number.offset & ((1 << low) - 1);
        (number.with_offset(number.offset - bits), bits)
    }

    /// The known-zero bits above the highest bit that may be set.
    fn high_zeros(&self, a: Reg) -> u64 {
        let possible = !self.zeros(a) & mask(a.ty);
        if possible == 0 { u64::MAX } else { !(u64::MAX >> possible.leading_zeros()) }
    }

    /// Whether a signed number is known not to be negative.
    pub(crate) fn is_non_negative(&self, a: Reg) -> bool {
        self.zeros(a) & sign_bit(a.ty) != 0
    }

    /// `condition ? a : b` for any type.
    pub(crate) fn select(&mut self, condition: Reg, a: Reg, b: Reg) -> Reg {
        if let Some(value) = condition.constant() {
            return if value != 0 { a } else { b };
        }
        if a == b {
            return a;
        }
        if a.ty == Ty::BOOL {
            match (a.constant(), b.constant()) {
                (Some(-1), Some(0)) => return condition,
                (Some(0), Some(-1)) => return self.not(condition),
                _ => {}
            }
        }
        let zeros = if a.ty.is_int() { self.zeros(a) & self.zeros(b) } else { 0 };
        if a.node != NO_NODE && b.node != NO_NODE && a.offset == b.offset {
            let zeros = if a.ty.is_int() { self.zeros(a.base()) & self.zeros(b.base()) } else { 0 };
            let base = self.compute(Opcode::Select, a.ty, &[condition, a.base(), b.base()], zeros);
            return Reg { offset: a.offset, ..base };
        }
        self.compute(Opcode::Select, a.ty, &[condition, a, b], zeros)
    }

    /// The low bits of an integer.
    pub(crate) fn trunc(&mut self, a: Reg, ty: Ty) -> Reg {
        if a.ty == ty {
            return a;
        }
        let offset = wrap(ty, a.offset);
        if a.node == NO_NODE {
            return Reg { node: NO_NODE, ty, offset };
        }
        let zeros = self.zeros(a.base());
        Reg { offset, ..self.compute(Opcode::Trunc, ty, &[a.base()], zeros) }
    }

    /// A wider integer of the same signed value.
    pub(crate) fn sext(&mut self, a: Reg, ty: Ty) -> Reg {
        if self.is_non_negative(a) {
            return self.zext(a, ty);
        }
        self.extend(Opcode::SExt, a, ty)
    }

    /// A wider integer of the same unsigned value.
    pub(crate) fn zext(&mut self, a: Reg, ty: Ty) -> Reg {
        self.extend(Opcode::ZExt, a, ty)
    }

    fn extend(&mut self, opcode: Opcode, a: Reg, ty: Ty) -> Reg {
        if a.ty == ty {
            return a;
        }
        let widen = |offset: i64| if opcode == Opcode::SExt { offset } else { offset & mask(a.ty) as i64 };
        if a.node == NO_NODE {
            return self.int(ty, widen(a.offset));
        }
        // The extension of a union is the union of the extensions; of another sum it is not, because the sum may wrap.
        let (a, offset) = if self.is_union(a) { (a.base(), widen(a.offset)) } else { (a, 0) };
        let own = self.zeros(a);
        let zeros = if opcode == Opcode::ZExt {
            own | !mask(a.ty)
        } else {
            own & mask(a.ty) | if own & sign_bit(a.ty) != 0 { !mask(a.ty) } else { 0 }
        };
        Reg { offset, ..self.compute(opcode, ty, &[a], zeros) }
    }

    /// A pointer as an integer of its width.
    pub(crate) fn ptr_to_int(&mut self, pointer: Reg) -> Reg {
        let ty = Ty::Int(pointer.ty.bits());
        Reg { offset: wrap(ty, pointer.offset), ..self.compute(Opcode::PtrToInt, ty, &[pointer.base()], 0) }
    }

    /// A 64-bit integer as a pointer to global memory.
    pub(crate) fn int_to_ptr(&mut self, address: Reg) -> Reg {
        self.compute(Opcode::IntToPtr, Ty::Ptr(Space::Global), &[address], 0)
    }

    /// The same address as a generic pointer, which for global memory is the same number.
    pub(crate) fn generic(&mut self, pointer: Reg) -> Reg {
        let address = self.ptr_to_int(pointer);
        self.compute(Opcode::IntToPtr, Ty::Ptr(Space::Generic), &[address], 0)
    }

    /// The larger or smaller of two integers.
    pub(crate) fn int_extreme(&mut self, keep_a_if: IntTest, a: Reg, b: Reg) -> Reg {
        let test = self.icmp(keep_a_if, a, b);
        self.select(test, a, b)
    }
}

/// The highest bit of an integer type.
pub(super) fn sign_bit(ty: Ty) -> u64 {
    1 << (ty.bits() - 1)
}
