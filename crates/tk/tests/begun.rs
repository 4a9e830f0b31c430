//! What an assembler begins with beside what it is asked for.

use crate::machine_code::{Made, directive, waiting};
use tk::{Bounds, CompileOptions, KernelImage, SourceFile, Target, Unit, Until, Unwatched};
use tk_diag::Result;
use tk_driver::{Assemble, Assembled};
use tk_types::Residency;

const TEXT: &str =
    "import triton.language as tl\n\ndef k(x_ptr, n):\n    at = tl.arange(0, 128)\n    tl.store(x_ptr + at, n)\n";

/// An assembler that writes down for how many CTAs it begins and is asked.
struct Recorded<F> {
    made: F,
    begun: Vec<Option<String>>,
    asked: Vec<Option<String>>,
}

impl<F: Fn(Option<&str>) -> Made> Assemble for Recorded<F> {
    fn assemble(&mut self, image: &KernelImage) -> Result<Assembled> {
        self.asked.push(directive(image));
        Ok((self.made)(directive(image).as_deref()).assembled(false))
    }

    fn begin(&mut self, image: &KernelImage) {
        self.begun.push(directive(image));
    }
}

/// The numbers of CTAs with which an assembler begins, and for which it is asked, in order.
fn recorded(residency: Residency, made: impl Fn(Option<&str>) -> Made) -> (Vec<Option<String>>, Vec<Option<String>>) {
    let file = SourceFile::new("k.tk", TEXT);
    let module = tk::parse(&file).unwrap();
    let specs = tk::read_signature("*fp32:16,i32").unwrap();
    let args = tk::bind_signature(&module, "k", Some(&specs), &[]).unwrap();
    let (options, target) =
        (CompileOptions { residency, ..CompileOptions::default() }, Target::parse("sm_90a").unwrap());
    let unit = Unit { module: &module, kernel: "k", args: &args, globals: &[], options, target, bounds: Bounds::any() };
    let mut image = tk::compile(&unit, Until::Ptx, &mut Unwatched).unwrap().image.unwrap();
    let mut assembler = Recorded { made, begun: Vec::new(), asked: Vec::new() };
    tk_driver::assemble(&unit, &mut image, &mut assembler).unwrap();
    (assembler.begun, assembler.asked)
}

fn ctas(number: u32) -> Option<String> {
    Some(format!(".minnctapersm {number}"))
}

/// As many as there are cores for.
fn with_cores(expected: Vec<Option<String>>) -> Vec<Option<String>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    expected.into_iter().take(cores).collect()
}

#[test]
fn what_may_follow_one_cta_is_begun_beside_it() {
    // 4 warps: 12 CTAs with 40 registers, of which the grid brings eight; two with all registers, which come in four waves, three in three.
    let loads = |asked: Option<&str>| match asked {
        None => waiting(40, 0, 4),
        Some(".minnctapersm 8") => waiting(64, 0, 3),
        Some(_) => waiting(255, 0, 1),
    };
    let (begun, asked) = recorded(Residency::AtMost(8), loads);
    assert_eq!(begun, with_cores(vec![None, ctas(8), ctas(3)]));
    assert_eq!(asked[..3], [None, ctas(1), ctas(8)]);
}

#[test]
fn nothing_is_begun_for_loads_that_come_together() {
    let (begun, asked) = recorded(Residency::AtMost(8), |_| waiting(40, 0, 1));
    assert_eq!((begun, asked), (vec![None], vec![None]));
}
