//! What the assembler is asked for once it has told registers and spills: one CTA more, where that takes few registers.

use tk::{Bounds, CompileOptions, KernelImage, SourceFile, Target, Unit, Until, Unwatched};
use tk_driver::Assembled;
use tk_types::Residency;

const TEXT: &str =
    "import triton.language as tl\n\ndef k(x_ptr, n):\n    at = tl.arange(0, 128)\n    tl.store(x_ptr + at, n)\n";

/// What an assembler makes of code that is asked for a number of CTAs.
struct Made {
    registers: u32,
    spill_bytes: u32,
    code_bytes: usize,
}

/// Registers that the kernel gets from an assembler that gives `first`, or `second` where it is asked for CTAs, and the directive of its PTX.
fn chosen(options: CompileOptions, first: Made, second: Made) -> (u32, Option<String>) {
    let file = SourceFile::new("k.tk", TEXT);
    let module = tk::parse(&file).unwrap();
    let specs = tk::read_signature("*fp32:16,i32").unwrap();
    let args = tk::bind_signature(&module, "k", Some(&specs), &[]).unwrap();
    let target = Target::parse("sm_90a").unwrap();
    let unit = Unit { module: &module, kernel: "k", args: &args, globals: &[], options, target, bounds: Bounds::any() };
    let mut image = tk::compile(&unit, Until::Ptx, &mut Unwatched).unwrap().image.unwrap();
    let directive =
        |image: &KernelImage| image.ptx.lines().find(|line| line.starts_with(".minnctapersm")).map(str::to_string);
    let mut assembler = |image: &KernelImage| {
        let Made { registers, spill_bytes, code_bytes } = if directive(image).is_some() { &second } else { &first };
        let (registers, spill_bytes) = (Some(*registers), Some(*spill_bytes));
        Ok(Assembled { cubin: vec![0; *code_bytes], registers, spill_bytes, is_serialised: false })
    };
    let made = tk_driver::assemble(&unit, &mut image, &mut assembler).unwrap();
    (made.registers.unwrap(), directive(&image))
}

fn made(registers: u32, spill_bytes: u32, code_bytes: usize) -> Made {
    Made { registers, spill_bytes, code_bytes }
}

#[test]
fn a_few_registers_less_let_one_more_cta_in() {
    // 4 warps with 36 registers, which are given out by 8: 12 CTAs; with 32 there are 16.
    let usual = || CompileOptions { residency: Residency::AtMost(16), ..CompileOptions::default() };
    assert_eq!(chosen(usual(), made(36, 0, 1000), made(32, 0, 1000)), (32, Some(".minnctapersm 13".to_string())));
    assert_eq!(chosen(usual(), made(36, 0, 1000), made(32, 4, 1000)), (36, None), "spills");
    assert_eq!(chosen(usual(), made(36, 0, 1000), made(32, 0, 1100)), (36, None), "longer code");
    assert_eq!(chosen(usual(), made(36, 0, 1000), made(36, 0, 1000)), (36, None), "as many registers");
    assert_eq!(chosen(usual(), made(250, 0, 1000), made(168, 0, 1000)), (250, None), "far too many registers");
    assert_eq!(chosen(usual(), made(30, 0, 1000), made(24, 0, 1000)), (30, None), "warps are the limit");
}

#[test]
fn grids_that_bring_no_more_ctas_and_limits_of_the_source_stay() {
    let asked = |residency| {
        chosen(CompileOptions { residency, ..CompileOptions::default() }, made(36, 0, 1000), made(32, 0, 1000))
    };
    assert_eq!(asked(Residency::AtMost(8)), (36, None), "12 CTAs have room");
    assert_eq!(asked(Residency::Any), (36, None), "many times as many");
    let alone = CompileOptions { residency: Residency::AtMost(1), ..CompileOptions::default() };
    assert_eq!(
        chosen(alone, made(36, 0, 1000), made(32, 0, 1000)).0,
        32,
        "the PTX says a number of CTAs from the start"
    );
    let limited = CompileOptions { maxnreg: Some(40), residency: Residency::AtMost(16), ..CompileOptions::default() };
    assert_eq!(chosen(limited, made(36, 0, 1000), made(32, 0, 1000)), (36, None));
}
