//! Bundles from lists to launches: what is compiled and what comes from the cache, and what the same file computes on the simulator.

use half::f16;
use std::path::{Path, PathBuf};
use tk_build::{Built, KernelPlan, Plan, Settings, compile, write};
use tk_image::{AtRunTime, Bundle};
use tk_launch::{Arg, Buffer, Cache, Device, DeviceChoice, Entry, TensorDescriptor};
use tk_types::{CompileOptions, NamedConstant, ScalarType};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The kernels of the tests, with settings that keep them in a folder.
fn pieces(folder: &Path) -> (Plan, Settings) {
    let plan = Plan::read(&[root().join("tests/ahead-of-time/pieces.tk")]).unwrap();
    (plan, Settings { cache: Some(Cache::open(folder.join("cache"), 1 << 30)), jobs: 2 })
}

fn texts(errors: &[tk_diag::Diagnostic]) -> String {
    errors.iter().map(|error| format!("{error}\n")).collect()
}

/// Writes a file and reads the plan that it is.
fn plan_of(text: &str) -> Result<Plan, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.toml");
    std::fs::write(&path, text).unwrap();
    Plan::read(&[path]).map_err(|error| error.to_string())
}

#[test]
fn a_list_says_all_there_is_to_say() {
    let plan = plan_of(
        "[bundle]\nname = \"b\"\ntargets = [\"sm_80\"]\nat_run_time = \"nothing\"\n[[kernel]]\nfile = \"k.tk\"\n\
         constexpr = { A = 1, B = 0.5, C = true, D = \"tl.float16\", E = [1, 2], F = \"None\" }\nnum_warps = 8\nnum_stages = 2\n\
         fp_fusion = false\nmaxnreg = 128\nbounds = [\"n=1..5\"]\n",
    )
    .unwrap();
    assert_eq!((plan.name.as_str(), plan.at_run_time, plan.targets.len()), ("b", AtRunTime::Nothing, 1));
    let [kernel] = plan.kernels.as_slice() else { panic!("{plan:?}") };
    let constants: Vec<String> = kernel.constants.iter().map(|one| format!("{}={}", one.name, one.value)).collect();
    assert_eq!(constants.join(" "), "A=1 B=0.5 C=True D=float16 E=(1, 2) F=None");
    assert!(kernel.file.ends_with("k.tk") && kernel.file.parent().is_some_and(Path::is_absolute));
    let options = &kernel.options;
    assert_eq!((options.num_warps, options.num_stages, options.maxnreg, options.fp_fusion), (8, 2, Some(128), false));
}

#[test]
fn lists_that_are_wrong_say_where() {
    let refused = |text: &str| plan_of(text).map(|plan| plan.check()).unwrap_or_else(|error| panic!("{error}"));
    assert!(refused("").is_err());
    for (text, expected) in [
        ("[[kernel]]\nfiel = \"k.tk\"\n", "unknown field `fiel`"),
        ("[[kernel]]\nkernel = \"k\"\n", "needs `file"),
        ("[bundle]\ntargets = [\"sm_1\"]\n", "sm_1"),
        ("[bundle]\nat_run_time = \"maybe\"\n", "unknown variant `maybe`"),
        ("[[kernel]]\nfile = \"k.tk\"\nnum_warps = 3\n", "num_warps is 3"),
        ("[[kernel]]\nfile = \"k.tk\"\nconstexpr = { A = { B = 1 } }\n", "constexpr `A`"),
        ("not toml", "no list of kernels"),
    ] {
        let error = plan_of(text).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let named = |name: &str| Plan { name: name.into(), ..plan_of("[[kernel]]\nfile = \"k.tk\"\n").unwrap() };
    for name in ["", "a-b", "1a", "a b", "ä"] {
        assert!(named(name).check().is_err(), "{name}");
    }
    assert!(named("a_1").check().is_ok());
}

#[test]
fn lists_in_comments_end_and_are_there() {
    let of = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("k.tk");
        std::fs::write(&path, text).unwrap();
        Plan::read(&[path]).map(|plan| plan.kernels.len()).map_err(|error| error.to_string())
    };
    assert_eq!(of("x = 'é'\n# /// tk\n# [[kernel]]\n#\n# ///\n"), Ok(1));
    assert!(of("# a comment\n").unwrap_err().contains("there is no list"));
    assert!(of("# /// tk\n# [[kernel]]\n").unwrap_err().contains("does not end"));
    assert!(of("# /// tk\n# [[kernel]]\nx = 1\n").unwrap_err().contains("does not end"));
    assert!(of("# /// tk\n# [[kern]]\n# ///\n").unwrap_err().contains("unknown field `kern`"));
}

#[test]
fn what_was_compiled_is_not_compiled_again() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, settings) = pieces(folder.path());
    let Built { bundle, compiled, reused, inputs, .. } = compile(&plan, &settings).map_err(|e| texts(&e)).unwrap();
    assert_eq!((compiled, reused), (10, 0), "five signatures for two targets");
    assert!(inputs.iter().any(|path| path.ends_with("pieces.tk")), "{inputs:?}");
    let again = compile(&plan, &settings).map_err(|e| texts(&e)).unwrap();
    assert_eq!((again.compiled, again.reused), (0, 10));
    assert_eq!(again.bundle, bundle, "what comes from the cache is the same");
    let mut changed = plan.clone();
    changed.kernels[0].constants = vec![NamedConstant::new("BLOCK", tk_types::ConstValue::Int(256))];
    let changed = compile(&changed, &settings).map_err(|e| texts(&e)).unwrap();
    assert_eq!((changed.compiled, changed.reused), (4, 6), "two signatures for two targets");

    let out = folder.path().join("out");
    let paths = write(&bundle, &out).unwrap();
    let bytes = std::fs::read(&paths[0]).unwrap();
    assert_eq!(Bundle::from_bytes(&bytes), Ok(bundle.clone()));
    let old = std::time::SystemTime::UNIX_EPOCH;
    std::fs::File::options().append(true).open(&paths[3]).unwrap().set_modified(old).unwrap();
    write(&bundle, &out).unwrap();
    assert_eq!(std::fs::metadata(&paths[3]).unwrap().modified().unwrap(), old, "a file that stays is not touched");
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 4, "nothing else is left");
}

#[test]
fn wrong_kernels_are_the_errors_of_the_compiler() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, settings) = pieces(folder.path());
    let with = |change: &dyn Fn(&mut KernelPlan)| {
        let mut plan = Plan { kernels: vec![plan.kernels[0].clone()], ..plan.clone() };
        change(&mut plan.kernels[0]);
        texts(&compile(&plan, &settings).unwrap_err())
    };
    assert!(with(&|kernel| kernel.kernel = None).contains("several kernels"));
    assert!(with(&|kernel| kernel.kernel = Some("absent".into())).contains("absent"));
    assert!(with(&|kernel| kernel.signatures = vec!["*fp32".into()]).contains("scale"));
    assert!(with(&|kernel| kernel.signatures = vec!["*fp17".into()]).contains("fp17"));
    assert!(with(&|kernel| kernel.bounds = vec!["absent=1".into()]).contains("no run-time argument `absent`"));
    assert!(with(&|kernel| kernel.bounds = vec!["n".into()]).contains("NAME=VALUE"));
    assert!(with(&|kernel| kernel.name = Some("a b".into())).contains("no name of Rust and C"));
    assert!(with(&|kernel| kernel.file = "absent.tk".into()).contains("absent.tk"));
    let twice = Plan { kernels: vec![plan.kernels[0].clone(), plan.kernels[0].clone()], ..plan.clone() };
    assert!(texts(&compile(&twice, &settings).unwrap_err()).contains("two kernels are called `scale`"));
}

/// The bundle as it is read from its file, and the simulator.
struct OnSimulator {
    device: Device,
    bundle: Bundle,
}

impl OnSimulator {
    fn of(bundle: &Bundle) -> Self {
        let bundle = Bundle::from_bytes(&bundle.to_bytes()).unwrap();
        Self { device: Device::open(DeviceChoice::Sim).unwrap(), bundle }
    }

    fn entry(&self, name: &str) -> Entry {
        self.device.load_entry(self.bundle.entry(name).unwrap()).unwrap()
    }

    fn upload(&self, values: &[f32]) -> Buffer {
        self.device.upload(&values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>()).unwrap()
    }

    fn upload_f16(&self, values: &[f32]) -> Buffer {
        let bytes = values.iter().flat_map(|value| f16::from_f32(*value).to_le_bytes());
        self.device.upload(&bytes.collect::<Vec<u8>>()).unwrap()
    }

    fn floats(&self, buffer: &Buffer) -> Vec<f32> {
        let bytes = self.device.download(buffer).unwrap();
        bytes.chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect()
    }

    fn halves(&self, buffer: &Buffer) -> Vec<f32> {
        let bytes = self.device.download(buffer).unwrap();
        bytes.chunks_exact(2).map(|word| f16::from_le_bytes(word.try_into().unwrap()).to_f32()).collect()
    }
}

/// Small integers, so that sums in any order are exact.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|at| ((at * 7 + at / 13) % 9) as f32 - 4.0).collect()
}

#[test]
fn a_bundle_computes_on_the_simulator_what_its_kernels_say() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, settings) = pieces(folder.path());
    let simulator = OnSimulator::of(&compile(&plan, &settings).map_err(|e| texts(&e)).unwrap().bundle);
    scales(&simulator);
    copies(&simulator);
    let (entry, n) = (simulator.entry("product"), 128usize);
    let (a, b) = (numbers(n * n), numbers(n * n).into_iter().rev().collect::<Vec<f32>>());
    let (on_a, on_b, on_c) = (simulator.upload_f16(&a), simulator.upload_f16(&b), simulator.upload(&vec![0.0; n * n]));
    let size = Arg::I32(n as i32);
    let args = [Arg::Buffer(&on_a, 0), Arg::Buffer(&on_b, 0), Arg::Buffer(&on_c, 0), size, size, size];
    entry.launch([2, 2, 1], &args).unwrap();
    let expected = |at: usize| (0..n).map(|i| a[at / n * n + i] * b[i * n + at % n]).sum::<f32>();
    assert_eq!(simulator.floats(&on_c), (0..n * n).map(expected).collect::<Vec<f32>>());
}

/// Both variants: for multiples of 16, and for any number and address.
fn scales(simulator: &OnSimulator) {
    let entry = simulator.entry("scale");
    let x = numbers(1000);
    let on_x = simulator.upload(&x);
    for (n, offset) in [(960usize, 0usize), (333, 4)] {
        let on_y = simulator.upload(&vec![0.0; 1000]);
        let grid = [n.div_ceil(128) as u32, 1, 1];
        let args = [Arg::Buffer(&on_x, offset), Arg::Buffer(&on_y, 0), Arg::I32(n as i32), Arg::F32(2.5)];
        entry.launch(grid, &args).unwrap();
        let y = simulator.floats(&on_y);
        let expected: Vec<f32> = (0..1000).map(|at| if at < n { x[at + offset / 4] * 2.5 } else { 0.0 }).collect();
        assert_eq!(y, expected, "{n} {offset}");
    }
    let launch = |n: i32, programs: u32| {
        let args = [Arg::Buffer(&on_x, 0), Arg::Buffer(&on_x, 0), Arg::I32(n), Arg::F32(1.0)];
        entry.launch([programs, 1, 1], &args).unwrap_err().message
    };
    let error = launch(70_000, 1);
    assert!(error.contains("compiled for 0 to 65536, and this is 70000"), "{error}");
    assert!(launch(16, 513).contains("compiled for a smaller grid"));
}

/// Descriptors of the host, and descriptors that the kernel makes in scratch memory.
fn copies(simulator: &OnSimulator) {
    let (rows, columns) = (50usize, 72usize);
    let values = numbers(rows * columns);
    let source = simulator.upload_f16(&values);
    let grid = [2, 2, 1];
    let to = simulator.upload_f16(&vec![9.0; rows * columns]);
    let (shape, strides) = ([rows as i64, columns as i64], [columns as i64, 1]);
    let of =
        |buffer| TensorDescriptor { buffer, offset: 0, element: ScalarType::F16, shape: &shape, strides: &strides };
    simulator.entry("copy_block").launch(grid, &[Arg::Descriptor(of(&source)), Arg::Descriptor(of(&to))]).unwrap();
    assert_eq!(simulator.halves(&to), values);

    let (rows, columns) = (48usize, 80usize);
    let values = numbers(rows * columns);
    let (source, to) = (simulator.upload_f16(&values), simulator.upload_f16(&vec![9.0; rows * columns]));
    let args = [Arg::Buffer(&source, 0), Arg::Buffer(&to, 0), Arg::I32(rows as i32), Arg::I32(columns as i32)];
    simulator.entry("own_descriptors").launch(grid, &args).unwrap();
    assert_eq!(simulator.halves(&to), values);
}

#[test]
fn names_of_other_languages_become_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.tk");
    let text = "@triton.jit\ndef k(int, type, scratch, N: tl.constexpr):\n    tl.store(int, type + N + scratch)\n";
    std::fs::write(&path, text).unwrap();
    let kernel = KernelPlan {
        file: path.clone(),
        kernel: None,
        name: Some("a_kernel".into()),
        signatures: vec!["*i32,i8,u64".into()],
        constants: vec![NamedConstant::new("N", tk_types::ConstValue::Int(3))],
        options: CompileOptions::default(),
        bounds: Vec::new(),
    };
    let target = tk_target::Target::parse("sm_80").unwrap();
    let (at_run_time, files) = (AtRunTime::default(), vec![path]);
    let plan = Plan {
        name: "b".into(),
        targets: vec![target],
        at_run_time,
        tunings: Vec::new(),
        kernels: vec![kernel],
        files,
    };
    let built = compile(&plan, &Settings::default()).map_err(|e| texts(&e)).unwrap();
    let paths = write(&built.bundle, folder.path()).unwrap();
    let read = |at: usize| std::fs::read_to_string(&paths[at]).unwrap();
    for expected in ["pub struct AKernel(", "pub int: Pointer<i32>,", "pub type_: i8,", "pub scratch_: u64,"] {
        assert!(read(1).contains(expected), "{expected}: {}", read(1));
    }
    for expected in ["uint64_t int_;", "int8_t type;", "uint64_t scratch_;"] {
        assert!(read(2).contains(expected), "{expected}: {}", read(2));
    }
    assert!(read(1).contains("`k` with N = 3."));
}

/// The bundle of the examples in Rust and C, with the sizes that they launch.
#[test]
fn the_bundle_of_the_examples_is_right_on_the_simulator() {
    let plan = Plan::read(&[root().join("examples/ahead-of-time/kernels.toml")]).unwrap();
    let simulator = OnSimulator::of(&compile(&plan, &Settings::default()).map_err(|e| texts(&e)).unwrap().bundle);
    for sizes in [[192, 128, 96], [50, 70, 33]] {
        multiplies(&simulator, sizes);
    }
    let (heads, context, dim) = (2usize, 192usize, 64usize);
    let size = heads * context * dim;
    let [q, k, v] =
        [3, 5, 7].map(|seed| (0..size).map(|at| ((at * seed + at / 31) % 17) as f32 / 8.0 - 1.0).collect::<Vec<f32>>());
    let [on_q, on_k, on_v] = [&q, &k, &v].map(|values| simulator.upload_f16(values));
    let out = simulator.upload_f16(&vec![0.0; size]);
    let strides = [Arg::I32((context * dim) as i32), Arg::I32(dim as i32)];
    let mut args = vec![Arg::Buffer(&on_q, 0), Arg::Buffer(&on_k, 0), Arg::Buffer(&on_v, 0), Arg::Buffer(&out, 0)];
    args.push(Arg::F32(0.125 * std::f32::consts::LOG2_E));
    (0..4).for_each(|_| args.extend(strides));
    args.push(Arg::I32(context as i32));
    simulator.entry("attention").launch([context.div_ceil(64) as u32, heads as u32, 1], &args).unwrap();
    for (at, got) in simulator.halves(&out).into_iter().enumerate() {
        let (first, row, column) = (at / (context * dim) * context, at / dim, at % dim);
        let score = |key: usize| (0..dim).map(|i| q[row * dim + i] * k[(first + key) * dim + i]).sum::<f32>() * 0.125;
        let weights: Vec<f32> = (0..context).map(|key| score(key).exp()).collect();
        let sum: f32 = (0..context).map(|key| weights[key] * v[(first + key) * dim + column]).sum();
        let expected = sum / weights.iter().sum::<f32>();
        assert!((got - expected).abs() < 0.005, "{at}: {got} and {expected}");
    }
}

/// Sums of few small integers, which f16 holds.
fn multiplies(simulator: &OnSimulator, [m, n, k]: [usize; 3]) {
    let (a, b) = (numbers(m * k), numbers(k * n));
    let (on_a, on_b, on_c) =
        (simulator.upload_f16(&a), simulator.upload_f16(&b), simulator.upload_f16(&vec![0.0; m * n]));
    let mut args = vec![Arg::Buffer(&on_a, 0), Arg::Buffer(&on_b, 0), Arg::Buffer(&on_c, 0)];
    args.extend([m, n, k, k, n, n].map(|number| Arg::I32(number as i32)));
    let grid = [(m.div_ceil(64) * n.div_ceil(64)) as u32, 1, 1];
    simulator.entry("matmul").launch(grid, &args).unwrap();
    let expected = |at: usize| (0..k).map(|i| a[at / n * k + i] * b[i * n + at % n]).sum::<f32>();
    assert_eq!(simulator.halves(&on_c), (0..m * n).map(expected).collect::<Vec<f32>>(), "{m} {n} {k}");
}
