//! A softmax over the rows of candle's tensors as a `CustomOp1`. On a GPU (feature `cuda`) it works on candle's memory and stream; on
//! the processor the same bundle runs on tk's simulator, which finds accesses outside of the tensor.

mod kernels {
    #![allow(dead_code, unused_imports, reason = "on the processor only the bundle is used")]
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

use candle_core::{CpuStorage, CustomOp1, Device, Error, Layout, Result, Shape, Tensor};
use tk_launch::{Arg, DeviceChoice};

/// The most columns of a row: a program keeps a row in registers.
const BLOCK: usize = 1024;

/// Softmax over the last of two dimensions.
struct Softmax;

/// The rows and columns of what comes.
struct Rows {
    count: usize,
    columns: usize,
    start: usize,
}

fn message(error: impl std::fmt::Display) -> Error {
    Error::Msg(error.to_string())
}

fn rows(layout: &Layout) -> Result<Rows> {
    let (count, columns) = layout.shape().dims2()?;
    if columns > BLOCK || count * columns > i32::MAX as usize {
        return Err(message(format!("rows of {columns} elements; the kernel takes {BLOCK} at most")));
    }
    let (start, _) = layout.contiguous_offsets().ok_or_else(|| message("the tensor is not contiguous"))?;
    Ok(Rows { count, columns, start })
}

impl CustomOp1 for Softmax {
    fn name(&self) -> &'static str {
        "tk-softmax"
    }

    /// On the simulator.
    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let Rows { count, columns, start } = rows(layout)?;
        let CpuStorage::F32(values) = storage else { return Err(message("the kernel takes f32")) };
        let bytes: Vec<u8> = values[start..start + count * columns].iter().flat_map(|value| value.to_le_bytes()).collect();
        let device = tk_launch::Device::open(DeviceChoice::Sim).map_err(message)?;
        let bundle = kernels::bundle().map_err(message)?;
        let entry = bundle.entry("softmax").ok_or_else(|| message("the bundle has no softmax"))?;
        let kernel = device.load_entry(entry).map_err(message)?;
        let (from, to) = (device.upload(&bytes).map_err(message)?, device.upload(&vec![0; bytes.len()]).map_err(message)?);
        let number = |value: usize| Arg::I32(value as i32);
        let args = [Arg::Buffer(&to, 0), Arg::Buffer(&from, 0), number(columns), number(columns), number(count), number(columns)];
        kernel.launch([count as u32, 1, 1], &args).map_err(message)?;
        let out = device.download(&to).map_err(message)?;
        let out = out.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
        Ok((CpuStorage::F32(out), layout.shape().clone()))
    }

    /// On candle's GPU, stream and memory.
    #[cfg(feature = "cuda")]
    fn cuda_fwd(&self, storage: &candle_core::CudaStorage, layout: &Layout) -> Result<(candle_core::CudaStorage, Shape)> {
        use candle_core::backend::BackendStorage;
        use candle_core::cuda_backend::CudaStorage;
        use kernels::{Softmax as Kernel, SoftmaxArgs};
        use tk_runtime::slices;

        let Rows { count, columns, start } = rows(layout)?;
        let device = storage.device().clone();
        let stream = device.cuda_stream();
        let gpu = tk_runtime::Gpu::open(stream.context().ordinal()).map_err(message)?;
        // A program with many launches keeps the kernel.
        let kernel = Kernel::load(&gpu, &kernels::bundle().map_err(message)?).map_err(message)?;
        let values = storage.as_cuda_slice::<f32>()?.slice(start..start + count * columns);
        let mut out = device.alloc_zeros::<f32>(count * columns)?;
        {
            let (from, to) = (slices::read(&values, &stream), slices::write(&mut out, &stream));
            let args = SoftmaxArgs {
                output_ptr: to.pointer(),
                input_ptr: from.pointer(),
                input_row_stride: columns as i32,
                output_row_stride: columns as i32,
                n_rows: count as i32,
                n_cols: columns as i32,
            };
            kernel.launch(slices::stream(&stream), [count as u32, 1, 1], &args).map_err(message)?;
        }
        Ok((CudaStorage::wrap_cuda_slice(out, device), layout.shape().clone()))
    }
}

fn main() -> Result<()> {
    let device = if cfg!(feature = "cuda") { Device::new_cuda(0)? } else { Device::Cpu };
    for (count, columns) in [(5, 96), (3, 1000), (2, 1024), (1, 1)] {
        let x = Tensor::randn(0f32, 2f32, (count, columns), &device)?;
        let got = x.apply_op1_no_bwd(&Softmax)?;
        let exp = x.broadcast_sub(&x.max_keepdim(1)?)?.exp()?;
        let expected = exp.broadcast_div(&exp.sum_keepdim(1)?)?;
        let worst = (got - expected)?.abs()?.max_all()?.to_scalar::<f32>()?;
        println!("softmax of {count} rows of {columns}: largest difference {worst:e}");
        if !(worst < 1e-5) {
            return Err(message("that is not the softmax of candle"));
        }
    }
    let wide = Tensor::zeros((1, 2000), candle_core::DType::F32, &device)?;
    let refused = wide.apply_op1_no_bwd(&Softmax).err().ok_or_else(|| message("rows that are too long were taken"))?;
    println!("refused: {refused}");
    Ok(())
}
