//! Overwriting the L2 cache before a timed run.
//!
//! `triton.testing.do_bench` lets torch zero 256 MB: 65536 CTAs of 128 threads, each of which stores 16 bytes twice. The driver's
//! memset leaves the cache in another state, after which a softmax takes 1 % longer (docs/measurements.md), so a kernel that stores
//! in the same way stands here, and figures of tk and of Triton are taken behind the same flush.
//!
//! It is not a part of [`Gpu`] because a kernel keeps its context alive.

use crate::fault::OrDiagnostic;
use std::sync::{Arc, Mutex};
use tk_diag::Result;
use tk_image::{ImageParam, KernelImage};
use tk_runtime::{Arg, Gpu, Kernel, Memory};
use tk_target::Target;
use tk_types::ScalarType;

/// Bytes of Triton's buffer. A GPU whose cache is more than a quarter of it has a larger one.
const LEAST_BYTES: usize = 256 << 20;

const THREADS: u32 = 128;

/// Bytes that one CTA stores: 16 by each thread, and once more behind those.
const BYTES_PER_CTA: usize = 2 * 16 * THREADS as usize;

const ENTRY: &str = "overwrite";

/// Stores zeros, each thread 16 bytes at its place in each half of what its CTA stores.
const BODY: &str = "
.address_size 64
.visible .entry overwrite(.param .u64 start)
.reqntid 128
{
    .reg .b32 %cta, %thread, %zero;
    .reg .b64 %place, %offset;
    ld.param.u64 %place, [start];
    cvta.to.global.u64 %place, %place;
    mov.u32 %cta, %ctaid.x;
    mov.u32 %thread, %tid.x;
    mad.lo.u32 %thread, %cta, 256, %thread;
    mul.wide.u32 %offset, %thread, 16;
    add.u64 %place, %place, %offset;
    mov.u32 %zero, 0;
    st.global.v4.b32 [%place], {%zero, %zero, %zero, %zero};
    st.global.v4.b32 [%place+2048], {%zero, %zero, %zero, %zero};
    ret;
}
";

/// The kernel for every GPU of tk.
fn ptx() -> String {
    format!(".version 7.0\n.target {}{BODY}", Target::oldest())
}

/// The flush of one device; nothing is loaded or allocated before the first.
#[derive(Default)]
pub(crate) struct Flush(Mutex<Option<Loaded>>);

struct Loaded {
    kernel: Kernel,
    memory: Memory,
}

impl Flush {
    /// Queues the overwriting of a buffer larger than the L2 cache, so that the next kernel finds nothing of its inputs there.
    pub(crate) fn queue(&self, context: &Arc<Gpu>) -> Result<()> {
        let mut loaded = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let loaded = match &mut *loaded {
            Some(loaded) => loaded,
            none => none.insert(Loaded::new(context)?),
        };
        let grid = [(loaded.memory.len() / BYTES_PER_CTA) as u32, 1, 1];
        loaded.kernel.launch(None, grid, &[Arg::Address(loaded.memory.address())]).or_diagnostic()
    }
}

impl Loaded {
    fn new(context: &Arc<Gpu>) -> Result<Self> {
        let kernel = context.load(&image()).or_diagnostic()?;
        let bytes = buffer_bytes(context.info().l2_bytes);
        Ok(Self { kernel, memory: context.allocate(bytes).or_diagnostic()? })
    }
}

/// The kernel as an image.
fn image() -> KernelImage {
    KernelImage {
        entry: ENTRY.into(),
        ptx: ptx(),
        cubin: None,
        params: vec![ImageParam::pointer("start", Some(ScalarType::I32))],
        num_warps: THREADS / 32,
        num_ctas: 1,
        shared_bytes: 0,
        global_scratch_bytes: 0,
        target: Target::oldest().to_string(),
        resources: Default::default(),
        limits: Default::default(),
    }
}

/// At least four caches, in whole CTAs.
fn buffer_bytes(l2_bytes: u64) -> usize {
    LEAST_BYTES.max(4 * l2_bytes as usize).next_multiple_of(BYTES_PER_CTA)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arg, Device, DeviceChoice};

    #[test]
    fn the_buffer_is_tritons_unless_the_cache_is_larger() {
        assert_eq!(buffer_bytes(60 << 20), 256 << 20);
        assert_eq!(buffer_bytes((64 << 20) + 1), (256 << 20) + BYTES_PER_CTA);
    }

    #[test]
    fn every_byte_is_overwritten_and_nothing_behind_them() {
        let device = Device::open(DeviceChoice::Sim).expect("there is always a simulator");
        let buffer = device.upload(&[7; 4 * BYTES_PER_CTA]).expect("memory of the simulator");
        let kernel = device.load(&image()).expect("PTX that the simulator reads");
        kernel.launch([3, 1, 1], &[Arg::Buffer(&buffer, 0)]).expect("three CTAs");
        let bytes = device.download(&buffer).expect("what was stored");
        assert!(bytes[..3 * BYTES_PER_CTA].iter().all(|byte| *byte == 0));
        assert!(bytes[3 * BYTES_PER_CTA..].iter().all(|byte| *byte == 7));
    }

    #[test]
    fn the_kernel_is_named_and_sized_as_it_is_launched() {
        assert!(BODY.contains(&format!(".entry {ENTRY}(")) && BODY.contains(&format!(".reqntid {THREADS}\n")));
        assert!(BODY.contains(&format!("%cta, {}, %thread", BYTES_PER_CTA / 16)));
        assert!(BODY.contains(&format!("[%place+{}]", BYTES_PER_CTA / 2)));
    }
}
