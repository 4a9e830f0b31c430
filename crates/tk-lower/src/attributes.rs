//! The numbers that tt's enum attributes use, as Triton numbers them.

use tk_check::checked::{
    AtomicOp, CacheModifier, CompareOp, DescriptorReduction, EvictionPolicy, InputPrecision, MemoryScope,
    MemorySemantics,
};

pub(crate) fn cache(modifier: CacheModifier) -> i64 {
    match modifier {
        CacheModifier::None => 1,
        CacheModifier::Ca => 2,
        CacheModifier::Cg => 3,
        CacheModifier::Wb => 4,
        CacheModifier::Cs => 5,
        CacheModifier::Wt => 6,
        CacheModifier::Cv => 7,
    }
}

pub(crate) fn eviction(policy: EvictionPolicy) -> i64 {
    match policy {
        EvictionPolicy::Normal => 1,
        EvictionPolicy::EvictFirst => 2,
        EvictionPolicy::EvictLast => 3,
    }
}

pub(crate) fn atomic(op: AtomicOp) -> i64 {
    match op {
        AtomicOp::And => 1,
        AtomicOp::Or => 2,
        AtomicOp::Xor => 3,
        AtomicOp::Add => 4,
        AtomicOp::FAdd => 5,
        AtomicOp::Max => 6,
        AtomicOp::Min => 7,
        AtomicOp::UMax => 8,
        AtomicOp::UMin => 9,
        AtomicOp::Exchange => 10,
    }
}

pub(crate) fn semantics(semantics: MemorySemantics) -> i64 {
    match semantics {
        MemorySemantics::Relaxed => 1,
        MemorySemantics::Acquire => 2,
        MemorySemantics::Release => 3,
        MemorySemantics::AcquireRelease => 4,
    }
}

pub(crate) fn scope(scope: MemoryScope) -> i64 {
    match scope {
        MemoryScope::Gpu => 1,
        MemoryScope::Cta => 2,
        MemoryScope::System => 3,
    }
}

pub(crate) fn precision(precision: InputPrecision) -> i64 {
    match precision {
        InputPrecision::Tf32 => 0,
        InputPrecision::Tf32x3 => 1,
        InputPrecision::Ieee => 2,
        InputPrecision::Bf16x3 => 3,
        InputPrecision::Bf16x6 => 4,
    }
}

/// What a descriptor reads outside its tensor: zeros or NaN.
pub(crate) fn padding(nan: bool) -> u32 {
    if nan { 2 } else { 1 }
}

pub(crate) fn descriptor_reduction(reduction: DescriptorReduction) -> i64 {
    match reduction {
        DescriptorReduction::Add => 1,
        DescriptorReduction::Min => 2,
        DescriptorReduction::Max => 3,
        DescriptorReduction::And => 6,
        DescriptorReduction::Or => 7,
        DescriptorReduction::Xor => 8,
    }
}

/// A predicate in arith's numbering, which integers and floats have of their own.
pub(crate) enum Predicate {
    OfIntegers(i64),
    OfFloats(i64),
}

/// The predicate of a comparison.
pub(crate) fn predicate(op: CompareOp) -> Predicate {
    use Predicate::{OfFloats, OfIntegers};
    match op {
        CompareOp::EqI => OfIntegers(0),
        CompareOp::NeI => OfIntegers(1),
        CompareOp::LtS => OfIntegers(2),
        CompareOp::LeS => OfIntegers(3),
        CompareOp::GtS => OfIntegers(4),
        CompareOp::GeS => OfIntegers(5),
        CompareOp::LtU => OfIntegers(6),
        CompareOp::LeU => OfIntegers(7),
        CompareOp::GtU => OfIntegers(8),
        CompareOp::GeU => OfIntegers(9),
        CompareOp::EqF => OfFloats(1),
        CompareOp::GtF => OfFloats(2),
        CompareOp::GeF => OfFloats(3),
        CompareOp::LtF => OfFloats(4),
        CompareOp::LeF => OfFloats(5),
        CompareOp::NeF => OfFloats(13),
    }
}
