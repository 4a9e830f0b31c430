//! The same launches on the simulator and, where there is one, on the GPU.
//!
//! Without a GPU the CUDA half says so and is left out; `TK_REQUIRE_GPU=1` makes that a failure, `TK_SKIP_SIM=1` leaves
//! the simulator out.

#[allow(dead_code, unreachable_pub, reason = "each test program uses some of them")]
mod kernels;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;
use tk_image::{KernelImage, ParamKind};
use tk_launch::{Arg, BenchMode, BenchSettings, Device, DeviceChoice, SampleSettings, find_ptxas, list_gpus};
use tk_target::ComputeCapability;
use tk_types::{CompileOptions, ScalarType};

/// Every device this machine can open.
fn devices() -> Vec<Device> {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| value == "1");
    let mut devices = Vec::new();
    if !is_set("TK_SKIP_SIM") {
        devices.push(Device::open(DeviceChoice::Sim).unwrap());
    }
    match Device::open(DeviceChoice::Cuda) {
        Ok(gpu) => devices.push(gpu),
        Err(error) => {
            assert!(!is_set("TK_REQUIRE_GPU"), "TK_REQUIRE_GPU=1, but {error}");
            println!("no GPU: cuda tests not run");
        }
    }
    devices
}

fn gpu() -> Option<Device> {
    devices().into_iter().find(|device| !device.is_simulator())
}

fn floats(count: usize, seed: u64) -> Vec<f32> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(|_| random.random_range(-8.0..8.0)).collect()
}

fn bytes_of(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

#[test]
fn a_kernel_with_hidden_parameters_adds() {
    for device in devices() {
        let kernel = device.load(&kernels::add()).unwrap();
        for count in [1usize, 127, 128, 1000] {
            let (a, b) = (floats(count, 1), floats(count, 2));
            let (x, y) = (device.upload(&bytes_of(&a)).unwrap(), device.upload(&bytes_of(&b)).unwrap());
            let out = device.allocate(count * 4).unwrap();
            let grid = [count.div_ceil(128) as u32, 1, 1];
            let args = [Arg::Buffer(&x, 0), Arg::Buffer(&y, 0), Arg::Buffer(&out, 0), Arg::I32(count as i32)];
            kernel.launch(grid, &args).unwrap();
            device.synchronise().unwrap();
            let expected: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
            assert_eq!(device.download(&out).unwrap(), bytes_of(&expected), "{count} on {device:?}");
        }
    }
}

#[test]
fn an_offset_starts_inside_a_buffer() {
    for device in devices() {
        let kernel = device.load(&kernels::add()).unwrap();
        let values = floats(256, 3);
        let x = device.upload(&bytes_of(&values)).unwrap();
        let out = device.upload(&[0; 1024]).unwrap();
        let args = [Arg::Buffer(&x, 512), Arg::Buffer(&x, 0), Arg::Buffer(&out, 256), Arg::I32(64)];
        kernel.launch([1, 1, 1], &args).unwrap();
        let mut expected = vec![0.0f32; 256];
        for i in 0..64 {
            expected[64 + i] = values[128 + i] + values[i];
        }
        assert_eq!(device.download(&out).unwrap(), bytes_of(&expected), "{device:?}");
    }
}

#[test]
fn scalars_of_every_width_arrive() {
    for device in devices() {
        let (image, types) = kernels::scalars();
        let kernel = device.load(&image).unwrap();
        let out = device.upload(&[0; 64]).unwrap();
        let args = [
            Arg::Buffer(&out, 0),
            Arg::I32(-2),
            Arg::I32(-300),
            Arg::I64(-70_000),
            Arg::I64(-(1 << 40)),
            Arg::Scalar(ScalarType::U32, 0xdead_beef),
            Arg::F64(1.5),
            Arg::F32(-0.1),
            Arg::F64(0.1),
        ];
        kernel.launch([1, 1, 1], &args).unwrap();
        let bytes = device.download(&out).unwrap();
        let expected: [u64; 8] = [
            0xfe,
            0xfed4,
            0xfffe_ee90,
            0xffff_ff00_0000_0000,
            0xdead_beef,
            0x3e00,
            (-0.1f32).to_bits().into(),
            0.1f64.to_bits(),
        ];
        for (i, (slot, expected)) in bytes.chunks_exact(8).zip(expected).enumerate() {
            assert_eq!(u64::from_le_bytes(slot.try_into().unwrap()), expected, "{} on {device:?}", types[i]);
        }
    }
}

#[test]
fn dynamic_shared_memory_reaches_the_opt_in_limit() {
    for device in devices() {
        let limit = device.info().shared_bytes_per_cta;
        for shared_bytes in [512, 48 * 1024, 100 * 1024, limit] {
            let kernel = device.load(&kernels::mirror(shared_bytes)).unwrap();
            let out = device.allocate(512).unwrap();
            kernel.launch([1, 1, 1], &[Arg::Buffer(&out, 0)]).unwrap();
            let expected: Vec<u32> = (0..128).rev().collect();
            assert_eq!(words_of(&device.download(&out).unwrap()), expected, "{shared_bytes} on {device:?}");
        }
        let mut image = kernels::mirror(limit + 16);
        image.resources.shared_buffers = vec![("a tile".into(), 0, limit + 16)];
        let error = device.load(&image).unwrap_err();
        assert_eq!(error.code.slug, "too-much-shared-memory");
        assert!(error.notes[0].contains("a tile"), "{:?}", error.notes);
    }
}

#[test]
fn programs_have_three_coordinates() {
    for device in devices() {
        let kernel = device.load(&kernels::program_ids()).unwrap();
        let out = device.allocate(24 * 4).unwrap();
        kernel.launch([2, 3, 4], &[Arg::Buffer(&out, 0)]).unwrap();
        let expected: Vec<u32> = (0..24).map(|i| 100 * (i / 12) + 10 * (i / 4 % 3) + i % 4).collect();
        assert_eq!(words_of(&device.download(&out).unwrap()), expected, "{device:?}");
    }
}

#[test]
fn an_empty_grid_runs_nothing() {
    for device in devices() {
        let kernel = device.load(&kernels::program_ids()).unwrap();
        let out = device.upload(&[7; 4]).unwrap();
        for grid in [[0, 1, 1], [1, 0, 1], [5, 5, 0]] {
            kernel.launch(grid, &[Arg::Buffer(&out, 0)]).unwrap();
        }
        assert_eq!(device.download(&out).unwrap(), [7; 4]);
    }
}

#[test]
fn bad_launches_are_refused() {
    for device in devices() {
        let kernel = device.load(&kernels::program_ids()).unwrap();
        let out = device.allocate(16).unwrap();
        let other = Device::open(DeviceChoice::Sim).unwrap();
        let foreign = other.allocate(16).unwrap();
        let launches: [([u32; 3], &[Arg<'_>], &str); 7] = [
            ([1, 65_536, 1], &[Arg::Buffer(&out, 0)], "65536 programs along axis 1"),
            ([1 << 31, 1, 1], &[Arg::Buffer(&out, 0)], "along axis 0"),
            ([1, 1, 1], &[], "takes 1 run-time arguments, but the launch gives 0"),
            ([1, 1, 1], &[Arg::Null, Arg::Null], "gives 2"),
            ([1, 1, 1], &[Arg::I32(3)], "takes a pointer, not a number"),
            ([1, 1, 1], &[Arg::Buffer(&out, 17)], "past the end"),
            ([1, 1, 1], &[Arg::Buffer(&foreign, 0)], "another device"),
        ];
        for (grid, args, expected) in launches {
            let error = kernel.launch(grid, args).unwrap_err();
            assert_eq!(error.code.slug, "bad-launch");
            assert!(error.message.contains(expected), "{}", error.message);
        }
        assert_eq!(device.download(&foreign).unwrap_err().code.slug, "bad-launch");
    }
}

#[test]
fn bad_images_are_refused() {
    for device in devices() {
        let good = kernels::add();
        let warps = KernelImage { num_warps: 33, ..good.clone() };
        assert!(device.load(&warps).unwrap_err().message.contains("33 warps"));
        let entry = KernelImage { entry: "absent".into(), ..good.clone() };
        assert!(device.load(&entry).unwrap_err().message.contains("no entry point `absent`"));
        let mut params = good.clone();
        params.params[3].kind = ParamKind::Scalar(ScalarType::I64);
        assert!(device.load(&params).unwrap_err().message.contains("8 bytes in the image and 4 in the PTX"));
        let no_scratch = KernelImage { global_scratch_bytes: 128, ..kernels::mirror(4096) };
        assert!(device.load(&no_scratch).unwrap_err().message.contains("no parameter for it"));
        let broken = KernelImage { ptx: good.ptx.replace("add.f32", "bogus.f32"), ..good.clone() };
        let outcome = device
            .load(&broken)
            .map(|kernel| kernel.launch([1, 1, 1], &[Arg::Null, Arg::Null, Arg::Null, Arg::I32(1)]));
        assert!(!matches!(outcome, Ok(Ok(_))), "an unknown instruction ran on {device:?}");
    }
}

#[test]
fn every_cta_has_scratch_memory() {
    for device in devices() {
        let kernel = device.load(&kernels::scratch()).unwrap();
        // The second launch needs more than the first, the third less.
        for ctas in [3u32, 300, 5] {
            let out = device.allocate(ctas as usize * 512).unwrap();
            kernel.launch([ctas, 1, 1], &[Arg::Buffer(&out, 0)]).unwrap();
            let bytes = device.download(&out).unwrap();
            for (index, word) in bytes.chunks_exact(4).enumerate() {
                let got = u32::from_le_bytes([word[0], word[1], word[2], word[3]]) as usize;
                assert_eq!(got, index / 128 * 128 + (index + 127) % 128, "{index} of {ctas} CTAs on {device:?}");
            }
        }
    }
}

#[test]
fn an_image_is_loaded_once() {
    for device in devices() {
        let start = std::time::Instant::now();
        let first = device.load(&kernels::mirror(4096)).unwrap();
        let once = start.elapsed();
        let start = std::time::Instant::now();
        for _ in 0..20 {
            device.load(&kernels::mirror(4096)).unwrap();
        }
        let again = start.elapsed() / 20;
        println!("{device:?}: first load {once:?}, next {again:?}");
        let changed = device.load(&KernelImage { shared_bytes: 8192, ..kernels::mirror(4096) }).unwrap();
        assert_eq!((first.image().shared_bytes, changed.image().shared_bytes), (4096, 8192));
    }
}

#[test]
fn memory_is_written_filled_and_poisoned() {
    for device in devices() {
        let buffer = device.upload(&[1, 2, 3, 4, 5]).unwrap();
        device.write(&buffer, 3, &[9, 8]).unwrap();
        assert_eq!(device.download(&buffer).unwrap(), [1, 2, 3, 9, 8]);
        assert!(device.write(&buffer, 4, &[0, 0]).is_err());
        device.fill(&buffer, 6).unwrap();
        assert_eq!(device.download(&buffer).unwrap(), [6; 5]);
        let empty = device.upload(&[]).unwrap();
        assert!(empty.is_empty() && device.download(&empty).unwrap().is_empty());
        assert_eq!(buffer.address() % 16, 0);
        if !device.is_simulator() {
            let poisoned = device.allocate(100).unwrap();
            assert_eq!(device.download(&poisoned).unwrap(), [0xff; 100]);
        }
    }
}

#[test]
fn timing_gives_plausible_figures() {
    for device in devices() {
        let kernel = device.load(&kernels::add()).unwrap();
        let bytes = if device.is_simulator() { 4096 } else { 64 << 20 };
        let (x, y, out) = (
            device.upload(&vec![0; bytes]).unwrap(),
            device.upload(&vec![0; bytes]).unwrap(),
            device.allocate(bytes).unwrap(),
        );
        let count = (bytes / 4) as i32;
        let args = [Arg::Buffer(&x, 0), Arg::Buffer(&y, 0), Arg::Buffer(&out, 0), Arg::I32(count)];
        for mode in [BenchMode::ColdCache, BenchMode::BackToBack] {
            let settings = BenchSettings { mode, ..BenchSettings::default() };
            let result = kernel.bench([count as u32 / 128, 1, 1], &args, &settings).unwrap();
            let gigabytes = 3.0 * bytes as f64 / result.median_ms() * 1e-6;
            println!("{} {mode:?}: {} ms, {gigabytes:.0} GB/s", device.info().name, result.median_ms());
            assert!(result.quantile_ms(0.0) > 0.0 && result.times_ms.is_sorted());
            assert_eq!(result.simulated, device.is_simulator());
            assert!(device.is_simulator() || (10.0..20_000.0).contains(&gigabytes));
        }
    }
}

/// Kernels that change their inputs need `prepare` before each run, untimed runs included.
#[test]
fn every_run_of_a_stretch_is_prepared() {
    for device in devices() {
        let kernel = device.load(&kernels::add()).unwrap();
        let buffers = [(); 3].map(|()| device.upload(&[0; 4096]).unwrap());
        let [x, y, out] = &buffers;
        let args = [Arg::Buffer(x, 0), Arg::Buffer(y, 0), Arg::Buffer(out, 0), Arg::I32(1024)];
        let mut pace = None;
        for at in 0..4 {
            let mode = if at < 2 { BenchMode::ColdCache } else { BenchMode::BackToBack };
            let settings = SampleSettings { mode, heat_ms: 1.0, measure_ms: 1.0, pace };
            let order = RefCell::new(Vec::new());
            let mut prepare = || {
                order.borrow_mut().push('p');
                Ok(())
            };
            let mut run = || {
                order.borrow_mut().push('r');
                kernel.launch([8, 1, 1], &args).map(|_| ())
            };
            let sample = device.sample(&settings, &mut prepare, &mut run).unwrap();
            assert!(sample.times_ms.iter().all(|ms| *ms > 0.0) && !sample.times_ms.is_empty());
            assert!(order.borrow().chunks(2).all(|pair| pair == ['p', 'r']), "{order:?}");
            // A graph is captured once and replayed.
            assert!(mode == BenchMode::BackToBack || order.borrow().len() / 2 >= sample.times_ms.len());
            pace = (at != 1).then_some(sample.pace);
        }
    }
}

#[test]
fn auto_always_finds_a_device() {
    let device = Device::open(DeviceChoice::Auto).unwrap();
    match list_gpus() {
        Ok(gpus) => assert_eq!(Some(device.info()), gpus.first()),
        Err(reason) => {
            assert!(device.is_simulator());
            assert_eq!(device.why_simulated().map(|why| &why.message), Some(&reason.message));
            println!("no GPU: {reason}");
        }
    }
}

#[test]
fn the_gpu_knows_registers_and_targets() {
    let Some(device) = gpu() else { return };
    println!("{:?}", device.info());
    let kernel = device.load(&kernels::add()).unwrap();
    assert!(kernel.registers().is_some_and(|registers| (4..=255).contains(&registers)));
    assert_eq!(kernel.spill_bytes(), Some(0));
    let elsewhere = KernelImage { target: "sm_120a".into(), ..kernels::add() };
    if device.info().compute_capability != Some(ComputeCapability::new(12, 0)) {
        assert!(device.load(&elsewhere).unwrap_err().message.contains("compiled for sm_120a"));
    }
    let broken = KernelImage { ptx: kernels::add().ptx.replace("add.f32", "bogus.f32"), ..kernels::add() };
    let error = device.load(&broken).unwrap_err();
    assert_eq!(error.code.slug, "bad-ptx");
    let label = &error.labels[0];
    assert!(label.file.as_ref().unwrap().slice(label.span).contains("bogus.f32"), "{error:?}");
}

#[test]
fn machine_code_of_ptxas_runs() {
    let (Some(device), Some(ptxas)) = (gpu(), find_ptxas()) else { return };
    let target = device.info().target().unwrap().to_string();
    let assembly = tk_launch::assemble(&ptxas, &kernels::add().ptx, &target, &CompileOptions::default()).unwrap();
    assert!(assembly.registers.is_some() && assembly.spill_bytes == Some(0));
    let kernel = device.load(&KernelImage { cubin: Some(assembly.cubin), target, ..kernels::add() }).unwrap();
    assert_eq!(kernel.registers(), assembly.registers);
    let x = device.upload(&bytes_of(&[1.0, 2.0])).unwrap();
    kernel.launch([1, 1, 1], &[Arg::Buffer(&x, 0), Arg::Buffer(&x, 0), Arg::Buffer(&x, 0), Arg::I32(2)]).unwrap();
    assert_eq!(device.download(&x).unwrap(), bytes_of(&[2.0, 4.0]));
}

#[test]
fn clusters_multiply_the_ctas() {
    let Some(device) = gpu() else { return };
    if device.info().compute_capability < Some(ComputeCapability::new(9, 0)) {
        return;
    }
    // Each CTA of a cluster of two adds one to its program's counter, found by the cluster's number.
    let body = "
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  mov.u32 %r0, %tid.x;
  setp.ne.u32 %p1, %r0, 0;
  @%p1 bra $done;
  ld.param.u64 %rd1, [p0];
  mov.u32 %r1, %clusterid.x;
  mov.u32 %r2, %cluster_ctarank;
  add.s32 %r2, %r2, 1;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  red.global.add.u32 [%rd3], %r2;
$done:";
    let ptx = kernels::module(&["u64"], body).replace("sm_80", "sm_90");
    let image = KernelImage { num_ctas: 2, target: "sm_90".into(), ..kernels::image(ptx, &[None]) };
    let out = device.upload(&[0; 12]).unwrap();
    device.load(&image).unwrap().launch([3, 1, 1], &[Arg::Buffer(&out, 0)]).unwrap();
    assert_eq!(words_of(&device.download(&out).unwrap()), [3, 3, 3]);
}

#[test]
fn ptxas_accepts_every_test_kernel() {
    let Some(ptxas) = find_ptxas() else {
        println!("no ptxas: assembly not run");
        return;
    };
    println!("{:?}", tk_launch::ptxas_version(&ptxas));
    for image in [kernels::add(), kernels::scalars().0, kernels::mirror(512), kernels::program_ids()] {
        let assembly = tk_launch::assemble(&ptxas, &image.ptx, "sm_90a", &CompileOptions::default()).unwrap();
        assert!(assembly.cubin.starts_with(b"\x7fELF") && assembly.registers.is_some());
    }
    let broken = kernels::add().ptx.replace("add.f32", "bogus.f32");
    let error = tk_launch::assemble(&ptxas, &broken, "sm_90a", &CompileOptions::default()).unwrap_err();
    assert!(error.labels[0].file.as_ref().unwrap().slice(error.labels[0].span).contains("bogus.f32"), "{error:?}");
}

#[test]
fn launches_cost_little() {
    fn shared_between_threads<T: Send + Sync>() {}
    shared_between_threads::<(Device, tk_launch::Kernel, tk_launch::Buffer)>();
    let Some(device) = gpu() else { return };
    let kernel = device.load(&kernels::add()).unwrap();
    let x = device.upload(&[0; 512]).unwrap();
    let args = [Arg::Buffer(&x, 0), Arg::Buffer(&x, 0), Arg::Buffer(&x, 0), Arg::I32(128)];
    let launches = 1000;
    let start = std::time::Instant::now();
    for _ in 0..launches {
        kernel.launch([1, 1, 1], &args).unwrap();
    }
    let queued = start.elapsed() / launches;
    device.synchronise().unwrap();
    println!("{queued:?} to queue a launch, {:?} with its run", start.elapsed() / launches);
    assert!(queued < std::time::Duration::from_micros(200), "a launch took {queued:?}");
}

#[test]
fn the_simulator_reports_and_names_what_it_ran() {
    let device = Device::open(DeviceChoice::Sim).unwrap();
    let kernel = device.load(&kernels::add()).unwrap();
    let x = device.upload(&bytes_of(&floats(256, 5))).unwrap();
    let out = device.allocate(1024).unwrap();
    let args = [Arg::Buffer(&x, 0), Arg::Buffer(&x, 0), Arg::Buffer(&out, 0), Arg::I32(256)];
    let report = kernel.launch([2, 1, 1], &args).unwrap().simulation.unwrap();
    // Eight warps load twice and store once: 128 bytes a time, in four sectors.
    let totals = report.memory.totals();
    assert_eq!((report.ctas, totals.requests, totals.sectors, totals.bytes), (2, 24, 96, 24 * 128));
    assert!(report.memory.to_string().contains("100"), "{}", report.memory);

    let overrun = kernel.launch([3, 1, 1], &[args[0], args[1], args[2], Arg::I32(300)]).unwrap_err();
    assert_eq!(overrun.code.slug, "out-of-bounds");
    assert!(format!("{overrun:?}").contains("p0"), "the message names the buffer: {overrun:?}");

    let unwritten = device.allocate(1024).unwrap();
    let reading = [Arg::Buffer(&unwritten, 0), args[1], args[2], args[3]];
    assert_eq!(kernel.launch([2, 1, 1], &reading).unwrap_err().code.slug, "uninitialised");
    let checks = tk_launch::SimChecks { uninitialised_global: false, ..Default::default() };
    device.set_sim_options(tk_launch::SimOptions { checks, ..Default::default() });
    kernel.launch([2, 1, 1], &reading).unwrap();
}
