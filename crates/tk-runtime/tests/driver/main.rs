//! What the driver is asked for when kernels are loaded and launched, with a stand-in for `libcuda` (`tests/fake-driver/libcuda.c`).
//!
//! The stand-in has to be found before the process starts, so this program builds it and starts itself again with it. It also counts
//! allocations: a warm launch has none.

mod helpers_unsafe;

use helpers_unsafe::{Counting, address, allocations, context_of_the_program, stream, taken};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use tk_image::{
    BundleEntry, GridLimit, ImageParam, LaunchLimits, MapEnd, NumberLimit, ParamKind, TensorMapSpec, Variant,
};
use tk_runtime::half::f16;
use tk_runtime::slices::{self, driver::CudaContext};
use tk_runtime::{
    Arg, AtRunTime, Bundle, Descriptor, DeviceAddress, Element, Error, Gpu, KernelImage, Memory, Pointer, Stream,
};
use tk_types::{Facts, ScalarType};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Says where a started process writes what the stand-in is asked for.
const LOG: &str = "FAKE_CUDA_LOG";

fn main() -> ExitCode {
    let Some(log) = std::env::var_os(LOG) else { return parent() };
    let log = Log(PathBuf::from(log));
    match std::env::args().nth(1).as_deref() {
        Some("launches") => launches(&log),
        Some("variants") => variants(&log),
        Some("loading") => loading(),
        Some("warm") => warm(),
        Some("slices") => on_slices(&log),
        Some("contexts") => contexts(&log),
        _ => return ExitCode::FAILURE,
    }
    ExitCode::SUCCESS
}

/// Builds the stand-in and runs each part of the test with it.
fn parent() -> ExitCode {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fake-driver/libcuda.c");
    let library = folder.path().join("libcuda.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror"]).arg(&source).arg("-o").arg(&library);
    assert!(compiler.status().expect("cc runs").success(), "the stand-in for the driver does not compile");
    let mut failed = 0;
    for (part, launches_are_logged) in
        [("launches", "1"), ("variants", "1"), ("loading", "1"), ("warm", "0"), ("slices", "1"), ("contexts", "1")]
    {
        let status = Command::new(std::env::current_exe().expect("this program"))
            .arg(part)
            .env("LD_LIBRARY_PATH", folder.path())
            .env(LOG, folder.path().join(format!("{part}.log")))
            .env("FAKE_CUDA_LOG_LAUNCHES", launches_are_logged)
            .env("FAKE_CUDA_LOG_FREES", if part == "contexts" { "1" } else { "0" })
            .status()
            .expect("this program runs");
        println!("test {part} ... {}", if status.success() { "ok" } else { "FAILED" });
        failed += u32::from(!status.success());
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What the stand-in was asked for.
struct Log(PathBuf);

impl Log {
    fn lines(&self) -> Vec<String> {
        std::fs::read_to_string(&self.0).unwrap_or_default().lines().map(String::from).collect()
    }

    fn frees(&self) -> usize {
        self.lines().iter().filter(|line| *line == "free").count()
    }

    fn last(&self) -> String {
        self.lines().pop().unwrap_or_default()
    }
}

const HEADER: &str = ".version 8.0\n.target sm_90a\n.address_size 64\n";

/// A kernel that takes a pointer, a number and a float.
fn scale() -> KernelImage {
    let body = ".visible .entry scale(.param .u64 .ptr .global .align 16 x, .param .u32 n, .param .f32 f)\n{ ret; }\n";
    KernelImage {
        entry: "scale".into(),
        ptx: format!("{HEADER}{body}"),
        cubin: None,
        params: vec![
            ImageParam::pointer("x", Some(ScalarType::F32)),
            ImageParam::scalar("n", ScalarType::I32),
            ImageParam::scalar("f", ScalarType::F32),
        ],
        num_warps: 4,
        num_ctas: 1,
        shared_bytes: 0,
        global_scratch_bytes: 0,
        target: "sm_90a".into(),
        resources: Default::default(),
        limits: Default::default(),
    }
}

/// A kernel that takes a descriptor, and a map of a pointer, and has scratch memory.
fn copy() -> KernelImage {
    let body = ".visible .entry copy(.param .align 64 .b8 d[128], .param .u32 d0, .param .u32 d1, .param .u64 d2, \
                .param .u64 d3, .param .u64 p, .param .u32 s, .param .align 64 .b8 m[128], .param .u64 scratch)\n{ ret; }\n";
    let map = |block: Vec<u32>, swizzle_bytes| TensorMapSpec {
        element: ScalarType::F16,
        block,
        swizzle_bytes,
        pad_nan: swizzle_bytes == 128,
    };
    let extents = [ScalarType::I32, ScalarType::I32, ScalarType::I64, ScalarType::I64];
    let mut params = vec![ImageParam::new("d", ParamKind::TensorMap(map(vec![32, 64], 128)))];
    params.extend(extents.map(|ty| ImageParam::scalar("d", ty)));
    params.push(ImageParam::pointer("p", Some(ScalarType::F16)));
    params.push(ImageParam::scalar("s", ScalarType::I32));
    let (rows, columns) = (MapEnd::Nowhere, MapEnd::Parameter(6));
    let kind = ParamKind::MapOfPointer { map: map(vec![16, 8], 0), base: 5, stride: 6, rows, columns };
    params.push(ImageParam::new("p", kind));
    let (num_ctas, shared_bytes) = (2, 100_000);
    let (ptx, entry, global_scratch_bytes) = (format!("{HEADER}{body}"), "copy".into(), 256);
    KernelImage { entry, ptx, params, num_ctas, shared_bytes, global_scratch_bytes, ..scale() }
}

fn gpu() -> Arc<Gpu> {
    Gpu::open(0).expect("the GPU of the stand-in")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn launches(log: &Log) {
    let gpu = gpu();
    assert_eq!(gpu.info().shared_bytes_per_cta, 232_448);
    let kernel = gpu.load(&scale()).expect("a kernel");
    kernel.launch(Some(stream(0x5)), [7, 2, 1], &[Arg::Address(address(0x1230)), Arg::I32(-2), Arg::F64(0.5)]).unwrap();
    let params = "3012000000000000,feffffff,0000003f";
    let expected = format!("launch entry=scale grid=7,2,1 block=128,1,1 cluster=1 shared=0 stream=0x5 params={params}");
    assert_eq!(log.last(), expected);

    let before = log.lines().len();
    kernel.launch(None, [0, 2, 1], &[Arg::Address(address(0)), Arg::I32(0), Arg::F32(0.0)]).unwrap();
    assert_eq!(log.lines().len(), before, "an empty grid runs nothing");

    let kernel = gpu.load(&copy()).expect("a kernel");
    assert_eq!(log.last(), "attribute entry=copy 8=100000", "shared memory beyond the usual is asked for");
    let scratch = kernel.reserve_scratch(None, [3, 1, 1]).unwrap();
    assert!(scratch != 0);
    let descriptor =
        Descriptor { address: address(0x200), element: ScalarType::F16, shape: &[50, 100], strides: &[104, 1] };
    let args = [Arg::Descriptor(descriptor), Arg::Address(address(0x400)), Arg::I32(64)];
    kernel.launch(None, [3, 1, 1], &args).unwrap();
    let lines = log.lines();
    let [.., of_descriptor, of_pointer, launch] = lines.as_slice() else { panic!("{lines:?}") };
    let expected = "map type=6 rank=2 address=0x200 sizes=100,50 strides=208 box=64,32 swizzle=3 fill=1";
    assert_eq!(of_descriptor, expected);
    let expected = "map type=6 rank=2 address=0x400 sizes=64,2147483647 strides=128 box=8,16 swizzle=0 fill=0";
    assert_eq!(of_pointer, expected);
    let map = "ab".repeat(128);
    let rest = "32000000,64000000,6800000000000000,0100000000000000,0004000000000000,40000000";
    let scratch = hex(&scratch.to_le_bytes());
    let params = format!("{map},{rest},{map},{scratch}");
    assert!(
        launch.ends_with(&format!("grid=6,1,1 block=128,1,1 cluster=2 shared=100000 stream=(nil) params={params}"))
    );

    let graph =
        gpu.capture(&mut || kernel.launch(None, [3, 1, 1], &args).expect("a captured launch")).expect("a graph");
    graph.replay().unwrap();
    let lines = log.lines();
    let [.., capture, _, _, launch, replay] = lines.as_slice() else { panic!("{lines:?}") };
    assert_eq!(capture, "capture");
    assert!(launch.contains("stream=0x57"), "the launch went to the stream that is captured: {launch}");
    assert_eq!(replay, "replay stream=(nil)");
    gpu.wait_for(stream(0x5), stream(0x7)).unwrap();
    assert_eq!(log.last(), "wait stream=0x5 for=0x7");
    gpu.wait_for(Stream::DEFAULT, stream(0x7)).unwrap();
    assert_eq!(log.last(), "wait stream=0x0 for=0x7");
    memory(&gpu);
    refused(&gpu);
}

fn memory(gpu: &Arc<Gpu>) {
    let memory: Memory = gpu.allocate(8).expect("memory");
    memory.write(&[1, 2, 3]).unwrap();
    let mut bytes = [0; 3];
    memory.read(&mut bytes).unwrap();
    assert_eq!(bytes, [1, 2, 3]);
    assert_eq!(memory.write(&[0; 9]), Err(Error::OutsideMemory { bytes: 9, size: 8 }));
}

fn refused(gpu: &Arc<Gpu>) {
    let kernel = gpu.load(&scale()).unwrap();
    let launch = |args: &[Arg<'_>]| kernel.launch(None, [1, 1, 1], args).unwrap_err().to_string();
    let pointer = Arg::Address(address(0x10));
    assert_eq!(launch(&[pointer]), "`scale` takes 3 run-time arguments, but the launch gives 1");
    let error = launch(&[Arg::I32(1), Arg::I32(1), Arg::F32(0.0)]);
    assert!(error.contains("argument `x`: the kernel takes a pointer, not a number"), "{error}");
    let error = launch(&[pointer, Arg::I64(1 << 40), Arg::F32(0.0)]);
    assert!(error.contains("argument `n`: 1099511627776 does not fit i32"), "{error}");
    let error = kernel.launch(None, [1, 70_000, 1], &[pointer, Arg::I32(1), Arg::F32(0.0)]).unwrap_err();
    assert!(error.to_string().contains("70000 programs along axis 1, where a GPU takes at most 65535"), "{error}");
}

fn bundle(images: Vec<KernelImage>, at_run_time: AtRunTime) -> Bundle {
    let arguments = BundleEntry::arguments_of(&images[0]);
    let variant =
        |image: KernelImage| Variant { signature: format!("{:?}", image.params[1].facts), images: vec![image] };
    let entry = BundleEntry {
        name: "scale_f32".into(),
        kernel: "scale".into(),
        made_from: String::new(),
        constants: Vec::new(),
        arguments,
        variants: images.into_iter().map(variant).collect(),
    };
    Bundle { name: "kernels".into(), compiler: String::new(), at_run_time, entries: vec![entry], tunings: Vec::new() }
}

/// `scale` for numbers and grids of a kind, under another name.
fn special(entry: &str, multiple: u32, limits: LaunchLimits) -> KernelImage {
    let mut image = KernelImage { entry: entry.into(), ptx: scale().ptx.replace("scale", entry), limits, ..scale() };
    image.params[1].facts = Facts { multiple_of: multiple, is_positive: false };
    image
}

fn variants(log: &Log) {
    let gpu = gpu();
    let small = LaunchLimits {
        numbers: vec![NumberLimit { param: 1, low: 0, high: 1000 }],
        grid: [Some(GridLimit { high: 132 }), None, None],
    };
    let images = vec![special("small16", 16, small), special("any16", 16, LaunchLimits::default())];
    let bundle = Bundle::from_bytes(&bundle(images, AtRunTime::DriverMayCompile).to_bytes()).expect("a bundle");
    let entry = gpu.load_entry(&bundle, "scale_f32").expect("an entry");
    let launch = |n: i32, programs: u32| {
        entry.launch(Stream::DEFAULT, [programs, 1, 1], &[Arg::Address(address(0)), Arg::I32(n), Arg::F32(1.0)])
    };
    for (n, programs, expected) in [(160, 132, "small16"), (1600, 1, "any16"), (160, 133, "any16")] {
        launch(n, programs).unwrap();
        assert!(log.last().starts_with(&format!("launch entry={expected} ")), "{n} {programs}: {}", log.last());
    }
    let error = launch(17, 1).unwrap_err().to_string();
    assert!(error.starts_with("nothing was compiled for this launch of `scale_f32`: "), "{error}");
    assert!(error.contains("compiled for a multiple of 16, and 17 is none"), "{error}");
    let error = gpu.load_entry(&bundle, "scale").unwrap_err().to_string();
    assert_eq!(error, "the bundle has no kernel `scale`; it has scale_f32");
    assert_eq!(Gpu::open(9).err(), Some(Error::NoSuchGpu { ordinal: 9, count: 2 }));
}

/// Two GPUs of one process, a context of the program, and memory that goes through another library.
fn contexts(log: &Log) {
    let launch = |gpu: &Arc<Gpu>, memory: DeviceAddress| {
        let kernel = gpu.load(&scale()).unwrap();
        let args = [Arg::Address(memory), Arg::I32(160), Arg::F32(1.0)];
        kernel.launch(Some(stream(0x9)), [1, 1, 1], &args).unwrap();
        log.last()
    };
    let (first, second) = (gpu(), Gpu::open(1).unwrap());
    assert!(!launch(&first, address(0x10)).contains("context="), "{}", log.last());
    assert!(launch(&second, address(0x10)).contains(" context=1 ") && log.last().contains("stream=0x9"));
    assert!(!launch(&first, address(0x10)).contains("context="));
    let own = context_of_the_program(1, 17);
    assert!(launch(&own, address(0x10)).contains(" context=17 "), "{}", log.last());
    assert_eq!(own.info().ordinal, Some(1));
    drop(own);
    assert!(launch(&second, address(0x10)).contains(" context=1 "));

    assert_eq!([&first, &second].map(|gpu| gpu.free_bytes().unwrap() >> 30), [1, 2]);
    let (from, to) = (first.allocate(6).unwrap(), second.allocate(4).unwrap());
    from.write(&[1, 2, 3, 4, 5, 6]).unwrap();
    second.copy_from(&first, from.address(), to.address(), 4).unwrap();
    let mut bytes = [0; 4];
    to.read(&mut bytes).unwrap();
    assert_eq!(bytes, [1, 2, 3, 4]);

    let memory = second.allocate(4 * 6 * 2).unwrap();
    let place = memory.address();
    assert!(second.allocate(8).unwrap().into_dlpack(ScalarType::F32, &[3]).is_err());
    let tensor = taken(memory.into_dlpack(ScalarType::F16, &[4, 6]).unwrap());
    assert_eq!((tensor.ordinal(), tensor.shape(), tensor.strides()), (1, &[4, 6][..], &[6, 1][..]));
    assert_eq!(tensor.pointer::<f16>().unwrap().address(), place);
    assert!(tensor.pointer::<f32>().is_err());
    launch(&second, tensor.address());
    let frees = log.frees();
    drop(tensor);
    assert_eq!(log.frees(), frees + 1, "the memory is freed once, when the library gives it back");
}

/// Which code a GPU of compute capability 9.0 gets.
fn loading() {
    let gpu = gpu();
    let machine_code = |target: &str| {
        let cubin = Some(format!("\u{7f}ELF{}", scale().ptx).into_bytes());
        KernelImage { cubin, target: target.into(), ..scale() }
    };
    let ptx = |target: &str| KernelImage { target: target.into(), ..scale() };
    let target_of = |images: Vec<KernelImage>, at_run_time| {
        let mut bundle = bundle(vec![images[0].clone()], at_run_time);
        bundle.entries[0].variants[0].images = images;
        let entry = gpu.load_entry(&bundle, "scale_f32")?;
        let target = entry.kernels().next().map(|kernel| kernel.image().target.clone());
        Ok::<_, Error>(target.unwrap_or_default())
    };
    let (may, nothing) = (AtRunTime::DriverMayCompile, AtRunTime::Nothing);
    let both = || vec![machine_code("sm_80"), machine_code("sm_90a")];
    assert_eq!(target_of(both(), may).unwrap(), "sm_90a");
    assert_eq!(target_of(both(), nothing).unwrap(), "sm_90a");
    assert_eq!(target_of(vec![ptx("sm_80"), ptx("sm_90a"), ptx("sm_100a")], may).unwrap(), "sm_90a");
    assert_eq!(target_of(vec![machine_code("sm_80"), ptx("sm_86")], may).unwrap(), "sm_86");
    let error = target_of(vec![machine_code("sm_80")], nothing).unwrap_err().to_string();
    assert!(error.contains("was compiled for sm_80, and this GPU has compute capability 9.0"), "{error}");
    assert!(error.contains("promises that nothing is compiled at run time"), "{error}");
    let error = target_of(vec![ptx("sm_100a")], may).unwrap_err().to_string();
    assert!(error.contains("compiled for sm_100a") && !error.contains("promises"), "{error}");
    let refused = |image: KernelImage| gpu.load(&image).unwrap_err();
    assert!(matches!(refused(KernelImage { shared_bytes: 1 << 20, ..scale() }), Error::SharedMemory { .. }));
    assert!(matches!(refused(KernelImage { num_warps: 64, ..scale() }), Error::Image(_)));
    // Machine code with other parameters than the PTX beside it says.
    let other = scale().ptx.replace(".param .u32 n", ".param .u64 n");
    let lying = KernelImage { cubin: Some(format!("\u{7f}ELF{other}").into_bytes()), ..scale() };
    let error = refused(lying).to_string();
    assert!(error.contains("parameter 1 of the code has 8 bytes, and 4 in the image"), "{error}");
    let other = scale().ptx.replace(".param .u32 n", ".param .u32 n, .param .u32 m");
    let lying = KernelImage { cubin: Some(format!("\u{7f}ELF{other}").into_bytes()), ..scale() };
    let error = refused(lying).to_string();
    assert!(error.contains("the code has more than the 3 parameters of the image"), "{error}");
    let bogus = KernelImage { ptx: scale().ptx.replace("ret", "bogus"), ..scale() };
    let error = refused(bogus);
    assert!(matches!(error, Error::Driver { doing: "load the kernel", .. }), "{error}");
}

/// A warm launch allocates nothing, also when it is the second variant that fits.
fn warm() {
    let gpu = gpu();
    let images = vec![special("aligned", 16, LaunchLimits::default()), special("any", 1, LaunchLimits::default())];
    let entry = gpu.load_entry(&bundle(images, AtRunTime::DriverMayCompile), "scale_f32").unwrap();
    let with_maps = gpu.load(&KernelImage { global_scratch_bytes: 0, ..copy() }).unwrap();
    let run = |n: i32| {
        let pointer = Pointer::<f32>::new(address(0x1230)).arg();
        entry.launch(Stream::DEFAULT, [7, 1, 1], &[pointer, Arg::I32(n), Arg::F64(0.5)]).unwrap();
        let descriptor =
            Descriptor { address: address(0x200), element: ScalarType::F16, shape: &[50, 100], strides: &[104, 1] };
        let args = [Arg::Descriptor(descriptor), Arg::Address(address(0x400)), Arg::I32(64)];
        if n != 0 {
            with_maps.launch(None, [1, 1, 1], &args).unwrap();
        }
    };
    [16, 17].into_iter().for_each(run);
    // Tensor maps are written to the log, which the stand-in allocates by itself and this allocator does not see.
    let before = allocations();
    for _ in 0..100 {
        [16, 17].into_iter().for_each(run);
    }
    assert_eq!(allocations() - before, 0, "allocations of 400 warm launches");
    let strings: Vec<String> = (0..3).map(|n| n.to_string()).collect();
    assert!(allocations() > before, "the allocator counts: {strings:?}");
}

/// Slices and streams of cudarc's.
fn on_slices(log: &Log) {
    let context = CudaContext::new(0).expect("the context of cudarc");
    let own = context.default_stream();
    let mut values = own.clone_htod(&[1.0f32, 2.0]).expect("a slice");
    let kernel = Gpu::open(context.ordinal()).unwrap().load(&scale()).unwrap();
    let raw = {
        let written = slices::write(&mut values, &own);
        let pointer: Pointer<f32> = written.pointer();
        kernel.launch(Some(slices::stream(&own)), [1, 1, 1], &[pointer.arg(), Arg::I32(2), Arg::F32(1.0)]).unwrap();
        pointer.address().raw()
    };
    assert!(
        raw != 0 && log.last().contains(&format!("params={},02000000,", hex(&raw.to_le_bytes()))),
        "{}",
        log.last()
    );
    assert_eq!(slices::read(&values, &own).pointer().address().raw(), raw);
    assert_eq!(<f32 as Element>::TYPE, ScalarType::F32);
}
