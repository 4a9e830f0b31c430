//! Valid inputs to begin with: the examples, generated kernels of every family, the cases of the passes.

use std::path::{Path, PathBuf};
use tk_cases::file::Kernel;

/// A valid input and the arguments that `tk` takes before and after its file.
#[derive(Clone, Debug)]
pub(crate) struct Seed {
    pub(crate) text: String,
    pub(crate) arguments: Vec<String>,
    /// Files that belong with it, by their paths: the input is one of them, and `$FILE` is the first.
    pub(crate) files: Vec<(PathBuf, String)>,
    /// Which of the files it is.
    pub(crate) place: usize,
}

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
}

/// A program and the files that it imports, each of which is the one to change.
pub(crate) fn packages() -> Vec<Seed> {
    let folder = root().join("tests/language");
    let mut paths = vec![folder.join("imports.tk"), folder.join("importing_plain.py")];
    files(&folder.join("importing"), "py", &mut paths);
    let file =
        |path: &PathBuf| Some((path.strip_prefix(&folder).ok()?.to_path_buf(), std::fs::read_to_string(path).ok()?));
    let all: Vec<(PathBuf, String)> = paths.iter().filter_map(file).collect();
    let arguments = ["check", "$FILE"].map(String::from).to_vec();
    let seed =
        |place: usize| Seed { text: all[place].1.clone(), arguments: arguments.clone(), files: all.clone(), place };
    (0..all.len()).map(seed).collect()
}

/// Whole `.tk` files; only the parser sees them, because no kernel has this name.
pub(crate) fn sources() -> Vec<Seed> {
    let mut paths = Vec::new();
    files(&root().join("examples"), "tk", &mut paths);
    files(&root().join("tests/language"), "tk", &mut paths);
    let seed = |path: PathBuf| {
        let text = std::fs::read_to_string(path).ok()?;
        Some(Seed {
            text,
            arguments: ["compile", "$FILE", "--kernel", "no_such_kernel"].map(String::from).to_vec(),
            files: Vec::new(),
            place: 0,
        })
    };
    paths.into_iter().filter_map(seed).collect()
}

const MATMUL: &str = "*fp16:16,*fp16:16,*fp16:16,i32:16,i32:16,i32:16,i32:16,i32=1,i32:16,i32=1,i32:16,i32=1";
const TILES: &str = "BLOCK_SIZE_M=64,BLOCK_SIZE_N=64,BLOCK_SIZE_K=32,GROUP_SIZE_M=8";

/// Kernels with their signatures: generated ones of every family, and the matmul of the examples.
pub(crate) fn kernels() -> Result<Vec<Seed>, String> {
    let mut seeds = Vec::new();
    for file in tk_cases::files()? {
        // A few of each file are enough: they differ in types and sizes only.
        let step = file.kernels.len().div_ceil(8);
        let functions: Vec<&str> = file.kernels.iter().map(|kernel| kernel.functions.as_str()).collect();
        let functions = functions.join("\n\n");
        seeds.extend(file.kernels.iter().step_by(step).map(|kernel| seed(kernel, &functions)));
    }
    let matmul = std::fs::read_to_string(root().join("examples/matmul.tk")).map_err(|e| e.to_string())?;
    let words = ["compile", "$FILE", "--kernel", "matmul_kernel_grouped", "--signature", MATMUL, "--constexpr", TILES];
    let arguments: Vec<String> = words.map(String::from).to_vec();
    seeds.extend(std::iter::repeat_n(Seed { text: matmul, arguments, files: Vec::new(), place: 0 }, 8));
    Ok(seeds)
}

/// A kernel with the functions of its file.
fn seed(kernel: &Kernel, functions: &str) -> Seed {
    let kernel = &Kernel { functions: functions.to_string(), ..kernel.clone() };
    let words = ["compile", "$FILE", "--kernel", &kernel.name, "--signature", &kernel.signature(), "--num-warps"];
    let mut arguments: Vec<String> = words.map(String::from).to_vec();
    arguments.push(kernel.warps.to_string());
    for constant in kernel.constants() {
        arguments.extend(["--constexpr".into(), constant]);
    }
    Seed { text: kernel.source(), arguments, files: Vec::new(), place: 0 }
}

/// Textual IR with the pass of its folder.
pub(crate) fn modules() -> Vec<Seed> {
    let mut paths = Vec::new();
    files(&root().join("passes/tests/cases"), "mlir", &mut paths);
    files(&root().join("tests/suite/opt"), "mlir", &mut paths);
    let seed = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).ok()?;
        let folder = path.parent()?.file_name()?.to_str()?.to_string();
        let pass = if ["kernels", "opt"].contains(&folder.as_str()) { "coalesce".to_string() } else { folder };
        let passes = format!("canonicalize,{pass}");
        Some(Seed {
            text,
            arguments: vec!["opt".into(), "$FILE".into(), "--passes".into(), passes],
            files: Vec::new(),
            place: 0,
        })
    };
    paths.into_iter().filter_map(seed).collect()
}

/// Dumps of tk and of Triton with this ending, to be compiled on.
pub(crate) fn forms(ending: &str) -> Result<Vec<Seed>, String> {
    let mut paths = Vec::new();
    if ending == "mlir" {
        for ending in ["ttir", "ttgir"] {
            files(&root().join("crates/tk-ir/tests/data"), ending, &mut paths);
        }
    }
    let dumps = std::env::temp_dir().join(format!("tk-fuzz-forms-{}", std::process::id()));
    let folder = dumps.display().to_string();
    for program in ["matmul", "attention", "softmax"] {
        let file = root().join(format!("examples/{program}.tk")).display().to_string();
        let arguments = ["run", &file, "--device", "sim", "--dump-dir", &folder].map(String::from);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        if tk_cli::run(&arguments, &mut out, &mut err) != 0 {
            return Err(String::from_utf8_lossy(&err).into_owned());
        }
    }
    files(&dumps, ending, &mut paths);
    let arguments = ["compile", "$FILE"].map(String::from).to_vec();
    let seed = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).ok()?;
        Some(Seed { text, arguments: arguments.clone(), files: Vec::new(), place: 0 })
    };
    let seeds = paths.iter().filter_map(seed).collect();
    std::fs::remove_dir_all(&dumps).map_err(|e| e.to_string())?;
    Ok(seeds)
}

/// PTX of every kernel, with a buffer for every parameter.
pub(crate) fn programs() -> Result<Vec<Seed>, String> {
    let path = std::env::temp_dir().join(format!("tk-fuzz-seed-{}.tk", std::process::id()));
    let mut seeds = Vec::new();
    // Compiling takes longer than simulating, so a part of them must do; which part depends on the process.
    for kernel in kernels()?.into_iter().skip(std::process::id() as usize % 7).step_by(7) {
        std::fs::write(&path, &kernel.text).map_err(|e| e.to_string())?;
        let file = path.display().to_string();
        let arguments: Vec<String> = kernel.arguments.iter().map(|word| word.replace("$FILE", &file)).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        if tk_cli::run(&arguments, &mut out, &mut err) != 0 {
            return Err(format!("a seed does not compile: {}", String::from_utf8_lossy(&err)));
        }
        let text = String::from_utf8_lossy(&out).into_owned();
        let parameters = text.matches(".param ").count();
        let mut arguments: Vec<String> = vec!["sim".into(), "$FILE".into()];
        for _ in 0..parameters {
            arguments.extend(["--arg".into(), "f32[4096]=random".into()]);
        }
        seeds.push(Seed { text, arguments, files: Vec::new(), place: 0 });
    }
    std::fs::remove_file(&path).map_err(|e| e.to_string())?;
    Ok(seeds)
}

/// A bundle as bytes, with parameters of many kinds.
pub(crate) fn bundle() -> Vec<u8> {
    use tk_image::{
        AtRunTime, Bundle, BundleEntry, ImageParam, KernelImage, MapEnd, ParamKind, TensorMapSpec, Variant,
    };
    use tk_types::ScalarType;
    let map = TensorMapSpec { element: ScalarType::F16, block: vec![64, 64], swizzle_bytes: 128, pad_nan: true };
    let extents = [ScalarType::I32, ScalarType::I32, ScalarType::I64, ScalarType::I64];
    let mut params = vec![ImageParam::new("d", ParamKind::TensorMap(map.clone()))];
    params.extend(extents.map(|ty| ImageParam::scalar("d", ty)));
    params.push(ImageParam::pointer("p", Some(ScalarType::F16)));
    params.push(ImageParam::scalar("n", ScalarType::I32));
    let (rows, columns) = (MapEnd::Parameter(6), MapEnd::At(64));
    params.push(ImageParam::new("p", ParamKind::MapOfPointer { map, base: 5, stride: 6, rows, columns }));
    let ptx = ".entry k(.param .align 64 .b8 d[128], .param .u32 a, .param .u32 b, .param .u64 c, .param .u64 e, .param .u64 p, \
               .param .u32 n, .param .align 64 .b8 m[128])\n{ ret; }";
    let image = KernelImage {
        entry: "k".into(),
        ptx: ptx.into(),
        cubin: Some(vec![127, 69, 76, 70]),
        params,
        num_warps: 4,
        num_ctas: 1,
        shared_bytes: 1024,
        global_scratch_bytes: 0,
        target: "sm_90a".into(),
        resources: Default::default(),
        limits: Default::default(),
    };
    let arguments = BundleEntry::arguments_of(&image);
    let variants = vec![Variant { signature: "a signature".into(), images: vec![image] }];
    let entry = BundleEntry {
        name: "k".into(),
        kernel: "k".into(),
        made_from: String::new(),
        constants: Vec::new(),
        arguments,
        variants,
    };
    let (name, compiler) = ("kernels".into(), "tk".into());
    Bundle { name, compiler, at_run_time: AtRunTime::Nothing, entries: vec![entry], tunings: Vec::new() }.to_bytes()
}
