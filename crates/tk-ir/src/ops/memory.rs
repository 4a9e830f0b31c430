//! How loads and stores are cached, in the two ways that Triton writes it.

use super::{CacheModifier, EvictionPolicy, LoadOp, StoreOp};
use crate::Op;

impl LoadOp<'_> {
    /// Where it may be cached.
    pub fn cache(self) -> CacheModifier {
        cache_of(self.op)
    }

    /// How soon its cache line may go.
    pub fn eviction(self) -> EvictionPolicy {
        eviction_of(self.op)
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
