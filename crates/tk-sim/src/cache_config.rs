//! What the model of caches is told.

use serde::Serialize;
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// Most bytes of a cache of the model.
const MOST_BYTES: u64 = 1 << 30;
/// Most multiprocessors of the model.
const MOST_MULTIPROCESSORS: u32 = 1024;
/// Most CTAs of a multiprocessor.
const MOST_CTAS: u32 = 32;

/// The order in which CTAs begin; each takes the next place that is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum CtaOrder {
    /// By their number, as GPUs do.
    Forwards,
    /// From the last to the first.
    Backwards,
    /// Every so many of them, then those after these, and so on.
    Strided(u32),
}

/// The caches of a GPU and how CTAs share them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CacheConfig {
    /// Bytes of L2.
    pub l2_bytes: u64,
    /// Lines of a set of L2.
    pub l2_ways: u32,
    /// Halves of L2: two, each beside half of the multiprocessors and the home of half of the memory, which also keeps copies of what its
    /// multiprocessors read of the other; or one.
    pub halves: u32,
    /// Multiprocessors, each with an L1 of its own.
    pub multiprocessors: u32,
    /// CTAs that a multiprocessor runs at once; none for as many as fit with the registers that the PTX needs at the same time.
    pub ctas: Option<u32>,
    /// The order in which CTAs begin.
    pub order: CtaOrder,
}

impl Default for CacheConfig {
    /// An H200: 60 MiB (the attribute `CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE` of its driver) in two halves, 132 multiprocessors. The 16 ways
    /// are assumed.
    fn default() -> Self {
        Self { l2_bytes: 60 << 20, l2_ways: 16, halves: 2, multiprocessors: 132, ctas: None, order: CtaOrder::Forwards }
    }
}

impl FromStr for CacheConfig {
    type Err = String;

    /// `multiprocessors=9,ctas=1,kib=256,halves=1,ways=16,order=backwards`, each part optional; the empty text is an H200.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut config = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let number = |most: u64| match value.parse::<u64>() {
                Ok(number) if (1..=most).contains(&number) => Ok(number),
                _ => Err(format!("`{part}`: {name} is a number from 1 to {most}")),
            };
            match name {
                "multiprocessors" => config.multiprocessors = number(MOST_MULTIPROCESSORS.into())? as u32,
                "ctas" => config.ctas = Some(number(MOST_CTAS.into())? as u32),
                "kib" => config.l2_bytes = number(MOST_BYTES >> 10)? << 10,
                "mib" => config.l2_bytes = number(MOST_BYTES >> 20)? << 20,
                "halves" => config.halves = number(2)? as u32,
                "ways" => config.l2_ways = number(4096)? as u32,
                "order" => config.order = order(value)?,
                _ => {
                    return Err(format!(
                        "`{part}`: what can be set is multiprocessors, ctas (of a multiprocessor), kib or mib (of L2), halves, ways and order"
                    ));
                }
            }
        }
        Ok(config)
    }
}

fn order(text: &str) -> Result<CtaOrder, String> {
    match text {
        "forwards" => Ok(CtaOrder::Forwards),
        "backwards" => Ok(CtaOrder::Backwards),
        other => other
            .parse()
            .ok()
            .filter(|by| *by > 0)
            .map(CtaOrder::Strided)
            .ok_or_else(|| format!("`order={other}`: an order is forwards, backwards, or a step such as 8")),
    }
}

impl Display for CtaOrder {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            CtaOrder::Forwards => write!(f, "in order"),
            CtaOrder::Backwards => write!(f, "from the last to the first"),
            CtaOrder::Strided(by) => write!(f, "every {by}th first"),
        }
    }
}

impl Display for CacheConfig {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self.l2_bytes {
            bytes if bytes.is_multiple_of(1 << 20) => write!(f, "{} MiB", bytes >> 20)?,
            bytes => write!(f, "{} KiB", bytes >> 10)?,
        }
        let plural = |n: u32| if n == 1 { "" } else { "s" };
        let (n, ctas) = (self.multiprocessors, self.ctas.unwrap_or(1));
        if self.halves == 2 {
            write!(f, " in two halves")?;
        }
        write!(f, " of {} way{}, {n} multiprocessor{}", self.l2_ways, plural(self.l2_ways), plural(n))?;
        write!(f, " with {ctas} CTA{} at once, {}", plural(ctas), self.order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_wrong_ones_are_told() {
        let config: CacheConfig = "multiprocessors=9, ctas=1,kib=96,order=backwards".parse().unwrap();
        assert_eq!(
            config.to_string(),
            "96 KiB in two halves of 16 ways, 9 multiprocessors with 1 CTA at once, from the last to the first"
        );
        assert_eq!("".parse(), Ok(CacheConfig::default()));
        for wrong in
            ["multiprocessors=0", "ctas=33", "mib=99999999999", "order=0", "order=", "size=3", "ways", "kib=-1"]
        {
            let error = wrong.parse::<CacheConfig>().unwrap_err();
            assert!(error.contains(wrong.split('=').next().unwrap()), "{error}");
        }
    }
}
