//! What the assembler is asked for once it has told registers and spills: one CTA more, where that takes few registers or a stage; loads together, where
//! they are worth the CTAs; products that wait, where loops spill beside them.

use crate::cubins::cubin_of_k;
use tk::{Bounds, CompileOptions, KernelImage, SourceFile, Target, Unit, Until, Unwatched};
use tk_driver::Assembled;
use tk_types::{DotPolicy, Residency};

const TEXT: &str =
    "import triton.language as tl\n\ndef k(x_ptr, n):\n    at = tl.arange(0, 128)\n    tl.store(x_ptr + at, n)\n";

/// What an assembler makes of code that is asked for a number of CTAs.
pub(crate) struct Made {
    registers: u32,
    spill_bytes: u32,
    cubin: Vec<u8>,
}

/// What tk makes of `k` with an assembler: the image, and its machine code.
pub(crate) fn assembled(
    (text, signature): (&str, &str),
    options: CompileOptions,
    assembler: impl Fn(&KernelImage) -> Assembled,
) -> (KernelImage, Assembled) {
    let file = SourceFile::new("k.tk", text);
    let module = tk::parse(&file).unwrap();
    let specs = tk::read_signature(signature).unwrap();
    let args = tk::bind_signature(&module, "k", Some(&specs), &[]).unwrap();
    let target = Target::parse("sm_90a").unwrap();
    let unit = Unit { module: &module, kernel: "k", args: &args, globals: &[], options, target, bounds: Bounds::any() };
    let mut image = tk::compile(&unit, Until::Ptx, &mut Unwatched).unwrap().image.unwrap();
    let made = tk_driver::assemble(&unit, &mut image, &mut |image: &KernelImage| Ok(assembler(image))).unwrap();
    (image, made)
}

/// The number of CTAs that PTX asks for.
pub(crate) fn directive(image: &KernelImage) -> Option<String> {
    image.ptx.lines().find(|line| line.starts_with(".minnctapersm")).map(str::to_string)
}

impl Made {
    pub(crate) fn assembled(&self, is_serialised: bool) -> Assembled {
        let Self { registers, spill_bytes, cubin } = self;
        Assembled { cubin: cubin.clone(), registers: Some(*registers), spill_bytes: Some(*spill_bytes), is_serialised }
    }
}

/// Where the one CTA that there is gets all registers and spills, ptxas is asked without being told of it.
#[test]
fn one_cta_is_not_asked_for_where_it_spills() {
    let kept = |residency: Residency, told: u32, not_told: u32| {
        let options = CompileOptions { residency, ..CompileOptions::default() };
        let assembler = |image: &KernelImage| {
            let (registers, spills) = if directive(image).is_some() { (255, told) } else { (95, not_told) };
            made(registers, spills, 1000).assembled(false)
        };
        directive(&assembled((TEXT, "*fp32:16,i32"), options, assembler).0)
    };
    let one = || Some(".minnctapersm 1".to_string());
    assert_eq!(kept(Residency::AtMost(1), 0, 0), one(), "nothing spills");
    assert_eq!(kept(Residency::AtMost(1), 100, 50), None);
    assert_eq!(kept(Residency::AtMost(1), 100, 51), one(), "too many spills are left");
    assert_eq!(kept(Residency::Any, 100, 60), None, "nobody asked for it");
}

/// Registers that the kernel gets from an assembler that gives `first`, or `second` where it is asked for CTAs, and the directive of its PTX.
fn chosen(options: CompileOptions, first: Made, second: Made) -> (u32, Option<String>) {
    let assembler = |image: &KernelImage| if directive(image).is_some() { &second } else { &first }.assembled(false);
    let (image, made) = assembled((TEXT, "*fp32:16,i32"), options, assembler);
    (made.registers.unwrap(), directive(&image))
}

fn made(registers: u32, spill_bytes: u32, code_bytes: usize) -> Made {
    Made { registers, spill_bytes, cubin: vec![0; code_bytes] }
}

/// Machine code of `k` whose loads from global memory are waited for one after the other.
pub(crate) fn waiting(registers: u32, spill_bytes: u32, waits: usize) -> Made {
    of_code(registers, spill_bytes, loads_with_waits(waits, 1))
}

/// Loads that are waited for, so many with each wait.
pub(crate) fn loads_with_waits(waits: usize, loads: usize) -> Vec<u128> {
    let (load, wait): (u128, u128) = (0x981 | 2 << (64 + 46), 0x210 | 7 << (64 + 46) | 0b100 << (64 + 52));
    (0..waits).flat_map(|_| std::iter::repeat_n(load, loads).chain([wait])).collect()
}

/// Machine code of `k` with these instructions.
pub(crate) fn of_code(registers: u32, spill_bytes: u32, instructions: Vec<u128>) -> Made {
    Made { registers, spill_bytes, cubin: cubin_of_k(instructions) }
}

#[test]
fn loads_stay_together_where_they_are_worth_the_ctas() {
    let usual = || CompileOptions { residency: Residency::Any, ..CompileOptions::default() };
    let together = |registers| (registers, Some(".minnctapersm 1".to_string()));
    // 4 warps: 12 CTAs with 40 registers, 9 with 56, 4 with 128.
    assert_eq!(chosen(usual(), waiting(40, 0, 8), waiting(56, 0, 1)), together(56));
    assert_eq!(chosen(usual(), waiting(40, 0, 2), waiting(56, 0, 1)), together(56), "1.5 times as many under way");
    assert_eq!(chosen(usual(), waiting(40, 0, 3), waiting(56, 0, 2)), (40, None), "1.125 times");
    assert_eq!(chosen(usual(), waiting(40, 0, 2), waiting(128, 0, 1)), (40, None), "a third of the CTAs");
    assert_eq!(chosen(usual(), waiting(40, 0, 8), waiting(56, 8, 1)), (40, None), "spills");
    assert_eq!(chosen(usual(), waiting(40, 0, 1), waiting(40, 0, 1)), (40, None), "one wait");
    // Of a grid that brings eight CTAs to each multiprocessor, none is lost.
    let few = CompileOptions { residency: Residency::AtMost(8), ..CompileOptions::default() };
    let of_eight = (64, Some(".minnctapersm 8".to_string()));
    assert_eq!(chosen(few, waiting(40, 0, 3), waiting(64, 0, 2)), of_eight);
    let limited = CompileOptions { maxnreg: Some(40), ..usual() };
    assert_eq!(chosen(limited, waiting(40, 0, 8), waiting(40, 0, 1)), (40, None));
}

/// Loads of CTAs that keep the L1 cache busy for most of a wait stay apart.
#[test]
fn loads_that_keep_the_cache_busy_keep_their_ctas() {
    // 4 warps: 12 CTAs with 40 registers, 9 with 56.
    let registers = |loads| {
        let options = CompileOptions { residency: Residency::Many, ..CompileOptions::default() };
        let code = |registers, waits, loads| of_code(registers, 0, loads_with_waits(waits, loads));
        chosen(options, code(40, 2, loads), code(56, 1, 2 * loads)).0
    };
    assert_eq!(registers(12), 56, "24 loads of 48 warps, 1152 cycles of 1600");
    assert_eq!(registers(13), 40, "1248 cycles");
}

/// Code that an assembler makes where it is asked for so many CTAs, or for none.
struct Asked {
    ctas: Option<u32>,
    registers: u32,
    waits: usize,
}

/// One that is asked for so many, where 0 is for none.
fn asked(ctas: u32, registers: u32, waits: usize) -> Asked {
    Asked { ctas: (ctas > 0).then_some(ctas), registers, waits }
}

/// Registers that a kernel gets in a grid, and the CTAs that its PTX asks for. The assembler makes the first code where it is asked for anything else.
fn chosen_of(num_warps: u32, residency: Residency, codes: &[Asked]) -> (u32, Option<u32>) {
    let options = CompileOptions { num_warps, residency, ..CompileOptions::default() };
    let ctas = |image: &KernelImage| directive(image).and_then(|line| line.rsplit(' ').next()?.parse::<u32>().ok());
    let assembler = |image: &KernelImage| {
        let code = codes.iter().find(|code| code.ctas == ctas(image)).unwrap_or(&codes[0]);
        waiting(code.registers, 0, code.waits).assembled(false)
    };
    // Each thread of these warps has an element.
    let text = TEXT.replace("128", &(32 * num_warps).to_string());
    let (image, made) = assembled((&text, "*fp32:16,i32"), options, assembler);
    (made.registers.unwrap(), ctas(&image))
}

/// Four CTAs that come as three and one take two turns, as two and two do; sixteen at a time take one, twelve at a time two.
#[test]
fn loads_together_are_weighed_against_waves() {
    let (at_most, many) = (Residency::AtMost, Residency::Many);
    // 8 warps: 3 CTAs with 80 registers, 2 with 128.
    let by_threes = [asked(0, 80, 56), asked(1, 128, 37)];
    assert_eq!(chosen_of(8, at_most(4), &by_threes), (128, Some(1)));
    assert_eq!(chosen_of(8, many, &by_threes), (80, None), "CTAs are lost");
    // 4 warps: 16 CTAs with 32 registers, 12 with 40.
    let all_at_once = [asked(0, 32, 2), asked(1, 40, 1)];
    assert_eq!(chosen_of(4, at_most(16), &all_at_once), (32, None), "a second wave");
    assert_eq!(chosen_of(4, many, &all_at_once), (40, Some(1)));
    // 7 CTAs with 72 registers, 3 with 164, 4 with 128.
    let between = [asked(0, 72, 26), asked(1, 164, 5), asked(4, 128, 6)];
    assert_eq!(chosen_of(4, at_most(8), &between), (128, Some(4)), "two waves instead of three");
    assert_eq!(chosen_of(4, many, &between), (164, Some(1)));
}

/// Registers that are left of those of the CTAs that there are cost nothing.
#[test]
fn loads_get_the_registers_that_are_left() {
    let (at_most, many) = (Residency::AtMost, Residency::Many);
    // 4 warps: 9 CTAs with 54 registers, 7 with 66, 8 with 64.
    assert_eq!(chosen_of(4, at_most(8), &[asked(0, 54, 4), asked(1, 66, 2), asked(8, 62, 2)]), (62, Some(8)));
    assert_eq!(chosen_of(4, at_most(8), &[asked(0, 32, 12), asked(1, 80, 3), asked(8, 64, 6)]), (64, Some(8)));
    assert_eq!(chosen_of(4, many, &[asked(0, 34, 8), asked(1, 63, 4), asked(12, 40, 5)]), (40, Some(12)));
    let better_alone = [asked(0, 34, 8), asked(1, 63, 2), asked(12, 40, 5)];
    assert_eq!(chosen_of(4, many, &better_alone), (63, Some(1)));
    let no_better = [asked(0, 34, 8), asked(1, 63, 6), asked(12, 40, 8)];
    assert_eq!(chosen_of(4, many, &no_better), (34, None));
}

/// Where loads come together with all registers of one CTA, they leave room for one CTA more if they stay together then.
#[test]
fn loads_together_leave_room_for_one_cta_more() {
    // 4 warps: 7 CTAs with 72 registers, 5 with 89, 6 with 80.
    let left = |waits| [asked(0, 72, 4), asked(1, 89, 1), asked(6, 80, waits)];
    assert_eq!(chosen_of(4, Residency::Many, &left(1)), (80, Some(6)));
    assert_eq!(chosen_of(4, Residency::Many, &left(2)), (89, Some(1)), "apart again");
}

/// Loads of loops that are delayed are asked for again with branches behind them, which are taken if they cost no CTA and the code loads as much.
#[test]
fn loads_come_first_where_loops_wait_less_then() {
    const TWO: &str = "import triton.language as tl\n\ndef k(x_ptr, n):\n    at = tl.arange(0, 128)\n    sums = tl.zeros((128,), tl.float32)\n    \
                       for i in range(n):\n        sums += tl.load(x_ptr + at) * tl.load(x_ptr + n + at)\n        x_ptr += 128\n    \
                       tl.store(x_ptr + at, sums)\n";
    let (load, wait): (u128, u128) = (0x981 | 2 << (64 + 46), 0x210 | 7 << (64 + 46) | 0b100 << (64 + 52));
    // A branch back to the first instruction.
    let looped = |registers, spills, body: &[u128]| {
        let words = (-4 * (body.len() as i64 + 1)) as u128 & ((1 << 56) - 1);
        let branch = 0x947 | 7 << (64 + 46) | (words & 0xff) << 16 | words >> 8 << 34;
        of_code(registers, spills, [body, &[branch]].concat())
    };
    let is_first = |text: &str, delayed: Made, then: Made| {
        let assembler =
            |image: &KernelImage| if image.ptx.contains("%never") { &then } else { &delayed }.assembled(false);
        let (image, made) = assembled((text, "*fp32:16,i32"), CompileOptions::default(), assembler);
        assert_eq!(image.ptx.contains("%never"), made == then.assembled(false), "the image is that of the code");
        image.ptx.contains("%never")
    };
    let delayed = || looped(40, 0, &[load, wait, load, wait]);
    let together = |registers, spills| looped(registers, spills, &[load, load, wait]);
    assert!(is_first(TWO, delayed(), together(40, 0)));
    assert!(is_first(TWO, delayed(), together(32, 0)), "CTAs come in");
    assert!(!is_first(TWO, delayed(), together(48, 0)), "a CTA less");
    assert!(!is_first(TWO, delayed(), together(40, 8)), "spills");
    assert!(!is_first(TWO, delayed(), looped(40, 0, &[load, wait])), "iterations that stood beside each other");
    assert!(!is_first(TWO, delayed(), looped(40, 0, &[load, wait, load, wait, wait])), "as many waits");
    let (five, four) = ([load, wait].repeat(5), [[load, wait].repeat(4), vec![load]].concat());
    assert!(!is_first(TWO, looped(40, 0, &five), looped(40, 0, &four)), "a wait of five");
    assert!(!is_first(TWO, waiting(40, 0, 2), of_code(40, 0, vec![load, load, wait])), "no loop");
    assert!(!is_first(TEXT, delayed(), together(40, 0)), "no loads");
    // The text of the loop brings sixteen words.
    let written_out = looped(40, 0, &[load, wait].repeat(25));
    let assembler = |image: &KernelImage| {
        assert!(!image.ptx.contains("%never"), "it would not be written out with branches");
        written_out.assembled(false)
    };
    assembled((TWO, "*fp32:16,i32"), CompileOptions::default(), assembler);
}

/// Up to 1.25 times the registers of the next number of CTAs, where the grid comes in a wave less and the code gets no longer.
#[test]
fn a_wave_less_is_worth_registers() {
    // 8 warps: 6 CTAs with 39 registers, 8 with 32.
    let less = |waits| [asked(0, 39, 2), asked(7, 32, waits)];
    let at_most = Residency::AtMost;
    assert_eq!(chosen_of(8, at_most(16), &less(2)), (32, Some(7)), "two waves instead of three");
    assert_eq!(chosen_of(8, at_most(8), &less(2)), (32, Some(7)), "one instead of two");
    assert_eq!(chosen_of(8, at_most(16), &less(3)), (39, None), "longer, and more waits");
}

/// A kernel without products is not asked for a CTA that is one too many.
#[test]
fn one_too_many_is_not_asked_for() {
    // 4 warps: 4 CTAs with 110 registers, 5 with 96; 5 with 86, 6 with 80.
    let more = |most, registers, less, ctas| {
        chosen_of(4, Residency::AtMost(most), &[asked(0, registers, 1), asked(ctas, less, 1)])
    };
    assert_eq!(more(8, 110, 96, 5), (110, None), "two waves with four and with five");
    assert_eq!(more(8, 86, 80, 6), (80, Some(6)), "many grids bring six");
    assert_eq!(more(16, 110, 96, 5), (96, Some(5)), "four waves");
}

/// Where eight CTAs take two turns with seven and with six, there are six if their threads then use more registers.
#[test]
fn one_cta_less_takes_as_many_turns() {
    let at_most = Residency::AtMost;
    // 4 warps: 7 CTAs with 72 registers, 6 with 80, 5 with 96.
    let less = [asked(0, 72, 1), asked(6, 80, 1)];
    assert_eq!(chosen_of(4, at_most(8), &less), (80, Some(6)));
    assert_eq!(chosen_of(4, at_most(16), &less), (72, None), "three turns");
    assert_eq!(chosen_of(4, at_most(8), &[asked(0, 72, 1)]), (72, None), "as many registers");
    assert_eq!(chosen_of(4, at_most(8), &[asked(0, 80, 1), asked(5, 96, 1)]), (80, None), "many grids bring six");
}

#[test]
fn a_few_registers_less_let_one_more_cta_in() {
    // 4 warps with 36 registers, which are given out by 8: 12 CTAs; with 32 there are 16.
    let usual = || CompileOptions { residency: Residency::AtMost(16), ..CompileOptions::default() };
    assert_eq!(chosen(usual(), made(36, 0, 1000), made(32, 0, 1000)), (32, Some(".minnctapersm 13".to_string())));
    assert_eq!(chosen(usual(), made(36, 0, 1000), made(32, 4, 1000)), (36, None), "spills");
    assert_eq!(chosen(usual(), made(36, 0, 1000), made(32, 0, 2000)), (36, None), "longer code");
    assert_eq!(chosen(usual(), made(36, 0, 1000), made(36, 0, 1000)), (36, None), "as many registers");
    assert_eq!(chosen(usual(), made(250, 0, 1000), made(168, 0, 1000)), (250, None), "far too many registers");
    assert_eq!(chosen(usual(), made(30, 0, 1000), made(24, 0, 1000)), (30, None), "warps are the limit");
}

/// Where a grid brings more CTAs than have room, those of a kernel without products have to ask memory faster than without one more.
#[test]
fn one_more_of_many_ctas_has_to_ask_memory_faster() {
    // 4 warps: 12 CTAs with 40 registers, 16 with 32.
    let asked = |first, less| {
        let options = CompileOptions { residency: Residency::Many, ..CompileOptions::default() };
        chosen(options, waiting(first, 0, 5), less)
    };
    let more = || (32, Some(".minnctapersm 13".to_string()));
    assert_eq!(asked(40, waiting(32, 0, 5)), more(), "a third more");
    assert_eq!(asked(40, waiting(32, 0, 6)), more(), "a ninth more");
    assert_eq!(asked(40, waiting(32, 0, 7)), (40, None), "less");
    assert_eq!(asked(40, waiting(32, 4, 5)), (40, None), "spills");
    assert_eq!(asked(40, made(32, 0, 1000)), (40, None), "nobody knows how often it waits");
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

/// A product whose loop copies blocks of 16 KiB ahead.
const PRODUCT: &str = "import triton.language as tl

def k(a_ptr, b_ptr, c_ptr, n):
    at = tl.arange(0, 64)
    block = at[:, None] * 64 + at[None, :]
    sums = tl.zeros((64, 64), dtype=tl.float32)
    for i in range(n):
        sums += tl.dot(tl.load(a_ptr + block), tl.load(b_ptr + block))
        a_ptr += 4096
        b_ptr += 4096
    tl.store(c_ptr + block, sums)
";

const OF_PRODUCT: &str = "*fp16:16,*fp16:16,*fp32:16,i32";

/// Stages that a product has after an assembler that gives threads these registers and spills, with as many as the options say and with fewer.
fn stages_chosen(options: CompileOptions, first: (u32, u32), fewer: (u32, u32)) -> u32 {
    let all = options.num_stages;
    let stages = |image: &KernelImage| image.shared_bytes >> 14;
    let assembler = |image: &KernelImage| {
        let (registers, spill_bytes) = if stages(image) == all { first } else { fewer };
        made(registers, spill_bytes, 1000).assembled(false)
    };
    stages(&assembled((PRODUCT, OF_PRODUCT), options, assembler).0)
}

#[test]
fn a_stage_less_lets_one_more_cta_in() {
    let launch = |num_stages, residency| CompileOptions { num_stages, residency, ..CompileOptions::default() };
    let many = |num_stages| launch(num_stages, Residency::Many);
    // Stages of 16 KiB: 2 CTAs have room for 5, 3 for 4, 4 for 3, 6 for 2.
    assert_eq!(stages_chosen(many(5), (80, 0), (80, 0)), 4, "eight blocks under way, then nine");
    assert_eq!(stages_chosen(many(4), (80, 0), (80, 0)), 3, "nine, then eight");
    assert_eq!(stages_chosen(many(3), (80, 0), (80, 0)), 3, "eight, then six");
    assert_eq!(stages_chosen(many(5), (80, 0), (80, 60)), 4, "a few spills for one CTA more than two");
    assert_eq!(stages_chosen(many(5), (80, 0), (80, 64)), 5, "more spills");
    assert_eq!(stages_chosen(many(5), (180, 0), (180, 0)), 5, "registers leave room for two");
    assert_eq!(stages_chosen(many(5), (180, 0), (168, 0)), 4, "ptxas takes fewer with room for three");
    assert_eq!(stages_chosen(launch(5, Residency::Any), (80, 0), (80, 0)), 5, "nobody knows the grid");
    assert_eq!(stages_chosen(launch(5, Residency::AtMost(2)), (80, 0), (80, 0)), 5, "two come");
    assert_eq!(stages_chosen(launch(5, Residency::AtMost(4)), (80, 0), (80, 0)), 5, "four come by twos or by threes");
    assert_eq!(stages_chosen(launch(5, Residency::AtMost(8)), (80, 0), (80, 0)), 4);
}

/// Products by `mma.sync`, as a loop of 16 rows has them.
const FEW_ROWS: &str = "import triton.language as tl

def k(a_ptr, b_ptr, c_ptr, n):
    at, row = tl.arange(0, 64), tl.arange(0, 16)
    sums = tl.zeros((16, 64), dtype=tl.float32)
    for i in range(n):
        sums += tl.dot(tl.load(a_ptr + row[:, None] * 64 + at[None, :]), tl.load(b_ptr + at[:, None] * 64 + at[None, :]))
        a_ptr += 1024
        b_ptr += 4096
    tl.store(c_ptr + row[:, None] * 64 + at[None, :], sums)
";

/// Kernels with products may spill a little for one CTA more, the more the fewer there are, and nothing with five.
#[test]
fn products_may_spill_a_little_for_one_more_cta() {
    let asked = |registers, residency, less: Made| {
        let options = CompileOptions { num_stages: 2, residency, ..CompileOptions::default() };
        let first = made(registers, 0, less.cubin.len());
        let is_first = |image: &KernelImage| directive(image).is_none();
        let assembler = |image: &KernelImage| if is_first(image) { &first } else { &less }.assembled(false);
        directive(&assembled((FEW_ROWS, OF_PRODUCT), options, assembler).0)
    };
    let with = |ctas: u32| Some(format!(".minnctapersm {ctas}"));
    // 4 warps: 168 registers leave room for 3, 128 for 4, 96 for 5, 80 for 6.
    assert_eq!(asked(200, Residency::Many, made(168, 60, 1000)), with(3));
    assert_eq!(asked(200, Residency::Many, made(168, 64, 1000)), None, "too many spills");
    assert_eq!(asked(150, Residency::Many, made(128, 40, 1000)), with(4));
    assert_eq!(asked(150, Residency::AtMost(8), made(128, 44, 1000)), None, "too many spills");
    assert_eq!(asked(119, Residency::Many, made(96, 0, 1000)), with(5));
    assert_eq!(asked(95, Residency::Many, made(80, 0, 1000)), with(6));
    assert_eq!(asked(95, Residency::Many, made(80, 4, 1000)), None, "five are enough for spills");
    assert_eq!(asked(95, Residency::AtMost(16), made(80, 0, 1000)), with(6));
    assert_eq!(asked(95, Residency::AtMost(8), made(80, 0, 1000)), None, "two waves with both");
    assert_eq!(asked(165, Residency::Many, made(128, 0, 1000)), with(4));
    assert_eq!(asked(167, Residency::Many, made(128, 0, 1000)), None, "too many registers");
    assert_eq!(asked(150, Residency::Any, made(128, 0, 1000)), None, "nobody knows the grid");
}

/// Five CTAs of two warps are few warps: one more may spill below ten CTAs, of one warp below twenty.
#[test]
fn ctas_of_few_warps_are_worth_more_of_them() {
    let asked = |num_warps, registers, fewer| {
        let options = CompileOptions { num_warps, residency: Residency::Many, ..CompileOptions::default() };
        let assembler = |image: &KernelImage| {
            let is_first = directive(image).is_none();
            let (registers, spills) = if is_first { (registers, 0) } else { (fewer, 4) };
            made(registers, spills, 1000).assembled(false)
        };
        directive(&assembled((FEW_ROWS, OF_PRODUCT), options, assembler).0)
    };
    let with = |ctas: u32| Some(format!(".minnctapersm {ctas}"));
    // Two warps with 154 registers: 6 CTAs, with 108 8, with 96 10. One warp with 187: 8.
    assert_eq!(asked(2, 154, 144), with(7));
    assert_eq!(asked(2, 108, 96), with(9));
    assert_eq!(asked(2, 96, 88), None, "ten are enough");
    assert_eq!(asked(1, 187, 168), with(9));
    assert_eq!(asked(4, 95, 80), None, "five are enough");
    assert_eq!(asked(8, 95, 80), with(3), "registers keep the third away");
}

/// Products that ptxas makes wait for each other stay so where those that tk waits for spill more.
#[test]
fn serialised_products_stay_where_waiting_spills_more() {
    let waits = |of_serialised, of_waiting| {
        let assembler = |image: &KernelImage| match image.resources.dots {
            DotPolicy::Wait => made(255, of_waiting, 1000).assembled(false),
            DotPolicy::Overlap => made(255, of_serialised, 1000).assembled(true),
        };
        assembled((PRODUCT, OF_PRODUCT), CompileOptions::default(), assembler).0.resources.dots == DotPolicy::Wait
    };
    assert!(waits(0, 0) && waits(8, 8) && waits(16, 8));
    assert!(!waits(8, 16) && !waits(0, 8));
}

/// Machine code of `k` whose loop of a hundred instructions reads so many registers from memory, and as many are read before it.
fn spilling(reads: usize) -> Made {
    let (read, other) = (0x983, 0x210);
    let back = (-101_i128 * 4) as u128 & ((1 << 56) - 1);
    let branch = 0x947 | (back & 0xff) << 16 | back >> 8 << 34;
    let of_loop = (0..100).map(|at| if at < reads { read } else { other });
    of_code(255, 4 * reads as u32, vec![read; reads].into_iter().chain(of_loop).chain([branch]).collect())
}

/// Products wait where they are issued if their loop then spills less by a part of its instructions.
#[test]
fn products_wait_where_loops_spill_beside_them() {
    let waits = |before: &Made, with_waits: &Made, is_serialised| {
        let assembler = |image: &KernelImage| match image.resources.dots {
            DotPolicy::Wait => with_waits.assembled(is_serialised),
            DotPolicy::Overlap => before.assembled(false),
        };
        assembled((PRODUCT, OF_PRODUCT), CompileOptions::default(), assembler).0.resources.dots == DotPolicy::Wait
    };
    assert!(waits(&spilling(2), &spilling(0), false) && waits(&spilling(90), &spilling(80), false));
    assert!(!waits(&spilling(1), &spilling(0), false), "too little");
    assert!(!waits(&spilling(90), &spilling(89), false), "as much");
    assert!(!waits(&spilling(4), &spilling(8), false), "more");
    assert!(!waits(&spilling(4), &spilling(0), true), "the assembler makes them wait for each other then");
    assert!(!waits(&made(255, 80, 1000), &made(255, 0, 1000), false), "nobody knows where it spills");
    let outside = of_code(255, 80, vec![0x983; 20]);
    assert!(!waits(&outside, &spilling(0), false), "outside of loops");
    // Each product is needed before the next one.
    let scaled = PRODUCT.replace("tl.load(b_ptr + block))", "tl.load(b_ptr + block)) * 2");
    let assembler = |image: &KernelImage| {
        assert_eq!(image.resources.dots, DotPolicy::Overlap, "all dots wait anyway");
        spilling(2).assembled(false)
    };
    assembled((&scaled, OF_PRODUCT), CompileOptions::default(), assembler);
}

/// Warps that a kernel gets from an assembler that spills so many of a hundred instructions with the warps of `of_warps`.
fn warps_chosen(text: &str, options: CompileOptions, of_warps: &[(u32, usize)]) -> u32 {
    let assembler = |image: &KernelImage| {
        let reads = of_warps.iter().find(|(warps, _)| *warps == image.num_warps).map_or(0, |(_, reads)| *reads);
        spilling(reads).assembled(false)
    };
    assembled((text, OF_PRODUCT), options, assembler).0.num_warps
}

/// Twice the warps where spills are 3 % of the loops' instructions, and half of them go away; as long as threads can have all registers.
#[test]
fn spills_are_worth_twice_the_warps() {
    let launch = |num_warps| CompileOptions { num_warps, ..CompileOptions::default() };
    let chosen = |num_warps, of_warps: &[(u32, usize)]| warps_chosen(PRODUCT, launch(num_warps), of_warps);
    assert_eq!(chosen(4, &[(4, 4), (8, 2)]), 8);
    assert_eq!(chosen(4, &[(4, 4), (8, 3)]), 4, "more than half is left");
    assert_eq!(chosen(4, &[(4, 3), (8, 0)]), 4, "too few spills");
    assert_eq!(chosen(8, &[(8, 40), (16, 0)]), 8, "sixteen warps have 128 registers");
    assert_eq!(chosen(2, &[(2, 40), (4, 20), (8, 0)]), 8);
    assert_eq!(chosen(2, &[(2, 40), (4, 2), (8, 0)]), 4, "few enough");
    let limited = CompileOptions { maxnreg: Some(64), ..launch(4) };
    assert_eq!(warps_chosen(PRODUCT, limited, &[(4, 40)]), 4, "the source says how many registers");
}

/// Long loops that move half as many bytes to local memory as they load need fewer spills, 1.25 %, if their code gets shorter.
#[test]
fn spills_of_long_code_are_worth_twice_the_warps() {
    // The first instructions of a loop spill, the next ones load as many words.
    let code = |length: usize, spills: usize, loads: usize| {
        let (read, load, other) = (0x983 | 4_u128 << 73, 0x981 | 4_u128 << 73 | 7_u128 << (64 + 46), 0x210);
        let back = (-(length as i128 + 1) * 4) as u128 & ((1 << 56) - 1);
        let branch = 0x947 | (back & 0xff) << 16 | back >> 8 << 34;
        let of = |at: usize| {
            if at < spills {
                read
            } else if at < spills + loads {
                load
            } else {
                other
            }
        };
        of_code(255, 4 * spills as u32, (0..length).map(of).chain([branch]).collect())
    };
    let chosen = |before: Made, with_twice: Made| {
        let assembler = |image: &KernelImage| if image.num_warps == 4 { &before } else { &with_twice }.assembled(false);
        assembled((PRODUCT, OF_PRODUCT), CompileOptions::default(), assembler).0.num_warps
    };
    assert_eq!(chosen(code(6000, 100, 200), code(3000, 0, 100)), 8);
    assert_eq!(chosen(code(4000, 100, 200), code(2000, 0, 100)), 4, "short code");
    assert_eq!(chosen(code(6000, 80, 100), code(3000, 0, 100)), 8);
    assert_eq!(chosen(code(6000, 70, 100), code(3000, 0, 100)), 4, "few spills");
    assert_eq!(chosen(code(6000, 100, 201), code(3000, 0, 100)), 4, "it loads much more");
    assert_eq!(chosen(code(6000, 100, 200), code(5000, 0, 100)), 4, "the code stays long");
    // Without the branch back no warp runs through anything twice.
    let straight = |residency: Residency| {
        let spilled =
            of_code(255, 400, (0..6000).map(|at| if at < 100 { 0x983 | 4_u128 << 73 } else { 0x210 }).collect());
        let divided = of_code(255, 0, vec![0x210; 3000]);
        let assembler = |image: &KernelImage| if image.num_warps == 4 { &spilled } else { &divided }.assembled(false);
        let options = CompileOptions { residency, ..CompileOptions::default() };
        assembled((PRODUCT, OF_PRODUCT), options, assembler).0.num_warps
    };
    assert_eq!(straight(Residency::AtMost(1)), 8, "there is one CTA");
    assert_eq!(straight(Residency::AtMost(4)), 4, "two CTAs become one");
}

/// Where the program says something of its threads, or may wait for other programs, it has the warps that it was launched with.
#[test]
fn programs_that_depend_on_their_threads_keep_their_warps() {
    let chosen = |line: &str| {
        let text = format!("{PRODUCT}    {line}\n");
        warps_chosen(&text, CompileOptions::default(), &[(4, 40), (8, 0)])
    };
    assert_eq!(chosen("tl.atomic_add(c_ptr + block, sums)"), 8);
    assert_eq!(chosen("tl.store(c_ptr, tl.atomic_add(c_ptr, 1.0))"), 4, "it reads what others wrote");
    assert_eq!(chosen("tl.device_print('n', n)"), 4);
    assert_eq!(chosen("tl.store(c_ptr, tl.extra.cuda.num_threads())"), 4, "it asks how many they are");
    assert_eq!(chosen("tl.store(c_ptr, n)"), 8);
    let assembly = "tl.store(c_ptr, tl.inline_asm_elementwise('mov.b32 $0, $1;', '=r,r', [n], dtype=tl.int32, is_pure=True, pack=1))";
    assert_eq!(chosen(assembly), 4);
}

/// What products by `wgmma` are asked for: the directive of the loop above with two stages, which has registers for 4 CTAs and room for 6.
#[test]
fn products_that_are_waited_for_let_one_more_cta_in() {
    let waits = PRODUCT.replace("tl.dot(tl.load(a_ptr + block),", "tl.dot(tl.load(a_ptr + block) * 2,");
    let asked = |text: &str, residency, with_less: Made, is_serialised| {
        let options = CompileOptions { num_stages: 2, residency, ..CompileOptions::default() };
        directive_of(text, options, 119, with_less, is_serialised)
    };
    let more = Some(".minnctapersm 5".to_string());
    assert_eq!(asked(&waits, Residency::Many, made(96, 0, 1000), false), more);
    assert_eq!(asked(&waits, Residency::AtMost(8), made(96, 0, 1000), false), None, "two waves with both");
    assert_eq!(asked(&waits, Residency::AtMost(4), made(96, 0, 1000), false), None, "they have room");
    assert_eq!(asked(&waits, Residency::Any, made(96, 0, 1000), false), None, "nobody knows the grid");
    assert_eq!(asked(&waits, Residency::Many, made(96, 32, 1000), false), None, "spills");
    assert_eq!(asked(&waits, Residency::Many, made(96, 0, 1000), true), more, "products wait for each other");
    assert_eq!(asked(&waits, Residency::Many, made(96, 16, 1000), true), None, "and it spills");
    assert_eq!(
        asked(PRODUCT, Residency::Many, made(96, 0, 1000), false),
        None,
        "products run over the iteration's end"
    );
}

/// Products in flight are asked for a second CTA, not for a third.
#[test]
fn products_in_flight_let_a_second_cta_in() {
    let asked = |num_warps, registers, fewer| {
        let options = CompileOptions { num_warps, residency: Residency::Many, ..CompileOptions::default() };
        let assembler = |image: &KernelImage| {
            let registers = if directive(image).is_none() { registers } else { fewer };
            made(registers, 0, 1000).assembled(false)
        };
        directive(&assembled((PRODUCT, OF_PRODUCT), options, assembler).0)
    };
    // Eight warps with 129 registers: one CTA, with 128 two; with 96 there are two already.
    assert_eq!(asked(8, 129, 128), Some(".minnctapersm 2".to_string()));
    assert_eq!(asked(8, 200, 128), None, "far too many registers");
    assert_eq!(asked(8, 96, 80), None, "two are enough");
    assert_eq!(asked(4, 180, 168), None, "two are enough");
}

/// Where shared memory keeps the next CTA away as well, fewer registers bring nothing: five stages have room for three CTAs, as 150 registers have.
#[test]
fn one_more_cta_needs_room_in_shared_memory() {
    let waits = PRODUCT.replace("tl.dot(tl.load(a_ptr + block),", "tl.dot(tl.load(a_ptr + block) * 2,");
    let asked = |num_stages| {
        let options = CompileOptions { num_stages, residency: Residency::Many, ..CompileOptions::default() };
        let (first, less) = (made(150, 0, 1000), made(128, 0, 1000));
        let assembler = |image: &KernelImage| if directive(image).is_none() { &first } else { &less }.assembled(false);
        directive(&assembled((&waits, OF_PRODUCT), options, assembler).0)
    };
    assert_eq!([2, 5].map(asked), [Some(".minnctapersm 4".to_string()), None]);
}

/// The directive of a kernel of the signature of [`PRODUCT`] with `registers`, and `less` where it is asked for five CTAs.
fn directive_of(
    text: &str,
    options: CompileOptions,
    registers: u32,
    less: Made,
    is_serialised: bool,
) -> Option<String> {
    let first = made(registers, 0, less.cubin.len());
    let assembler = |image: &KernelImage| match directive(image).as_deref() {
        Some(".minnctapersm 5") => less.assembled(is_serialised),
        _ => first.assembled(false),
    };
    directive(&assembled((text, OF_PRODUCT), options, assembler).0)
}

/// A kernel without copies or products, of which the assembler is told nothing.
const PLAIN: (&str, &str) = (
    "@triton.jit\ndef k(a_ptr, b_ptr, c_ptr, N, M, K):\n    at = tl.arange(0, 128)\n    tl.store(c_ptr + at, tl.load(a_ptr + at) + tl.load(b_ptr + at))\n",
    "*fp32:16,*fp32:16,*fp32:16,i32,i32,i32",
);

/// What spills in few registers, since more CTAs then have room, gets room for half of them, if it spills nothing then.
#[test]
fn few_registers_that_spill_become_more() {
    let asked = |first: Made, roomy: Made| {
        let assembler = |image: &KernelImage| match directive(image).as_deref() {
            Some(".minnctapersm 8") => roomy.assembled(false),
            _ => first.assembled(false),
        };
        directive(&assembled(PLAIN, CompileOptions::default(), assembler).0)
    };
    assert_eq!(asked(made(32, 4, 1000), made(64, 0, 1000)), Some(".minnctapersm 8".to_string()), "16 CTAs have room");
    assert_eq!(asked(made(32, 0, 1000), made(64, 0, 1000)), None, "nothing spills");
    assert_eq!(asked(made(32, 4, 1000), made(64, 4, 1000)), None, "it spills still");
    assert_eq!(asked(made(160, 4, 1000), made(255, 0, 1000)), None, "it has many registers");
}

/// With a CTA more, four CTAs are three and one instead of two and two.
#[test]
fn a_cta_more_saves_a_wave() {
    let waits = PRODUCT.replace("tl.dot(tl.load(a_ptr + block),", "tl.dot(tl.load(a_ptr + block) * 2,");
    let asked = |residency| {
        let options = CompileOptions { num_stages: 2, residency, ..CompileOptions::default() };
        let assembler = |image: &KernelImage| match directive(image).as_deref() {
            Some(".minnctapersm 3") => made(168, 0, 1000).assembled(false),
            _ => made(172, 0, 1000).assembled(false),
        };
        directive(&assembled((&waits, OF_PRODUCT), options, assembler).0)
    };
    let more = Some(".minnctapersm 3".to_string());
    assert_eq!(
        [asked(Residency::AtMost(3)), asked(Residency::AtMost(4)), asked(Residency::Many)],
        [more.clone(), None, more]
    );
}

/// Multiply-adds that read three registers of one bank are tried in other orders, until few are left.
#[test]
fn sums_are_tried_in_other_orders_where_registers_collide() {
    let text = "import triton.language as tl\n\ndef k(x_ptr, n):\n    at = tl.arange(0, 64)\n    place = at[:, None] * 64 + at[None, :]\n    total = tl.zeros((64, 64), tl.float32)\n    for step in range(n):\n        x = tl.load(x_ptr + step * 4096 + place)\n        total = tl.dot(x, x, total, input_precision='ieee')\n    tl.store(x_ptr + place, total)\n";
    let code = |registers: u32, conflicts: usize| {
        let back = (-4 * 301_i128) as u128 & ((1 << 56) - 1);
        let third = |at: usize| if at < conflicts { 6_u128 } else { 7 };
        let add = |at: usize| 0x223 | 2 << 24 | 4 << 32 | third(at) << 64;
        of_code(registers, 0, (0..300).map(add).chain([0x947 | (back & 0xff) << 16 | back >> 8 << 34]).collect())
    };
    // Which of the texts that were assembled is taken, and how many there were.
    let taken = |codes: [Made; 4]| {
        let texts = std::cell::RefCell::new(Vec::new());
        let assembler = |image: &KernelImage| {
            let mut texts = texts.borrow_mut();
            texts.push(image.ptx.clone());
            codes[texts.len() - 1].assembled(false)
        };
        let ptx = assembled((text, "*fp32:16,i32"), CompileOptions::default(), assembler).0.ptx;
        (texts.borrow().iter().position(|text| *text == ptx), texts.borrow().len())
    };
    let of = |conflicts: [usize; 4]| taken(conflicts.map(|conflicts| code(96, conflicts)));
    assert_eq!([of([20, 2, 0, 0]), of([20, 20, 10, 12])], [(Some(1), 2), (Some(2), 4)]);
    assert_eq!([of([5, 0, 0, 0]), of([20, 20, 18, 19])], [(Some(0), 1), (Some(0), 4)], "too little");
    assert_eq!(taken([code(96, 20), code(255, 0), code(255, 0), code(255, 0)]), (Some(0), 4), "fewer CTAs");
}
