//! Any form can be the start: dumps compile on to the same PTX, edited forms run in the place of kernels, and what does not fit is said.

use std::path::{Path, PathBuf};
use tk_tests::{Outcome, root, run_tk};

/// A folder of this test's own in the temporary folder.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("tk-forms-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the temporary folder can be written");
    path
}

fn tk(words: &[&str]) -> Outcome {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    run_tk(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What a folder holds, by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder is there").filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// The dump of the last step that has this name.
fn dump(folder: &Path, step: &str) -> PathBuf {
    let is_it = |path: &&PathBuf| {
        path.file_stem()
            .is_some_and(|stem| stem.to_string_lossy().split_once('-').is_some_and(|(_, name)| name == step))
    };
    entries(folder).iter().rfind(is_it).unwrap_or_else(|| panic!("no dump of {step} in {}", folder.display())).clone()
}

/// Runs a program with dumps, which go to a folder for each specialisation.
fn dumps(name: &str, file: &str) -> PathBuf {
    let folder = folder(name);
    let outcome = tk(&["run", file, "--device", "sim", "--dump-dir", &folder.display().to_string()]);
    assert_eq!(outcome.exit, 0, "{}", outcome.text);
    folder
}

/// Every dump of these programs but the checked kernel's is a start, and gives the PTX of the program.
fn every_dump_gives_the_same_ptx(name: &str) {
    let folder = dumps(name, &format!("examples/{name}.tk"));
    for kernel in entries(&folder) {
        let whole = text(&dump(&kernel, "ptx"));
        let (_, ptx) = whole.split_once('\n').expect("the first line says where the PTX comes from");
        let forms: Vec<PathBuf> = entries(&kernel)
            .into_iter()
            .filter(|path| path.extension().is_some_and(|ending| ending != "txt"))
            .collect();
        assert!(forms.len() > 50, "{} dumps in {}", forms.len(), kernel.display());
        for form in forms {
            let outcome = tk(&["compile", &form.display().to_string()]);
            assert_eq!(outcome.exit, 0, "{}: {}", form.display(), outcome.text);
            assert!(outcome.text == ptx, "{} gives other PTX", form.display());
        }
    }
    std::fs::remove_dir_all(folder).expect("the dumps are still there");
}

#[test]
fn every_dump_of_matmul_gives_the_same_ptx() {
    every_dump_gives_the_same_ptx("matmul");
}

#[test]
fn every_dump_of_attention_gives_the_same_ptx() {
    every_dump_gives_the_same_ptx("attention");
}

#[test]
fn every_dump_of_softmax_gives_the_same_ptx() {
    every_dump_gives_the_same_ptx("softmax");
}

/// `tk opt --from --to` is the part of the pipeline between two dumps.
#[test]
fn a_part_of_the_pipeline_gives_the_dump_at_its_end() {
    let folder = dumps("part", "examples/matmul.tk");
    let kernel = folder.join("matmul_kernel");
    let start = dump(&kernel, "convert-to-ttg").display().to_string();
    let outcome = tk(&["opt", &start, "--from", "coalesce", "--to", "accelerate-matmul", "--locations"]);
    assert_eq!(outcome.exit, 0, "{}", outcome.text);
    assert!(outcome.text.contains("#ttg.nvidia_mma") && outcome.text.contains("after = \"accelerate-matmul\""));
    let part = folder.join("part.mlir");
    std::fs::write(&part, &outcome.text).expect("the folder can be written");
    let ptx = tk(&["compile", &part.display().to_string()]);
    assert!(text(&dump(&kernel, "ptx")).ends_with(&ptx.text), "{}", ptx.text);
    let going_on = tk(&["opt", &start, "--to", "accelerate-matmul", "--locations"]);
    assert_eq!(going_on, outcome, "without --from it goes on from where it is");
    let backwards = tk(&["opt", &start, "--from", "pipeline", "--to", "coalesce"]);
    assert!(backwards.exit == 1 && backwards.text.contains("`coalesce` of --to runs before"), "{}", backwards.text);
    let earlier = tk(&["compile", &start, "--emit", "tt"]);
    assert!(earlier.exit == 1 && earlier.text.contains("is ttg IR already"), "{}", earlier.text);
    let other = tk(&["compile", &start, "--num-warps", "2"]);
    assert!(other.exit == 1 && other.text.contains("layouts are for 8 warps, not 2"), "{}", other.text);
    std::fs::remove_dir_all(folder).expect("the dumps are still there");
}

const TWO: &str = "import torch\nimport triton\nimport triton.language as tl\n\n\n@triton.jit\ndef twice(x_ptr, y_ptr, n, BLOCK: tl.constexpr):\n    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n    x = tl.load(x_ptr + at, mask=at < n)\n    tl.store(y_ptr + at, x + x, mask=at < n)\n\n\ndef main():\n    for kind in [torch.float32, torch.float16]:\n        x = torch.ones((64,), device='cuda', dtype=kind)\n        y = torch.zeros((64,), device='cuda', dtype=kind)\n        twice[(1,)](x, y, 64, BLOCK=64)\n        print(y[0].item())\n";

fn program(folder: &Path, text: &str) -> String {
    let path = folder.join("program.tk");
    std::fs::write(&path, text).expect("the folder can be written");
    path.display().to_string()
}

#[test]
fn each_specialisation_has_a_folder() {
    let own = folder("specialisations");
    let dumps = dumps("specialisations-dumps", &program(&own, TWO));
    let names: Vec<String> = entries(&dumps)
        .iter()
        .map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names, ["twice", "twice-2"]);
    assert!(text(&dump(&dumps.join("twice"), "coalesce")).contains("*fp32:16"));
    assert!(text(&dump(&dumps.join("twice-2"), "coalesce")).contains("*fp16:16"));
}

/// An edited form of each language computes something else in the same program.
#[test]
fn edited_forms_run_in_the_place_of_kernels() {
    let one = TWO.replace("[torch.float32, torch.float16]", "[torch.float32]");
    let own = folder("override");
    let file = program(&own, &one);
    let dumps = dumps("override-dumps", &file).join("twice");
    for (step, from, to) in [
        ("lower", "arith.addf", "arith.mulf"),
        ("hoist-loads", "arith.addf", "arith.mulf"),
        ("llvm", "fadd", "fmul"),
        ("ptx", "add.rn.f32", "mul.rn.f32"),
    ] {
        let path = dump(&dumps, step);
        let form = text(&path);
        let edited = own.join(path.file_name().unwrap_or_default());
        let changed = form.replace(from, to);
        assert!(step == "ptx" || changed != form, "{step} has no {from}");
        // Some releases of LLVM leave the rounding away.
        std::fs::write(&edited, changed.replace("add.f32", "mul.f32")).expect("the folder can be written");
        let option = format!("twice={}", edited.display());
        let outcome = tk(&["run", &file, "--device", "sim", "--override", &option]);
        assert!(outcome.exit == 0 && outcome.text.starts_with("1.0\n"), "{step}: {}", outcome.text);
    }
    let plain = tk(&["run", &file, "--device", "sim"]);
    assert!(plain.text.starts_with("2.0\n"), "{}", plain.text);
}

#[test]
fn forms_that_do_not_fit_are_refused() {
    let own = folder("misfits");
    let file = program(&own, TWO);
    let dumps = dumps("misfits-dumps", &file).join("twice");
    let refused = |option: String, what: &str| {
        let outcome = tk(&["run", &file, "--device", "sim", "--override", &option]);
        assert!(outcome.exit == 1 && outcome.text.contains(what), "{}", outcome.text);
    };
    let first = dump(&dumps, "coalesce");
    refused(
        format!("twice={}", first.display()),
        "parameter 1 is a pointer to fp32, and the launch passes `x_ptr`, a pointer to fp16",
    );
    refused(format!("twise={}", first.display()), "error[usage]");
    refused("twice".to_string(), "write KERNEL=FILE");
    let fewer = own.join("fewer.ptx");
    std::fs::write(
        &fewer,
        ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry twice(.param .u64 p)\n{\n\tret;\n}\n",
    )
    .expect("the folder can be written");
    refused(format!("twice={}", fewer.display()), "its parameters have [8] bytes, and the launch passes [8, 8, 4]");
}

/// Where the dumps of Triton are, and what launches them.
const DUMPS: &str = "crates/tk-ir/tests/data";
const LAUNCHES: &str = "tests/forms/triton.tk";

/// A launch of `tests/forms/triton.tk`, its kernel, and the dump of it.
const TRITON: [(&str, &str, &str); 9] = [
    ("add", "add_kernel", "add_kernel"),
    ("softmax", "softmax_kernel", "softmax_kernel"),
    ("layer_norm", "_layer_norm_fwd_fused", "_layer_norm_fwd_fused"),
    ("matmul_fp8", "matmul_kernel", "matmul_kernel"),
    ("matmul_fp16", "matmul_kernel", "matmul_kernel_2"),
    ("matmul_persistent", "matmul_kernel_persistent", "matmul_kernel_persistent"),
    ("matmul_tma", "matmul_kernel_tma", "matmul_kernel_tma"),
    ("matmul_tma_persistent", "matmul_kernel_tma_persistent", "matmul_kernel_tma_persistent"),
    ("attention", "_attn_fwd", "_attn_fwd"),
];

/// Every ttir and ttgir computes what its kernel should. One of them asks for more shared memory than any of these GPUs has, and gets fewer
/// buffers: Triton made it and could not launch it.
#[test]
fn dumps_of_triton_agree_with_references() {
    for (which, kernel, file) in TRITON {
        let define = format!("which='{which}'");
        let plain = tk(&["run", LAUNCHES, "-D", &define, "--device", "sim"]);
        assert!(plain.exit == 1, "{which} agrees without a dump: {}", plain.text);
        for ending in ["ttir", "ttgir"] {
            let option = format!("{kernel}={DUMPS}/triton-3.6/{file}.{ending}");
            let outcome = tk(&["run", LAUNCHES, "-D", &define, "--device", "sim", "--override", &option]);
            let agrees = outcome.text.starts_with(&format!("{which} agrees with the reference\n"));
            assert!(outcome.exit == 0 && agrees, "{option}: {}", outcome.text);
        }
    }
}

/// Buffers that do not fit are fewer, and somebody is told. Copies that cannot be shown to be those of an earlier iteration stay.
#[test]
fn loops_of_text_get_fewer_buffers() {
    let file = format!("{DUMPS}/triton-3.6/matmul_kernel_2.ttgir");
    let outcome = tk(&["compile", &file, "--emit", "ttg"]);
    let parts = [
        "warning[fewer-stages]: the loops have 2 stages, since with more of them the kernel needs 327680 bytes",
        "memdesc<2x256x128xf16",
    ];
    assert!(outcome.exit == 0 && parts.iter().all(|part| outcome.text.contains(part)), "{}", outcome.text);
    assert!(!outcome.text.contains("memdesc<4x"), "{}", outcome.text);
    for (from, to) in [
        ("tt.addptr %a_ptrs_58, %cst_2", "tt.addptr %a_ptrs_29, %cst_2"),
        ("arith.subi %K, %c256_i32", "arith.subi %K, %c4_i32"),
        ("arith.cmpi sgt, %6, %c2_i32", "arith.cmpi sge, %6, %c2_i32"),
        ("{num = 4 : i32}", "{num = 3 : i32}"),
    ] {
        let outcome = compile_changed("matmul_kernel_2.ttgir", from, to);
        let error = "error[too-much-shared-memory]: the kernel needs 327680 bytes";
        assert!(outcome.exit == 1 && outcome.text.contains(error), "{to}: {}", outcome.text);
    }
}

/// tt IR that says nothing of tk: what its module and its loops say counts, and then what the command line says.
#[test]
fn attributes_of_text_count() {
    const PRODUCT: &str = "tests/forms/product.ttir";
    let compile = |module: &str, of_loop: &str, words: &[&str]| {
        let whole = text(&root().join(PRODUCT));
        let changed = whole.replace("module {", module).replace("} loc(\"stages\")", of_loop);
        let path = folder("attributes").join("product.ttir");
        std::fs::write(&path, changed).expect("the folder can be written");
        let file = path.display().to_string();
        let outcome = tk(&[&["compile", &file], words].concat());
        assert_eq!(outcome.exit, 0, "{}", outcome.text);
        outcome.text
    };
    let rings = |stages: u32| format!("memdesc<{stages}x64x32xf16");
    let own = "} {tt.num_stages = 4 : i32}";
    assert!(compile("module {", "}", &["--emit", "ttg"]).contains(&rings(3)));
    assert!(compile("module {", own, &["--emit", "ttg"]).contains(&rings(4)));
    assert!(compile("module {", "}", &["--emit", "ttg", "--num-stages", "2"]).contains(&rings(2)));
    // 16 buffers of 8 KiB fit into the shared memory of one GPU, and not into that of another.
    let many =
        |target: &str| compile("module {", "} {tt.num_stages = 16 : i32}", &["--emit", "ttg", "--target", target]);
    assert!(many("sm_90a").contains(&rings(16)));
    let few = many("sm_89");
    assert!(few.contains("warning[fewer-stages]") && !few.contains(&rings(16)), "{few}");
    let module = "module attributes {\"ttg.num-warps\" = 8 : i32, ttg.target = \"cuda:80\"} {";
    assert!(compile("module {", "}", &[]).contains(".reqntid 128"));
    let ptx = compile(module, "}", &[]);
    assert!(ptx.contains(".reqntid 256") && ptx.contains(".target sm_80"), "{ptx}");
}

#[test]
fn dumps_of_a_later_triton_compile() {
    let files = entries(&root().join(DUMPS).join("triton-3.9"));
    assert!(files.len() >= 26, "{} dumps", files.len());
    for file in files {
        let outcome = tk(&["compile", &file.display().to_string()]);
        assert!(outcome.exit == 0 && outcome.text.contains(".visible .entry"), "{}: {}", file.display(), outcome.text);
    }
}

/// Compiles a dump of Triton of which something is changed.
fn compile_changed(file: &str, from: &str, to: &str) -> Outcome {
    let whole = text(&root().join(DUMPS).join("triton-3.6").join(file));
    assert!(whole.contains(from), "{file} has no `{from}`");
    let path = folder("changed").join(file);
    std::fs::write(&path, whole.replacen(from, to, 1)).expect("the folder can be written");
    tk(&["compile", &path.display().to_string()])
}

#[test]
fn what_tk_cannot_do_is_refused_at_its_place() {
    let outcome = compile_changed("add_kernel.ttgir", "arith.addf %x_4, %y_6", "math.tan %x_4");
    let line = text(&root().join(DUMPS).join("triton-3.6/add_kernel.ttgir"));
    let line = line.lines().position(|line| line.contains("arith.addf")).unwrap_or_default() + 1;
    let expected = ["`math.tan` cannot be compiled: tk has no equivalent of it", &format!("add_kernel.ttgir:{line}:")];
    assert!(outcome.exit == 1 && expected.iter().all(|part| outcome.text.contains(part)), "{}", outcome.text);
    // One group of warps would wait for ever for what it does itself later.
    let outcome =
        compile_changed("_attn_fwd.ttgir", "ttng.wait_barrier %44, %c1_i32", "ttng.wait_barrier %44, %c0_i32");
    let expected = ["`ttng.wait_barrier` cannot be compiled", "nothing arrives at this mbarrier before the wait"];
    assert!(outcome.exit == 1 && expected.iter().all(|part| outcome.text.contains(part)), "{}", outcome.text);
    let outcome = compile_changed("_attn_fwd.ttgir", "to %N_CTX_2 step %c32_i32_13", "to %Z_1 step %c32_i32_13");
    assert!(outcome.exit == 1 && outcome.text.contains("have different bounds"), "{}", outcome.text);
}

#[test]
fn unknown_steps_are_errors() {
    for words in [
        &["compile", "examples/vector_add.tk", "--signature", "*fp32", "--print-after", "coalesec"][..],
        &["opt", "tests/suite/opt/softmax-from-triton.mlir", "--from", "coalesec"],
        &["opt", "tests/suite/opt/softmax-from-triton.mlir", "--to", "coalesec"],
        &["run", "examples/vector_add.tk", "--device", "sim", "--print-after", "coalesec"],
    ] {
        let outcome = tk(words);
        assert!(outcome.exit == 1 && outcome.text.contains("did you mean `coalesce`?"), "{}", outcome.text);
    }
}

/// Runs a command that is refused with these words.
#[track_caller]
fn is_refused(words: &[&str], parts: &[&str]) {
    let outcome = tk(words);
    assert!(outcome.exit == 1 && parts.iter().all(|part| outcome.text.contains(part)), "{words:?}: {}", outcome.text);
    assert_eq!(outcome.text.matches("error[").count(), 1, "{words:?}: {}", outcome.text);
}

#[test]
fn forms_and_programs_are_told_apart() {
    let own = folder("kinds");
    let mlir = format!("{DUMPS}/triton-3.6/add_kernel.ttgir");
    let (ll, ptx) = (own.join("add.ll").display().to_string(), own.join("add.ptx").display().to_string());
    for (form, file) in [("llvm", &ll), ("ptx", &ptx)] {
        assert_eq!(tk(&["compile", &mlir, "--emit", form, "-o", file]).exit, 0);
    }
    for (file, language) in [(&mlir, "is MLIR"), (&ll, "is LLVM IR"), (&ptx, "is PTX")] {
        for command in ["run", "test", "check", "explain", "tune", "bench"] {
            is_refused(&[command, file], &["error[usage]", language, "and no program", "--override KERNEL=FILE"]);
        }
    }
    is_refused(&["sim", &mlir], &["is MLIR, and the simulator runs PTX", "`tk compile FILE`"]);
    is_refused(&["sim", "examples/vector_add.tk"], &["is a program, and the simulator runs PTX", "`tk run FILE"]);
    is_refused(&["opt", &ptx], &["is PTX, and passes work on MLIR"]);
    is_refused(&["opt", "examples/vector_add.tk"], &["is a program, and passes work on MLIR", "--emit tt"]);
    for (file, option) in [(&ptx, "--num-warps=8"), (&ptx, "--target=sm_80"), (&ll, "--num-stages=2")] {
        is_refused(&["compile", file, option], &["error[usage]", "comes too late"]);
    }
    assert!(tk(&["compile", &ll, "--target", "sm_80"]).text.contains(".target sm_80"));
}

#[test]
fn empty_and_damaged_forms_are_refused() {
    let own = folder("damaged");
    let of = |name: &str, text: &str| {
        let path = own.join(name);
        std::fs::write(&path, text).expect("the folder can be written");
        path.display().to_string()
    };
    is_refused(&["compile", &of("empty.ttgir", " \n")], &["the file is empty"]);
    is_refused(&["compile", &of("none.mlir", "module {\n}\n")], &["the module has no kernel"]);
    is_refused(&["compile", &of("empty.ptx", "")], &["a PTX file starts with `.version`"]);
    is_refused(&["compile", &of("words.ptx", "hello\n")], &["error[bad-ptx]"]);
    is_refused(&["compile", &of("words.ll", "hello\n")], &["error[bad-ir]", "words.ll:1:1"]);
}

#[test]
fn parts_of_the_pipeline_that_run_backwards_are_refused() {
    let file = format!("{DUMPS}/triton-3.6/add_kernel.ttgir");
    let refused = |words: &[&str], part: &str| is_refused(&[&["opt", &file][..], words].concat(), &[part]);
    refused(&["--from", "pipeline", "--to", "coalesce"], "`coalesce` of --to runs before `pipeline` of --from");
    refused(&["--to", "convert-to-ttg"], "`convert-to-ttg` has run already");
    refused(&["--from", "test-print-axis-info"], "the pipeline has no pass `test-print-axis-info`");
}

/// What is known of the code that is replaced is not told of the code in its place.
#[test]
fn machine_code_in_the_place_of_a_kernel_has_no_reasons() {
    let own = folder("reasons");
    let file = program(&own, &TWO.replace("[torch.float32, torch.float16]", "[torch.float32]"));
    let dumps = dumps("reasons-dumps", &file).join("twice");
    let ptx = own.join("code.ptx");
    let text = text(&dump(&dumps, "ptx"));
    let (_, code) = text.split_once('\n').expect("the first line says where the PTX comes from");
    std::fs::write(&ptx, code).expect("the folder can be written");
    let plain = tk(&["run", &file, "--device", "sim"]);
    assert!(plain.text.contains("most live here"), "{}", plain.text);
    let replaced = tk(&["run", &file, "--device", "sim", "--override", &format!("twice={}", ptx.display())]);
    assert!(replaced.exit == 0 && !replaced.text.contains("most live here"), "{}", replaced.text);
    let count = |text: &str| {
        text.split(" PTX instructions").next().and_then(|head| head.rsplit(' ').next()).map(str::to_string)
    };
    assert_eq!(count(&plain.text), count(&replaced.text));
}
