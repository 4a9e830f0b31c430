//! Loads, stores, and what prints and asserts.

use super::{CacheModifier, EvictionPolicy, view};
use crate::{Op, Value};

view! {
    /// `tt.load`.
    LoadOp = TtLoad {
        /// A pointer or a tensor of pointers.
        ptr = operand 0;
        /// Which elements to load; all when `None`.
        mask = segment 1;
        /// What masked-out elements are; undefined when `None`.
        other = segment 2;
        /// The loaded value.
        result = result 0;
    }
    /// `tt.store`.
    StoreOp = TtStore {
        /// A pointer or a tensor of pointers.
        ptr = operand 0;
        /// What to store.
        value = operand 1;
        /// Which elements to store; all when `None`.
        mask = optional 2;
    }
    /// `tt.assert`.
    AssertOp = TtAssert {
        /// What must hold, a scalar or a tensor of `i1`.
        condition = operand 0;
    }
    /// `tt.guard`.
    GuardOp = TtGuard {
        /// Where failed checks are recorded.
        record = operand 0;
        /// A scalar or a tensor of `i64`; the least one where the check holds.
        value = operand 1;
    }
    /// `tt.print`.
    PrintOp = TtPrint {}
}

impl LoadOp<'_> {
    /// Where it may be cached.
    pub fn cache(self) -> CacheModifier {
        cache_of(self.op)
    }

    /// How soon its cache line may go.
    pub fn eviction(self) -> EvictionPolicy {
        eviction_of(self.op)
    }

    /// It may not be removed or repeated.
    pub fn volatile(self) -> bool {
        self.op.int_attr("isVolatile") == Some(1)
    }
}

impl StoreOp<'_> {
    /// Where it may be cached.
    pub fn cache(self) -> CacheModifier {
        cache_of(self.op)
    }

    /// How soon its cache line may go.
    pub fn eviction(self) -> EvictionPolicy {
        eviction_of(self.op)
    }
}

impl<'c> AssertOp<'c> {
    /// What to say when it does not.
    pub fn message(self) -> &'c str {
        self.op.str_attr("message").unwrap_or_default()
    }
}

impl GuardOp<'_> {
    /// The number of the check.
    pub fn site(self) -> i64 {
        self.op.int_attr("site").unwrap_or_default()
    }
}

impl<'c> PrintOp<'c> {
    /// The text before the values.
    pub fn prefix(self) -> &'c str {
        self.op.str_attr("prefix").unwrap_or_default()
    }

    /// Print integers in base 16.
    pub fn hex(self) -> bool {
        self.op.int_attr("hex") == Some(1)
    }

    /// The values.
    pub fn args(self) -> Vec<Value<'c>> {
        self.op.operands()
    }

    /// For each value, whether its integers are signed.
    pub fn signed(self) -> Vec<bool> {
        let flags = self.op.attr("isSigned").and_then(|flags| flags.as_ints()).unwrap_or_default();
        flags.into_iter().map(|flag| flag != 0).collect()
    }
}

/// The cache modifier, from Triton 3.6's attribute or from the `#tt.cache_policy` of later versions.
fn cache_of(op: Op<'_>) -> CacheModifier {
    let plain = op.int_attr("cache").and_then(CacheModifier::from_number).unwrap_or_default();
    if plain != CacheModifier::None {
        return plain;
    }
    policy_field(op, "cache_modifier").and_then(|word| CacheModifier::from_name(&word)).unwrap_or_default()
}

fn eviction_of(op: Op<'_>) -> EvictionPolicy {
    let plain = op.int_attr("evict").and_then(EvictionPolicy::from_number).unwrap_or_default();
    if plain != EvictionPolicy::Normal {
        return plain;
    }
    policy_field(op, "eviction_policy").and_then(|word| EvictionPolicy::from_name(&word)).unwrap_or_default()
}

/// A field of `cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>`.
fn policy_field(op: Op<'_>, field: &str) -> Option<String> {
    let text = op.attr("cachePolicy")?.to_string();
    let (_, rest) = text.split_once(field)?;
    let value = rest.trim_start().strip_prefix('=')?;
    Some(value.trim_start().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect())
}
