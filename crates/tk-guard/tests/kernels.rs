//! Warnings and rewritten kernels: known cases, every example, and random programs against an interpreter.

mod interpreter;

use interpreter::{Arithmetic, Machine};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tk_check::checked::{Kernel, verify};
use tk_check::{CheckRequest, bind_signature, check, read_constant, read_signature};
use tk_diag::{Diagnostic, SourceFile};
use tk_guard::{Bounds, Interval, Ranges, WORDS_PER_SITE, overflow_warnings, protect, warnings};
use tk_target::Target;
use tk_types::{CompileOptions, IndexWidth, NamedConstant, Sanitize};

fn checked_with(text: &str, signature: &str, constexprs: &[(&str, &str)], options: CompileOptions) -> Kernel {
    let text = format!("import triton\nimport triton.language as tl\n\n{text}");
    let module = tk_grammar::parse(&SourceFile::new("k.tk", text)).expect("it parses");
    let specs = read_signature(signature).expect("a signature");
    let constexprs: Vec<_> = constexprs
        .iter()
        .map(|(name, value)| NamedConstant::new(*name, read_constant(value).expect("a constant")))
        .collect();
    let args = bind_signature(&module, "k", Some(&specs), &constexprs).expect("it binds");
    let request = CheckRequest { module: &module, kernel: "k", args: &args, options, target: Target::default() };
    check(&request).unwrap_or_else(|errors| panic!("{}", errors[0])).kernel
}

fn checked(text: &str, signature: &str, constexprs: &[(&str, &str)]) -> Kernel {
    checked_with(text, signature, constexprs, CompileOptions::default())
}

fn sizes(args: &[(&str, i128)], grid: i128) -> Bounds {
    let args = args.iter().map(|(name, value)| (name.to_string(), Interval::of(*value))).collect();
    Bounds { args, grid: [Interval::of(grid), Interval::of(1), Interval::of(1)], ..Bounds::any() }
}

fn overflows(kernel: &Kernel, bounds: &Bounds) -> Vec<Diagnostic> {
    overflow_warnings(kernel, &Ranges::new(kernel, bounds), bounds)
}

const ROWS: &str = "@triton.jit
def k(x, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    tl.store(x + row * stride + offsets, 0.0, mask=offsets < n)
";

#[test]
fn a_row_times_its_stride_is_warned_of_where_it_passes_int32() {
    let kernel = checked(ROWS, "*fp32,i32,i32", &[("BLOCK", "1024")]);
    let found = overflows(&kernel, &sizes(&[("stride", 128_256), ("n", 128_256)], 20_480));
    assert_eq!(found.len(), 1, "{found:?}");
    let (label, notes) = (&found[0].labels[0].text, found[0].notes.join("\n"));
    assert!(label.contains(&(20_479i64 * 128_256).to_string()), "{label}");
    assert!(found[0].message.contains("`row * stride`"), "{}", found[0].message);
    assert!(notes.contains("`row` is 0 to 20479") && notes.contains("`stride` is 128256"), "{notes}");
    assert!(overflows(&kernel, &sizes(&[("stride", 128_256), ("n", 128_256)], 16_744)).is_empty());
    let wide =
        checked(&ROWS.replace("program_id(0)", "program_id(0).to(tl.int64)"), "*fp32,i32,i32", &[("BLOCK", "1024")]);
    assert!(overflows(&wide, &sizes(&[("stride", 128_256), ("n", 128_256)], 20_480)).is_empty());
    let late =
        checked(&ROWS.replace("row * stride", "(row * stride).to(tl.int64)"), "*fp32,i32,i32", &[("BLOCK", "1024")]);
    assert_eq!(overflows(&late, &sizes(&[("stride", 128_256), ("n", 128_256)], 20_480)).len(), 1);
}

#[test]
fn steps_of_a_loop_add_up() {
    let text = "@triton.jit
def k(x, stride, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    for i in range(0, n):
        tl.store(x + offsets, 0.0)
        offsets += BLOCK * stride
";
    let kernel = checked(text, "*fp32,i32,i32", &[("BLOCK", "128")]);
    let count = |stride, n| overflows(&kernel, &sizes(&[("stride", stride), ("n", n)], 1)).len();
    // 127 + 128 * stride * n, of which the last sum is computed and not used.
    assert_eq!(count(1 << 14, (1 << 10) - 1), 0);
    assert_eq!(count(1 << 14, (1 << 10) + 1), 1);
    let ranges = Ranges::new(&kernel, &sizes(&[("stride", 10), ("n", 5)], 1));
    let carried = kernel.body.ops.iter().find_map(|op| op.blocks.first()).map(|block| block.args[1]).expect("a loop");
    assert_eq!(ranges.of(carried), Interval::new(0, 127 + 4 * 1280));
}

/// What nothing is known of has realistic sizes, and what is computed from it has them again.
#[test]
fn assumed_sizes_reach_int32_only_where_real_ones_do() {
    let warns = |text: &str, signature: &str| {
        let kernel = checked(text, signature, &[("BLOCK", "1024")]);
        !overflows(&kernel, &Bounds::assumed()).is_empty()
    };
    let rows = "*fp32,i32,i32";
    assert!(!warns(ROWS, rows));
    assert!(warns(&ROWS.replace("stride", "vocab_size"), rows));
    // The rows of logits are long; one loss for each is not.
    let logits = ROWS.replace("k(x,", "k(logits_ptr,").replace("store(x", "store(logits_ptr");
    assert!(warns(&logits, rows));
    assert!(!warns(&logits.replace("stride", "loss_stride"), rows));
    // Three sizes are a row and a stride again, however they are put together.
    let several = "@triton.jit
def k(x, T, H, D, BLOCK: tl.constexpr):
    i = tl.program_id(1) * T + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for j in range(T):
        tl.store(x + (i * H + tl.program_id(2)) * D + j * (H * D), 0.0)
";
    assert!(!warns(several, "*fp32,i32,i32,i32"));
    // A constant is what it is, and so is what a launch says.
    assert!(warns(&ROWS.replace("row * stride", "row * 128256"), rows));
    let said = Bounds { args: vec![("stride".into(), Interval::of(128_256))], ..Bounds::assumed() };
    let found = overflows(&checked(ROWS, rows, &[("BLOCK", "1024")]), &said);
    assert!(found[0].notes.iter().any(|note| note.contains("a grid of up to 65536 programs")), "{found:?}");
    // A number of bytes that a guess takes for int8 is no offset of 8 bits.
    let bytes = "@triton.jit\ndef k(x, n, BLOCK: tl.constexpr):\n    tl.store(x + tl.load(x) * tl.load(x + 1), 0)\n";
    assert!(!warns(bytes, "*i8,i32"));
}

#[test]
fn traps_are_found_and_their_remedies_are_not() {
    let codes = |body: &str, signature: &str| -> Vec<&'static str> {
        let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
        let kernel = checked(&format!("@triton.jit\ndef k(x, y, n):\n{body}"), signature, &[]);
        warnings(&kernel, &Bounds::assumed()).iter().map(|warning| warning.code.slug).collect()
    };
    let sum = "i = tl.arange(0, 64)\na = tl.load(x + i, mask=i < n)\ntl.store(y, tl.sum(a))";
    assert_eq!(codes(sum, "*fp32,*fp32,i32"), ["masked-value-used"]);
    assert!(codes(&sum.replace("< n)", "< n, other=0.0)"), "*fp32,*fp32,i32").is_empty());
    assert!(codes(&sum.replace("tl.sum(a)", "tl.sum(tl.where(i < n, a, 0.0))"), "*fp32,*fp32,i32").is_empty());
    // What pads 60 elements to 64 is no mask of the program, and hides none.
    for op in ["tl.sum(a)", "tl.max(a)", "tl.cumsum(a)", "tl.cumsum(a, reverse=True)"] {
        let padded = format!("i = tl.arange(0, 60)\na = tl.load(x + i)\ntl.store(y + i, {op})");
        assert!(codes(&padded, "*fp32,*fp32,i32").is_empty(), "{op}");
        let masked = padded.replace("x + i)", "x + i, mask=i < n)");
        assert_eq!(codes(&masked, "*fp32,*fp32,i32"), ["masked-value-used"], "{op}");
    }
    // A mask of rows, a sum along the columns, a store under the mask of rows: nothing undefined is mixed or shown.
    let rows = "r = tl.arange(0, 16)\nc = tl.arange(0, 16)\na = tl.load(x + r[:, None] * 16 + c[None, :], mask=r[:, None] < n)\n";
    assert!(codes(&format!("{rows}tl.store(y + r, tl.sum(a, axis=1), mask=r < n)"), "*fp32,*fp32,i32").is_empty());
    assert_eq!(codes(&format!("{rows}tl.store(y + r, tl.sum(a, axis=1))"), "*fp32,*fp32,i32"), ["masked-value-used"]);
    assert_eq!(codes(&format!("{rows}tl.store(y + c, tl.sum(a, axis=0))"), "*fp32,*fp32,i32"), ["masked-value-used"]);
    assert_eq!(codes("p = tl.program_id(0) - 1\ntl.store(x + n, p // 2)", "*i32,*i32,i32"), ["truncating-division"]);
    assert!(codes("p = tl.program_id(0) + 1\ntl.store(x + n, p // 2)", "*i32,*i32,i32").is_empty());
    let dot = "i = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]\na = tl.load(x + i)\ntl.store(y + i, tl.dot(a, a))";
    assert_eq!(codes(dot, "*fp32,*fp32,i32"), ["silent-tf32"]);
    assert!(codes(dot, "*fp16,*fp32,i32").is_empty());
    assert!(codes(&dot.replace("(a, a)", "(a, a, input_precision='ieee')"), "*fp32,*fp32,i32").is_empty());
    let half = "i = tl.arange(0, 256)\ntl.store(y, tl.sum(tl.load(x + i)))";
    assert_eq!(codes(half, "*fp16,*fp16,i32"), ["half-sum"]);
    assert!(codes(half, "*fp32,*fp16,i32").is_empty());
}

fn every_option() -> Vec<CompileOptions> {
    let mut all = Vec::new();
    for index_width in [IndexWidth::Written, IndexWidth::Auto, IndexWidth::Wide] {
        for (overflow, bounds) in [(false, false), (true, false), (false, true), (true, true)] {
            let sanitize = Sanitize { overflow, bounds };
            all.push(CompileOptions { index_width, sanitize, ..CompileOptions::default() });
        }
    }
    all
}

/// Every kernel of every example stays well formed, whatever is asked for.
#[test]
fn protected_kernels_are_well_formed() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("examples/ is there").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ending| ending != "tk") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("it reads");
        let module = tk_grammar::parse(&SourceFile::new(path.display().to_string(), text)).expect("it parses");
        let guesses = tk_guess::Guesses::of(&module);
        for function in tk_guess::kernels(&module) {
            let name = function.name.text.as_str();
            for options in every_option() {
                let kernel = (0..40).find_map(|attempt| {
                    let args = guesses.arguments(function, None, attempt).ok()?;
                    let options = options.clone();
                    let request =
                        CheckRequest { module: &module, kernel: name, args: &args, options, target: Target::default() };
                    check(&request).ok()
                });
                let Some(kernel) = kernel.map(|checked| checked.kernel) else { continue };
                let params = kernel.params.len();
                let (protected, guards) = protect(kernel, &Bounds::any());
                verify(&protected).unwrap_or_else(|bug| panic!("{}: {name}: {options:?}: {bug}", path.display()));
                assert_eq!(protected.params.len(), params + guards.hidden.len());
                assert_eq!(guards.is_empty(), guards.sites.is_empty());
                count += 1;
            }
        }
    }
    assert!(count > 150, "only {count} kernels were looked at");
}

/// Random numbers that are the same in every run.
struct Dice(ChaCha8Rng);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0.random_range(0..count)
    }

    fn of<'t>(&mut self, items: &[&'t str]) -> &'t str {
        items.choose(&mut self.0).expect("there is something to choose from")
    }
}

/// A kernel of integer statements whose variables all reach an address.
fn random_program(dice: &mut Dice) -> String {
    let mut text = String::from("@triton.jit\ndef k(x, n, m):\n    a = tl.program_id(0)\n    b = n\n    c = m\n");
    let names = ["a", "b", "c"];
    // Exact results must fit 64 bits, so there are few products.
    let (mut products, mut factors) = (0, 0);
    for _ in 0..dice.below(7) + 1 {
        let (to, from, other) = (dice.of(&names), dice.of(&names), dice.of(&names));
        let kind = dice.below(8);
        products += u32::from(kind == 2);
        factors += u32::from(kind == 7);
        let line = match kind {
            2 if products > 1 => continue,
            7 if factors > 2 => continue,
            0 => format!("    {to} = {from} + {other}\n"),
            1 => format!("    {to} = {from} - {other}\n"),
            2 => format!("    {to} = {from} * {other}\n"),
            3 => format!("    {to} = {from} // {}\n", dice.below(9) + 1),
            4 => format!("    {to} = {from} % {}\n", dice.below(900) + 1),
            5 => format!("    {to} = tl.where(n > {}, {from}, {other})\n", dice.below(4000)),
            6 => format!(
                "    for i in range(0, {}):\n        {to} = {to} {} {}\n",
                dice.below(5) + 1,
                dice.of(&["+", "-"]),
                dice.of(&["m", "n", "1000", "i"])
            ),
            _ => format!("    if m > {}:\n        {to} = {from} * {}\n", dice.below(4000), dice.below(3000)),
        };
        text.push_str(&line);
    }
    let limit = dice.below(4000);
    let last = match dice.below(3) {
        0 => "    tl.store(x + c, 1.0)\n".to_string(),
        1 => format!(
            "    y = x + c.to(tl.int64) * 3\n    if n > {limit}:\n        y += a\n    tl.store(y, 1.0, mask=m > {limit})\n"
        ),
        _ => format!(
            "    y = x + 0\n    for i in range(0, 3):\n        tl.store(y, 1.0, mask=i + n > {limit})\n        y += c\n"
        ),
    };
    text + &format!(
        "    tl.store(x + a, 1.0, mask=n > {limit})\n    tl.store(x + (b + c), 1.0, mask=m > {limit})\n{last}"
    )
}

/// Ranges hold what a run computes, twins are exact, and a check fails exactly where 32 bits do not do.
#[test]
fn random_programs_keep_their_ranges_and_their_exact_offsets() {
    let mut dice = Dice(ChaCha8Rng::seed_from_u64(7));
    let (mut overflowed, mut fine) = (0, 0);
    for round in 0..400 {
        let text = random_program(&mut dice);
        let values = [dice.below(5000) as i128, dice.below(1 << 17) as i128, dice.below(1 << 17) as i128];
        let sanitize = Sanitize { overflow: true, bounds: false };
        let options = CompileOptions { sanitize, ..CompileOptions::default() };
        let kernel = checked_with(&text, "*fp32,i32,i32", &[], options);
        fn run<'k>(kernel: &'k Kernel, values: &[i128], arithmetic: Arithmetic) -> Machine<'k> {
            Machine::run(kernel, values[0], &values[1..], arithmetic)
        }
        let (written, exact) = (run(&kernel, &values, Arithmetic::Wrapping), run(&kernel, &values, Arithmetic::Exact));
        // Twins have 64 bits, so programs whose exact numbers leave them say nothing.
        let numbers =
            exact.values.iter().map(|(_, number)| *number).chain(exact.stores.iter().map(|(offset, _)| *offset));
        if numbers.into_iter().any(|number| i64::try_from(number).is_err()) {
            continue;
        }
        let exact_bounds = sizes(&[("n", values[1]), ("m", values[2])], values[0] + 1);
        for bounds in [exact_bounds, Bounds::any(), sizes(&[("n", values[1]), ("m", values[2])], 5000).rounded()] {
            let ranges = Ranges::new(&kernel, &bounds);
            for (value, number) in &written.values {
                let range = ranges.of(*value);
                assert!(
                    range.contains(Interval::of(*number)),
                    "round {round}: {value} is {number}, not {range}\n{text}\n{kernel}"
                );
            }
            let (wide, guards) = protect(kernel.clone(), &bounds);
            verify(&wide).unwrap_or_else(|bug| panic!("{bug}\n{text}\n{wide}"));
            let protected = run(&wide, &values, Arithmetic::Wrapping);
            let left_in = |run: &Machine<'_>| -> Vec<i128> {
                run.stores.iter().filter(|(_, left_in)| *left_in).map(|(offset, _)| *offset).collect()
            };
            assert_eq!(protected.stores, exact.stores, "round {round}\n{text}\n{wide}");
            let mut record = guards.empty_record();
            for site in &protected.failed_sites {
                record[*site as usize * WORDS_PER_SITE] = 0;
            }
            let fails = guards.failure(&record, [1; 3], &|_| None).is_some();
            assert!(!fails || exact.left_int32, "round {round}: a check fails without a cause\n{text}\n{wide}");
            assert_eq!(
                left_in(&written) != left_in(&exact),
                fails,
                "round {round} {values:?} {:?} {:?} {:?}\n{text}\n{wide}",
                written.stores,
                exact.stores,
                protected.failed_sites
            );
            if fails { overflowed += 1 } else { fine += 1 }
        }
    }
    assert!(overflowed > 100 && fine > 100, "{overflowed} overflow, {fine} do not");
}
