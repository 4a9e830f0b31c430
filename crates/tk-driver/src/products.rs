//! How a kernel multiplies, and what that is to another CTA of a multiprocessor.

/// What the products of a kernel are to another CTA.
pub(crate) enum Products {
    None,
    /// By `mma.sync`, each of which a warp waits for where it needs it.
    OfWarps,
    /// By `wgmma`, all of which are done where a warp group waits: it computes on them, or writes its operands to shared memory, and the tensor cores
    /// are another CTA's meanwhile.
    WaitedFor,
    /// By `wgmma`, of which some run on behind a wait, beside all that the group does. Another CTA finds the tensor cores taken.
    InFlight,
}

impl Products {
    pub(crate) fn of(ptx: &str) -> Self {
        if !ptx.contains("wgmma.") {
            return if ptx.contains("mma.sync.") { Self::OfWarps } else { Self::None };
        }
        // What follows each wait, up to the next one. A wait for some, with one for all right behind it, is one for all.
        let mut waits = ptx.split("wgmma.wait_group.sync.aligned ").skip(1).peekable();
        while let Some(rest) = waits.next() {
            let goes_on = waits.peek().is_none() || rest.lines().skip(1).any(is_instruction);
            if goes_on && !rest.starts_with("0;") {
                return Self::InFlight;
            }
        }
        Self::WaitedFor
    }
}

/// Some product by `wgmma` starts in steps, each of which waits for words that threads compute while those before it run.
pub(crate) fn starts_in_steps(ptx: &str) -> bool {
    const END_OF_PRODUCT: &str = "wgmma.commit_group";
    ptx.rsplit_once(END_OF_PRODUCT).is_some_and(|(products, _)| {
        products.split(END_OF_PRODUCT).any(|product| product.matches("wgmma.fence").count() > 1)
    })
}

/// Not an empty line, a comment, or a directive such as `.loc`.
fn is_instruction(line: &str) -> bool {
    let text = line.trim_start();
    !text.is_empty() && !text.starts_with("//") && !text.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_in_steps_has_several_fences() {
        let (fence, multiply, commit) = ("wgmma.fence;\n", "wgmma.mma_async;\n", "wgmma.commit_group;\n");
        let at_once = [fence, multiply, multiply, commit].concat();
        let in_steps = [fence, multiply, fence, multiply, commit].concat();
        assert!(!starts_in_steps(&at_once) && !starts_in_steps(&[&at_once[..], &at_once].concat()));
        assert!(starts_in_steps(&in_steps) && starts_in_steps(&[&at_once[..], &in_steps, &at_once].concat()));
        assert!(!starts_in_steps("mma.sync;\n") && !starts_in_steps(&[&at_once[..], fence].concat()));
    }
}
