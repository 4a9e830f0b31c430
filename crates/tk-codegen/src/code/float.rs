//! Float arithmetic, conversions, packing, and pure intrinsics and inline PTX, all on [`Reg`].

use super::node::{FloatTest, Opcode};
use super::reg::{NO_NODE, Reg, Ty};
use super::{Code, Lane};

/// Neighbouring lanes of a vector.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Lanes {
    /// Its node.
    vector: u32,
    /// Number of the lowest.
    first: usize,
}

impl Code<'_> {
    /// A float constant by its bits.
    pub(crate) fn float_bits(&self, ty: Ty, bits: u64) -> Reg {
        let shift = 64 - ty.bits();
        Reg { node: NO_NODE, ty, offset: (bits << shift) as i64 >> shift }
    }

    /// An `f32` constant.
    pub(crate) fn f32(&self, value: f32) -> Reg {
        self.float_bits(Ty::F32, value.to_bits().into())
    }

    /// An `f64` constant.
    pub(crate) fn f64(&self, value: f64) -> Reg {
        self.float_bits(Ty::F64, value.to_bits())
    }

    /// A constant of `f32` or `f64`, the nearest to `value`.
    pub(crate) fn float(&self, ty: Ty, value: f64) -> Reg {
        if ty == Ty::F64 { self.f64(value) } else { self.f32(value as f32) }
    }

    /// The constant of type `ty` whose bits are all 0.
    pub(crate) fn zero(&self, ty: Ty) -> Reg {
        Reg { node: NO_NODE, ty, offset: 0 }
    }

    /// `a + b`.
    pub(crate) fn fadd(&mut self, a: Reg, b: Reg) -> Reg {
        self.compute(Opcode::FAdd, a.ty, &[a, b], 0)
    }

    /// `a - b`.
    pub(crate) fn fsub(&mut self, a: Reg, b: Reg) -> Reg {
        self.compute(Opcode::FSub, a.ty, &[a, b], 0)
    }

    /// `a * b`.
    pub(crate) fn fmul(&mut self, a: Reg, b: Reg) -> Reg {
        self.compute(Opcode::FMul, a.ty, &[a, b], 0)
    }

    /// `a / b`, correctly rounded.
    pub(crate) fn fdiv(&mut self, a: Reg, b: Reg) -> Reg {
        self.compute(Opcode::FDiv, a.ty, &[a, b], 0)
    }

    /// The remainder of the division rounded to zero, as C's `fmod`.
    pub(crate) fn frem(&mut self, a: Reg, b: Reg) -> Reg {
        self.compute(Opcode::FRem, a.ty, &[a, b], 0)
    }

    /// `-a`.
    pub(crate) fn fneg(&mut self, a: Reg) -> Reg {
        self.compute(Opcode::FNeg, a.ty, &[a], 0)
    }

    /// `a * b + c` with one rounding.
    pub(crate) fn fma(&mut self, a: Reg, b: Reg, c: Reg) -> Reg {
        self.overloaded("llvm.fma", a.ty, &[a, b, c])
    }

    /// A comparison of floats.
    pub(crate) fn fcmp(&mut self, test: FloatTest, a: Reg, b: Reg) -> Reg {
        self.compute(Opcode::FCmp(test), Ty::BOOL, &[a, b], 0)
    }

    /// A wider float of the same value.
    pub(crate) fn fpext(&mut self, a: Reg, ty: Ty) -> Reg {
        if a.ty == ty { a } else { self.compute(Opcode::FpExt, ty, &[a], 0) }
    }

    /// A narrower float, rounded to nearest even.
    pub(crate) fn fptrunc(&mut self, a: Reg, ty: Ty) -> Reg {
        if a.ty == ty { a } else { self.compute(Opcode::FpTrunc, ty, &[a], 0) }
    }

    /// A signed integer from a float, rounded to zero.
    pub(crate) fn fp_to_si(&mut self, a: Reg, ty: Ty) -> Reg {
        self.compute(Opcode::FpToSi, ty, &[a], 0)
    }

    /// An unsigned integer from a float, rounded to zero.
    pub(crate) fn fp_to_ui(&mut self, a: Reg, ty: Ty) -> Reg {
        self.compute(Opcode::FpToUi, ty, &[a], 0)
    }

    /// A float from a signed integer.
    pub(crate) fn si_to_fp(&mut self, a: Reg, ty: Ty) -> Reg {
        self.compute(Opcode::SiToFp, ty, &[a], 0)
    }

    /// A float from an unsigned integer.
    pub(crate) fn ui_to_fp(&mut self, a: Reg, ty: Ty) -> Reg {
        self.compute(Opcode::UiToFp, ty, &[a], 0)
    }

    /// The same bits as another type of the same width.
    pub(crate) fn bitcast(&mut self, a: Reg, ty: Ty) -> Reg {
        if a.ty == ty {
            return a;
        }
        if a.node == NO_NODE && !matches!(a.ty, Ty::Ptr(_)) && !matches!(ty, Ty::Ptr(_)) {
            return Reg { node: NO_NODE, ty, offset: a.offset };
        }
        // Back and forth is nothing.
        let node = self.materialise(a);
        let key = self.nodes[node as usize].key;
        if key.opcode == Opcode::Bitcast && self.nodes[key.args[0] as usize].key.ty == ty {
            return Reg { node: key.args[0], ty, offset: 0 };
        }
        self.compute(Opcode::Bitcast, ty, &[a], 0)
    }

    /// One word of type `ty` out of parts of equal type, lowest first; 2 or 4 parts, or 1 of the same width.
    pub(crate) fn pack(&mut self, parts: &[Reg], ty: Ty) -> Reg {
        if let [part] = parts {
            return self.bitcast(*part, ty);
        }
        if ty.bits() <= 64 && parts.iter().all(|part| part.node == NO_NODE) {
            let bits = parts[0].ty.bits();
            let low = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
            let word = parts.iter().rev().fold(0u64, |word, part| word << bits | part.offset as u64 & low);
            return self.float_bits(ty, word);
        }
        if let Some(word) = self.already_packed(parts) {
            return self.bitcast(word, ty);
        }
        if let Some(word) = self.pack_swapped(parts, ty) {
            return word;
        }
        let Some(lane) = parts[0].ty.lane() else { return self.pack_bits(parts, ty) };
        let vector = Ty::Vector(parts.len() as u8, lane);
        let packed = self.compute(Opcode::Pack, vector, parts, 0);
        self.bitcast(packed, ty)
    }

    fn pack_bits(&mut self, parts: &[Reg], ty: Ty) -> Reg {
        let bytes: Vec<Reg> = parts.iter().map(|part| self.zext(*part, Ty::Int(8))).collect();
        self.pack(&bytes, ty)
    }

    /// The vector whose lanes `parts` are, in order.
    fn already_packed(&mut self, parts: &[Reg]) -> Option<Reg> {
        let Lanes { vector: node, first } = self.lanes(parts)?;
        let ty = self.nodes[node as usize].key.ty;
        let is_whole = first == 0 && matches!(ty, Ty::Vector(count, _) if usize::from(count) == parts.len());
        is_whole.then_some(Reg { node, ty, offset: 0 })
    }

    /// The vector whose neighbouring lanes `parts` are, in order.
    fn lanes(&self, parts: &[Reg]) -> Option<Lanes> {
        let mut found: Option<Lanes> = None;
        for (index, part) in parts.iter().enumerate() {
            let key = self.nodes.get(part.node as usize).filter(|_| part.offset == 0)?.key;
            let Opcode::Extract(lane) = key.opcode else { return None };
            let first = usize::from(lane).checked_sub(index)?;
            let here = Lanes { vector: key.args[0], first };
            if *found.get_or_insert(here) != here {
                return None;
            }
        }
        found
    }

    /// The word of 32 bits in which these lie side by side, and how many parts are below them; what else is in it is not said.
    pub(crate) fn word_with(&mut self, parts: &[Reg]) -> Option<(Reg, usize)> {
        let Lanes { vector, first } = self.lanes(parts)?;
        let ty = self.nodes[vector as usize].key.ty;
        (ty.bits() == 32).then(|| (self.bitcast(Reg { node: vector, ty, offset: 0 }, Ty::I32), first))
    }

    /// The parts of type `ty` of a word, lowest first; the inverse of [`Code::pack`].
    pub(crate) fn unpack(&mut self, word: Reg, ty: Ty) -> Vec<Reg> {
        let count = word.ty.bits() / ty.bits().max(1);
        if count <= 1 || ty == Ty::BOOL {
            return vec![self.bitcast(word, ty)];
        }
        let lane = ty.lane().unwrap_or(Lane::I8);
        let vector = self.bitcast(word, Ty::Vector(count as u8, lane));
        (0..count).map(|index| self.extract(vector, index as u8)).collect()
    }

    /// Lane `index` of a vector.
    pub(crate) fn extract(&mut self, vector: Reg, index: u8) -> Reg {
        let Ty::Vector(_, lane) = vector.ty else { return vector };
        let key = self.nodes.get(vector.node as usize).map(|node| node.key);
        if let Some(key) = key.filter(|key| key.opcode == Opcode::Pack) {
            return Reg { node: key.args[usize::from(index)], ty: lane.ty(), offset: 0 };
        }
        self.compute(Opcode::Extract(index), lane.ty(), &[vector], 0)
    }

    /// A call of a pure intrinsic, such as `llvm.nvvm.ex2.approx.ftz.f`, with up to four arguments.
    pub(crate) fn intrinsic(&mut self, name: &str, result: Ty, args: &[Reg]) -> Reg {
        let number = self.intern(name);
        self.compute(Opcode::Call(number), result, args, 0)
    }

    /// A call of a pure intrinsic that is overloaded on the type of its result and arguments: `llvm.fma` is `llvm.fma.f32`.
    pub(crate) fn overloaded(&mut self, name: &str, ty: Ty, args: &[Reg]) -> Reg {
        let name = format!("{name}.{}", suffix(ty));
        self.intrinsic(&name, ty, args)
    }

    /// One PTX instruction without effects: `template` uses `$0` for the result and `$1`, `$2`, … for up to four arguments.
    pub(crate) fn pure_asm(&mut self, template: &str, result: Ty, args: &[Reg]) -> Reg {
        let mut constraints = format!("={}", result.constraint());
        for arg in args {
            constraints.push(',');
            constraints.push_str(arg.ty.constraint());
        }
        let number = self.intern(template);
        self.constraints.insert(number, constraints);
        self.compute(Opcode::Asm(number), result, args, 0)
    }
}

/// The suffix of an overloaded intrinsic.
pub(super) fn suffix(ty: Ty) -> String {
    match ty {
        Ty::Int(bits) => format!("i{bits}"),
        Ty::F16 => "f16".into(),
        Ty::BF16 => "bf16".into(),
        Ty::F32 => "f32".into(),
        Ty::F64 => "f64".into(),
        Ty::Ptr(super::Space::Generic) => "p0".into(),
        Ty::Ptr(super::Space::Global) => "p1".into(),
        Ty::Ptr(super::Space::Shared) => "p3".into(),
        Ty::Vector(count, lane) => format!("v{count}{}", suffix(lane.ty())),
    }
}
