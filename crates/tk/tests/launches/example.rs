//! The programs of `docs/rust.md`. The tests run them with a stand-in for the driver.

use tk::runtime::{Gpu, Pointer, Stream, slices};
use tk::{Kernel, Specialisation, args};

const TEXT: &str = "
import triton
import triton.language as tl

@triton.jit
def scale(x, y, n, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(y + at, tl.load(x + at, mask=inside) * factor, mask=inside)
";

/// From the text to a launch, with memory of the runtime.
pub(crate) fn from_source() -> Result<(), tk::Error> {
    let gpu = Gpu::open(0)?;
    let scale = Kernel::from_source("scale.tk", TEXT, "scale")?.constant("BLOCK", 256).on(&gpu)?;

    let (x, y) = (gpu.allocate(4 * 1000)?, gpu.allocate(4 * 1000)?);
    let (from, to) = (Pointer::<f32>::new(x.address()), Pointer::<f32>::new(y.address()));
    scale.launch(Stream::DEFAULT, [4, 1, 1], &args![from, to, 1000, 2.5])?;
    gpu.synchronise()?;
    Ok(())
}

/// A kernel of a file, on slices and a stream of cudarc's.
pub(crate) fn from_file(path: &str) -> Result<(), Box<dyn std::error::Error>> {
    let context = slices::driver::CudaContext::new(0)?;
    let stream = context.default_stream();
    let (x, y) = (stream.clone_htod(&[1.0f32; 1000])?, stream.clone_htod(&[2.0f32; 1000])?);
    let mut sum = stream.alloc_zeros::<f32>(1000)?;

    let gpu = Gpu::open(context.ordinal())?;
    let add = Kernel::from_file(path, "add_kernel")?.constant("BLOCK_SIZE", 256).on(&gpu)?;
    let (left, right) = (slices::read(&x, &stream), slices::read(&y, &stream));
    let out = slices::write(&mut sum, &stream);
    let arguments = args![left.pointer(), right.pointer(), out.pointer(), 1000];
    add.launch(slices::stream(&stream), [4, 1, 1], &arguments)?;
    Ok(())
}

/// What launches may be compiled for.
pub(crate) fn controlled() -> Result<(), tk::Error> {
    let gpu = Gpu::open(0)?;
    let listed = ["*fp32:16,*fp32:16,i32:16,fp32", "*fp32,*fp32,i32,fp32"];
    let scale = Kernel::from_source("scale.tk", TEXT, "scale")?.constant("BLOCK", 256);
    let (few, less) = (scale.clone().signatures(&listed)?, scale.specialise("n", Specialisation::Nothing));

    let memory = gpu.allocate(4 * 1000)?;
    let x = Pointer::<f32>::new(memory.address());
    for (kernel, kinds) in [(few.on(&gpu)?, 2), (less.on(&gpu)?, 1)] {
        for n in [1, 17, 160, 999] {
            kernel.launch(Stream::DEFAULT, [4, 1, 1], &args![x, x, n, 2.5])?;
        }
        assert_eq!(kernel.compiled(), kinds);
    }
    Ok(())
}

/// A launch in a graph: compiled before the capture begins.
pub(crate) fn captured() -> Result<(), tk::Error> {
    let gpu = Gpu::open(0)?;
    let scale = Kernel::from_source("scale.tk", TEXT, "scale")?.constant("BLOCK", 256).on(&gpu)?;
    let memory = gpu.allocate(4 * 1024)?;
    let x = Pointer::<f32>::new(memory.address());
    let arguments = args![x, x, 1024, 0.5];

    scale.prepare([4, 1, 1], &arguments)?;
    let mut launched = Ok(());
    let graph = gpu.capture_on_stream(&mut |stream| launched = scale.launch(stream, [4, 1, 1], &arguments))?;
    launched?;
    graph.replay()?;
    Ok(())
}
