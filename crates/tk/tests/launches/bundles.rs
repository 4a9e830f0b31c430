//! Kernels that come from a bundle instead of the compiler.

use super::{Log, SCALE, floats, gpu};
use std::sync::Arc;
use tk::runtime::{AtRunTime, Bundle, Stream};
use tk::{ArgSpec, CompileOptions, GpuKernel, Kernel, SourceFile, Target, Unit, Until, args};
use tk_image::{BundleEntry, Constant, Variant};

/// A bundle with `scale` for one signature, as `tk build` makes it.
fn bundle(text: &str, signature: &str, at_run_time: AtRunTime) -> Arc<Bundle> {
    let module = tk::parse(&SourceFile::new("elsewhere.tk", text)).unwrap_or_else(|_| panic!("it parses"));
    let specs: Vec<ArgSpec> = tk::read_signature(signature).unwrap();
    let constants = [tk::NamedConstant::new("BLOCK", 128.into())];
    let args = tk::bind_signature(&module, "scale", Some(&specs), &constants).unwrap_or_else(|_| panic!("it binds"));
    let (options, target) = (CompileOptions::default(), Target::parse("sm_80").unwrap());
    let unit = Unit {
        module: &module,
        kernel: "scale",
        args: &args,
        globals: &[],
        options: options.clone(),
        target,
        bounds: tk::Bounds::any(),
    };
    let compiled = tk::compile(&unit, Until::Ptx, &mut tk::Unwatched).unwrap_or_else(|_| panic!("it compiles"));
    let mut image = compiled.image.unwrap();
    // The stand-in knows machine code by its first bytes.
    image.cubin = (at_run_time == AtRunTime::Nothing).then(|| [b"\x7fELF", image.ptx.as_bytes()].concat());
    image.target = if at_run_time == AtRunTime::Nothing { "sm_90".into() } else { image.target };
    let entry = BundleEntry {
        name: "scale_f32".into(),
        kernel: "scale".into(),
        made_from: tk::made_from(&module, "scale", &options),
        constants: vec![Constant { name: "BLOCK".into(), value: "128".into() }],
        arguments: BundleEntry::arguments_of(&image),
        variants: vec![Variant { signature: signature.into(), images: vec![image] }],
    };
    let (name, compiler, tunings) = ("kernels".into(), String::new(), Vec::new());
    Arc::new(Bundle { name, compiler, at_run_time, entries: vec![entry], tunings })
}

fn with(bundle: &Arc<Bundle>, block: i32) -> GpuKernel {
    let kernel = Kernel::from_source("scale.tk", SCALE, "scale").unwrap();
    kernel.constant("BLOCK", block).bundle(bundle).on(&gpu()).unwrap()
}

/// What is in the bundle is launched, and what is not is compiled, or said where the bundle promises that nothing is.
pub(super) fn bundles(log: &Log) {
    let launch = |kernel: &GpuKernel, n: i64| {
        kernel.launch(Stream::DEFAULT, [1000, 1, 1], &args![floats(0x1000), floats(0x2000), n, 0.5])
    };
    let open = bundle(SCALE, "*fp32:16,*fp32:16,i32,fp32", AtRunTime::DriverMayCompile);
    let kernel = with(&open, 128);
    // A one is a run-time argument of the kernel in the bundle.
    for n in [1, 5, 64] {
        launch(&kernel, n).unwrap();
        assert!(log.last().ends_with(&format!(",{n:02x}000000,0000003f")), "{}", log.last());
    }
    assert!(kernel.take_remarks().printed.is_empty());
    let image = kernel.prepare([1, 1, 1], &args![floats(0x1000), floats(0x2000), 5, 0.5]).unwrap();
    assert_eq!(image.image().target, "sm_80", "it is that of the bundle, and not one for the GPU");
    let other = kernel.prepare([1, 1, 1], &args![floats(0x1004), floats(0x2000), 5, 0.5]).unwrap();
    assert_eq!(other.image().target, "sm_90a", "what is not there is compiled");

    let closed = bundle(SCALE, "*fp32:16,*fp32:16,i32:16,fp32", AtRunTime::Nothing);
    let kernel = with(&closed, 128);
    launch(&kernel, 32).unwrap();
    let machine_code = log.lines("load").pop();
    assert_eq!(machine_code.as_deref(), Some("load machine-code"));
    let error = launch(&kernel, 5).unwrap_err().to_string();
    for part in [
        "`scale` for `x: *fp32:16`, `y: *fp32:16`, `n: i32`, `factor: fp32` on sm_90a is not in the bundle `kernels`",
        "promises that nothing is compiled at run time",
        "the bundle has it for *fp32:16,*fp32:16,i32:16,fp32",
        "[[kernel]]",
        "kernel = \"scale\"",
        "signature = \"*fp32:16,*fp32:16,i32,fp32\"",
        "constexpr = { BLOCK = 128 }",
    ] {
        assert!(error.contains(part), "{part}\n{error}");
    }
    assert!(launch(&with(&closed, 64), 32).unwrap_err().to_string().contains("constexpr = { BLOCK = 64 }"));
    let changed = bundle(&SCALE.replace("* factor", "+ factor"), "*fp32:16,*fp32:16,i32:16,fp32", AtRunTime::Nothing);
    let error = launch(&with(&changed, 128), 32).unwrap_err().to_string();
    assert!(error.contains("made from another text or with other options"), "{error}");
    let kernel = with(&bundle(SCALE, "*fp32:16,*fp32:16,i32:16,fp32", AtRunTime::Nothing), 128);
    assert!(kernel.prepare([1, 1, 1], &args![floats(0x1000), floats(0x2000), 48, 0.5]).is_ok());
}
