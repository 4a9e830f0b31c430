//! Kernels that only move memory come in two turns of equal size where registers decide how many CTAs have room.

use crate::cubins::cubin_of_k;
use crate::machine_code::directive;
use tk::{Bounds, CompileOptions, KernelImage, SourceFile, Target, Unit, Until, Unwatched};
use tk_driver::Assembled;
use tk_types::{Brought, Residency};

const TURNED: &str = "import triton.language as tl

def k(x_ptr, out_ptr, ROWS: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    c = tl.program_id(1) * 64 + tl.arange(0, 64)
    x = tl.load(x_ptr + r[:, None] * 4096 + c[None, :])
    tl.store(out_ptr + c[None, :] * 4096 + r[:, None], VALUE)
";

/// Machine code of `k` with one load that is waited for.
fn cubin() -> Vec<u8> {
    let (load, wait): (u128, u128) = (0x981 | 2 << (64 + 46), 0x210 | 7 << (64 + 46) | 0b100 << (64 + 52));
    cubin_of_k(vec![load, wait])
}

/// A launch of [`TURNED`], and what ptxas makes of it.
#[derive(Clone, Copy)]
struct Turned {
    value: &'static str,
    rows: u32,
    num_warps: u32,
    /// CTAs that the grid brings to each of 132 multiprocessors.
    brought: u64,
    /// Registers that the code takes as it is.
    registers: u32,
    /// Those that it takes where it is asked for one CTA more, if these are others.
    asked_registers: Option<u32>,
    /// Bytes that it spills where it is asked for fewer CTAs.
    spilled: u32,
}

const USUAL: Turned =
    Turned { value: "x", rows: 32, num_warps: 2, brought: 31, registers: 40, asked_registers: None, spilled: 0 };

impl Turned {
    /// The CTAs that the PTX asks for, and the registers that it holds.
    fn asked(self) -> (Option<u32>, Option<u32>) {
        let file = SourceFile::new("k.tk", TURNED.replace("VALUE", self.value));
        let module = tk::parse(&file).unwrap();
        let specs = tk::read_signature("*fp16:16,*fp16:16").unwrap();
        let rows = tk::read_constant(&self.rows.to_string()).unwrap();
        let args =
            tk::bind_signature(&module, "k", Some(&specs), &[tk_types::NamedConstant::new("ROWS", rows)]).unwrap();
        let (residency, brought) =
            (Residency::of_grid(132 * self.brought, 132), Brought::of_grid(132 * self.brought, 132));
        let options = CompileOptions { num_warps: self.num_warps, residency, brought, ..CompileOptions::default() };
        let target = Target::parse("sm_90a").unwrap();
        let unit =
            Unit { module: &module, kernel: "k", args: &args, globals: &[], options, target, bounds: Bounds::any() };
        let mut image = tk::compile(&unit, Until::Ptx, &mut Unwatched).unwrap().image.unwrap();
        let made = |image: &KernelImage| {
            let (registers, spilled) = match held(image) {
                Some(held) => (held + 6, self.spilled),
                None => {
                    let asked = self.asked_registers.filter(|_| directive(image).is_some());
                    (asked.unwrap_or(self.registers), 0)
                }
            };
            Ok(Assembled {
                cubin: cubin(),
                registers: Some(registers),
                spill_bytes: Some(spilled),
                is_serialised: false,
            })
        };
        tk_driver::assemble(&unit, &mut image, &mut { made }).unwrap();
        let ctas = directive(&image).and_then(|line| line.rsplit(' ').next()?.parse().ok());
        (ctas, held(&image))
    }
}

/// Registers that the PTX holds.
fn held(image: &KernelImage) -> Option<u32> {
    image.ptx.split_once("%held<")?.1.split_once('>')?.0.parse().ok()
}

#[test]
fn two_turns_are_shared_out_evenly() {
    assert_eq!(USUAL.asked(), (Some(16), Some(52)), "24 and seven");
    assert_eq!(Turned { brought: 27, ..USUAL }.asked(), (Some(14), Some(60)), "24 and three");
    assert_eq!(Turned { num_warps: 1, registers: 72, ..USUAL }.asked(), (Some(16), Some(116)), "28 and three");
    let more = Turned { brought: 27, registers: 48, asked_registers: Some(40), ..USUAL };
    assert_eq!(more.asked(), (Some(14), Some(60)), "20 and seven, which one CTA more makes 24 and three");
}

#[test]
fn other_grids_come_as_they_do() {
    let others = |launches: &[Turned]| launches.iter().all(|launch| launch.asked() == (None, None));
    assert!(others(&[16, 24, 33, 200].map(|brought| Turned { brought, ..USUAL })), "one turn, or many");
    assert!(others(&[Turned { registers: 32, ..USUAL }]), "all have room");
    assert!(others(&[Turned { registers: 64, ..USUAL }]), "turns that are even");
    assert!(
        others(&[17, 20].map(|brought| Turned { brought, registers: 56, ..USUAL })),
        "eighteen have room for seventeen"
    );
    assert!(others(&[Turned { num_warps: 4, registers: 32, ..USUAL }]), "warps leave room for sixteen");
    assert!(others(&[Turned { spilled: 8, ..USUAL }]), "registers that the code has not");
}

#[test]
fn what_computes_needs_other_ctas() {
    let others = |launch: Turned| launch.asked() == (None, None);
    assert!(Turned { value: "x * 2", ..USUAL }.asked().0.is_some(), "of what a thread has");
    assert!(others(Turned { value: "x - tl.max(x, axis=1)[:, None]", ..USUAL }), "lanes wait for each other");
    assert!(others(Turned { rows: 8, ..USUAL }), "64 KiB for a multiprocessor");
}
