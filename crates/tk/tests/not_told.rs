//! Code that is asked for without being told how few CTAs come.

use crate::machine_code::{Made, assembled, directive, loads_with_waits, of_code};
use tk::{CompileOptions, KernelImage};
use tk_types::Residency;

/// Code that is told of the one CTA that there is, and waits more often so, is asked for without being told of it.
#[test]
fn loads_that_wait_because_of_one_cta_are_not_told_of_it() {
    // Two of a thread's numbers: the text waits once.
    const TEXT: &str = "import triton.language as tl\n\ndef k(x_ptr, n):\n    at = tl.arange(0, 128)\n    \
                        x = tl.load(x_ptr + at) * tl.load(x_ptr + n + at)\n    tl.store(x_ptr + at, x)\n";
    let is_told = |told: Made, free: Made| {
        let options = CompileOptions { residency: Residency::AtMost(1), ..CompileOptions::default() };
        let assembler = |image: &KernelImage| if directive(image).is_some() { &told } else { &free }.assembled(false);
        let (image, made) = assembled((TEXT, "*fp32:16,i32"), options, assembler);
        assert_eq!(directive(&image).is_some(), made == told.assembled(false), "the image is that of the code");
        directive(&image).is_some()
    };
    let code = |registers, spills, waits: usize, stalls: u128| {
        let of_warp = 0x210 | 7 << (64 + 46) | stalls << (64 + 41);
        of_code(registers, spills, [loads_with_waits(waits, 4 / waits), vec![of_warp]].concat())
    };
    assert!(!is_told(code(80, 0, 4, 10), code(64, 0, 1, 11)));
    assert!(is_told(code(80, 0, 4, 10), code(64, 0, 1, 12)), "instructions wait for each other");
    assert!(is_told(code(80, 0, 4, 10), code(64, 8, 1, 10)), "spills");
    assert!(is_told(code(80, 0, 1, 10), code(64, 0, 1, 10)), "as many waits");
    assert!(!is_told(code(80, 0, 2, 10), code(64, 0, 1, 10)));
}
