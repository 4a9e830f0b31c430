//! Kernels that load large blocks and add them to rows elsewhere take shared memory for two CTAs at once.

use crate::cubins::cubin_of_k;
use tk::{Bounds, CompileOptions, KernelImage, SourceFile, Target, Unit, Until, Unwatched};
use tk_driver::Assembled;
use tk_types::Residency;

const ROWS: &str = "import triton.language as tl

def k(x_ptr, out_ptr, index_ptr):
    n = tl.program_id(0) * 128 + tl.arange(0, 128)
    d = tl.arange(0, COLUMNS)
    x = tl.load(x_ptr + n[:, None] * COLUMNS + d[None, :])
    row = tl.load(index_ptr + n)
    tl.atomic_add(out_ptr + row[:, None] * COLUMNS + d[None, :], x.to(tl.float32), sem='relaxed')
";

/// Machine code of `k` with one load that is waited for.
fn cubin() -> Vec<u8> {
    let (load, wait): (u128, u128) = (0x981 | 2 << (64 + 46), 0x210 | 7 << (64 + 46) | 0b100 << (64 + 52));
    cubin_of_k(vec![load, wait])
}

/// CTAs that have room on a multiprocessor, as ptxas gives each thread 87 registers.
fn resident(columns: &str, residency: Residency) -> u32 {
    let file = SourceFile::new("k.tk", ROWS.replace("COLUMNS", columns));
    let module = tk::parse(&file).unwrap();
    let specs = tk::read_signature("*fp16:16,*fp32:16,*i32:16").unwrap();
    let args = tk::bind_signature(&module, "k", Some(&specs), &[]).unwrap();
    let target = Target::parse("sm_90a").unwrap();
    let options = CompileOptions { residency, ..CompileOptions::default() };
    let unit = Unit { module: &module, kernel: "k", args: &args, globals: &[], options, target, bounds: Bounds::any() };
    let mut image = tk::compile(&unit, Until::Ptx, &mut Unwatched).unwrap().image.unwrap();
    let made = |_: &KernelImage| {
        Ok(Assembled { cubin: cubin(), registers: Some(87), spill_bytes: Some(0), is_serialised: false })
    };
    tk_driver::assemble(&unit, &mut image, &mut { made }).unwrap();
    target.occupancy(87, image.shared_bytes, image.num_warps).ctas_per_sm
}

#[test]
fn two_ctas_load_and_add_in_turns() {
    assert_eq!(resident("128", Residency::Many), 2);
    assert_eq!(resident("128", Residency::AtMost(16)), 2);
    assert_eq!(resident("128", Residency::AtMost(8)), 5, "two waves");
    assert_eq!(resident("128", Residency::Any), 5, "of a grid that nobody knows");
    assert_eq!(resident("64", Residency::Many), 5, "a CTA loads 16 KiB");
}
