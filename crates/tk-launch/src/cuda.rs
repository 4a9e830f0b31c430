//! A safe interface to the CUDA driver: contexts, memory, modules, launches and events.
//!
//! This is the only file that names cudarc, and it uses cudarc's raw driver calls rather than its safe layer because
//! tk needs what that layer hides: the JIT's logs, function attributes and cluster launches. The driver library is opened
//! at run time, so tk builds and starts on machines that have never seen CUDA; [`CudaContext::open`] then says so.
//!
//! Everything here works on the legacy default stream of the device's primary context, in the order of the calls. Launches go to the
//! stream that the caller names, and while [`CudaContext::capture`] records a graph to the one that is captured.
//! A launch returns before the kernel has run; a fault inside it shows at the next call that waits.
#![allow(unsafe_code, reason = "the CUDA driver is a C library")]

use crate::argument::Slot;
use crate::assembly::{AssemblyLog, log_text, ptx_diagnostic};
use crate::descriptor::{MapBytes, TensorMap, tensor_element};
use crate::fault::{Fault, no_entry, no_room, no_such_gpu, no_tensor_map, no_tensor_maps, too_many_registers};
use crate::info::DeviceInfo;
use crate::kernel::CudaLaunch;
use crate::stream_unsafe::Stream;
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute, CUfunction_attribute as FunctionAttribute, CUresult};
use std::ffi::{CStr, CString, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use tk_diag::{BAD_LAUNCH, DEVICE, Diagnostic, Result};
use tk_sim::TensorElement;
use tk_target::{ComputeCapability, DEFAULT_SHARED_BYTES};
use tk_types::{ScalarType, TENSOR_MAP_BYTES};

/// Bytes of each log that the driver's JIT may write.
const LOG_BYTES: usize = 64 * 1024;

/// Facts of every GPU the driver shows, or why there is none.
pub(crate) fn query_all() -> Result<Vec<DeviceInfo>> {
    let count = device_count()?;
    (0..count).map(|ordinal| query(ordinal).map(|(_, info)| info)).collect()
}

/// The primary context of one GPU.
pub(crate) struct CudaContext {
    device: sys::CUdevice,
    context: sys::CUcontext,
    info: DeviceInfo,
    /// Where launches go: the stream that is being captured, or null, the default stream.
    stream: AtomicPtr<sys::CUstream_st>,
    /// Scratch memory of kernels, oldest first.
    scratch: Mutex<Vec<Scratch>>,
}

/// Scratch memory of the kernels of one stream.
struct Scratch {
    /// The stream as a number.
    stream: usize,
    address: u64,
    bytes: usize,
}

// SAFETY: a CUcontext may be used from any thread that has made it current, which every method does first.
unsafe impl Send for CudaContext {}
// SAFETY: the driver serialises its own state; the rest of the struct is plain data or behind a mutex.
unsafe impl Sync for CudaContext {}

impl CudaContext {
    /// Opens the GPU with this ordinal. The error says kindly what is missing.
    pub(crate) fn open(ordinal: usize) -> Result<Self> {
        let count = device_count()?;
        if ordinal >= count {
            return Err(no_such_gpu(ordinal, count));
        }
        let (device, info) = query(ordinal)?;
        let mut context = std::ptr::null_mut();
        // SAFETY: the driver is initialised, `device` is one of its devices and `context` outlives the call.
        check("open the GPU", unsafe { sys::cuDevicePrimaryCtxRetain(&mut context, device) })?;
        Ok(Self { device, context, info, stream: AtomicPtr::default(), scratch: Mutex::default() })
    }

    /// What the GPU is.
    pub(crate) fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn make_current(&self) -> Result<()> {
        // SAFETY: the context was retained in `open` and is released only when `self` is dropped.
        check("use the GPU", unsafe { sys::cuCtxSetCurrent(self.context) })
    }

    /// Allocates device memory and returns its address, a multiple of 256. Its contents are unspecified.
    pub(crate) fn allocate(&self, bytes: usize) -> Result<u64> {
        self.make_current()?;
        let mut address = 0;
        // SAFETY: the context is current and `address` outlives the call; the driver refuses sizes it cannot serve.
        let status = unsafe { sys::cuMemAlloc_v2(&mut address, bytes.max(1)) };
        if status == CUresult::CUDA_ERROR_OUT_OF_MEMORY {
            return Err(no_room(bytes));
        }
        check("allocate memory", status)?;
        Ok(address)
    }

    /// Frees what [`Self::allocate`] returned. Errors are ignored: after a fault the driver refuses everything.
    pub(crate) fn free(&self, address: u64) {
        if self.make_current().is_ok() {
            // SAFETY: the one caller, a buffer's drop, owns the address and frees it once.
            let _ = unsafe { sys::cuMemFree_v2(address) };
        }
    }

    /// Copies `bytes` to device memory. The caller keeps `address..address + bytes.len()` inside one allocation.
    pub(crate) fn write(&self, address: u64, bytes: &[u8]) -> Result<()> {
        self.make_current()?;
        // SAFETY: the source is a live slice of that length; the driver checks the destination against its allocations.
        check("copy to the GPU", unsafe { sys::cuMemcpyHtoD_v2(address, bytes.as_ptr().cast(), bytes.len()) })
    }

    /// Copies device memory to `bytes`, after all earlier launches.
    pub(crate) fn read(&self, address: u64, bytes: &mut [u8]) -> Result<()> {
        self.make_current()?;
        // SAFETY: the destination is a live slice of that length; the driver checks the source against its allocations.
        check("copy from the GPU", unsafe { sys::cuMemcpyDtoH_v2(bytes.as_mut_ptr().cast(), address, bytes.len()) })
    }

    /// Sets every byte of `address..address + bytes` to `value`, in stream order.
    pub(crate) fn fill(&self, address: u64, value: u8, bytes: usize) -> Result<()> {
        self.make_current()?;
        // SAFETY: the driver checks the range against its allocations; a null stream is the default stream.
        check("fill memory", unsafe { sys::cuMemsetD8Async(address, value, bytes, std::ptr::null_mut()) })
    }

    /// Sets `count` 16-bit words from `address` on, in stream order.
    pub(crate) fn fill_16(&self, address: u64, value: u16, count: usize) -> Result<()> {
        self.make_current()?;
        // SAFETY: the driver checks the range against its allocations; a null stream is the default stream.
        check("fill memory", unsafe { sys::cuMemsetD16Async(address, value, count, std::ptr::null_mut()) })
    }

    /// Sets `count` 32-bit words from `address` on, in stream order.
    pub(crate) fn fill_32(&self, address: u64, value: u32, count: usize) -> Result<()> {
        self.make_current()?;
        // SAFETY: the driver checks the range against its allocations; a null stream is the default stream.
        check("fill memory", unsafe { sys::cuMemsetD32Async(address, value, count, std::ptr::null_mut()) })
    }

    /// Copies device memory to device memory, in stream order. The caller keeps both ranges inside allocations.
    pub(crate) fn copy(&self, from: u64, to: u64, bytes: usize) -> Result<()> {
        self.make_current()?;
        // SAFETY: the driver checks both ranges against its allocations; a null stream is the default stream.
        check("copy on the GPU", unsafe { sys::cuMemcpyDtoDAsync_v2(to, from, bytes, std::ptr::null_mut()) })
    }

    /// Waits for every launch and copy, and reports the first fault among them.
    pub(crate) fn synchronise(&self) -> Result<()> {
        self.make_current()?;
        // SAFETY: the context is current.
        check("run the kernel", unsafe { sys::cuCtxSynchronize() })
    }

    /// Makes a graph of the launches that `queue` queues; they do not run now.
    pub(crate) fn capture(self: &Arc<Self>, queue: &mut dyn FnMut() -> Result<()>) -> Result<Graph> {
        self.make_current()?;
        let mut stream = std::ptr::null_mut();
        // The default stream cannot be captured, and a stream that waits for it would break the capture.
        let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: the context is current and `stream` outlives the call.
        check("make a stream", unsafe { sys::cuStreamCreate(&mut stream, flags) })?;
        let result = self.capture_on(stream, queue);
        // SAFETY: the stream was made above and nothing refers to it after the capture.
        let _ = unsafe { sys::cuStreamDestroy_v2(stream) };
        let mut graph = Graph { context: self.clone(), graph: result?, run: std::ptr::null_mut() };
        // SAFETY: the graph is complete; `graph.run` outlives the call.
        check("prepare a graph", unsafe { sys::cuGraphInstantiateWithFlags(&mut graph.run, graph.graph, 0) })?;
        Ok(graph)
    }

    fn capture_on(&self, stream: sys::CUstream, queue: &mut dyn FnMut() -> Result<()>) -> Result<sys::CUgraph> {
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
        // SAFETY: the stream was made in this context.
        check("capture launches", unsafe { sys::cuStreamBeginCapture_v2(stream, mode) })?;
        self.stream.store(stream, Ordering::Relaxed);
        let queued = queue();
        self.stream.store(std::ptr::null_mut(), Ordering::Relaxed);
        let mut graph = std::ptr::null_mut();
        // SAFETY: the capture began above on this thread, and `graph` outlives the call.
        let ended = check("capture launches", unsafe { sys::cuStreamEndCapture(stream, &mut graph) });
        queued.and(ended).map(|()| graph)
    }

    /// Scratch memory of at least this many bytes for the next launch on a stream. Launches of one stream run one after the other and
    /// share it. Memory that has become too small stays, because launches that are queued or captured still use it; each is twice the
    /// one before.
    pub(crate) fn scratch(&self, stream: Option<Stream>, bytes: usize) -> Result<u64> {
        let mut scratch = self.scratch.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let stream = stream.map_or(0, Stream::handle);
        match scratch.iter().rev().find(|one| one.stream == stream) {
            Some(one) if one.bytes >= bytes => Ok(one.address),
            _ => {
                let bytes = bytes.checked_next_power_of_two().unwrap_or(bytes).max(1 << 16);
                let address = self.allocate(bytes)?;
                scratch.push(Scratch { stream, address, bytes });
                Ok(address)
            }
        }
    }

    /// The tensor map as this GPU reads it.
    pub(crate) fn encode(&self, map: &TensorMap<'_>) -> Result<MapBytes> {
        let spec = map.spec;
        if self.info.driver_version.is_some_and(|version| version < (12, 0)) {
            return Err(no_tensor_maps());
        }
        let refused = |reason: String| no_tensor_map(map, &reason);
        let element = data_type(spec.element).ok_or_else(|| refused(format!("its elements are {}", spec.element)))?;
        let swizzle = match spec.swizzle_bytes {
            32 => sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_32B,
            64 => sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_64B,
            128 => sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_128B,
            _ => sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_NONE,
        };
        let fill = match spec.pad_nan {
            true => sys::CUtensorMapFloatOOBfill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA,
            false => sys::CUtensorMapFloatOOBfill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        };
        let steps = vec![1u32; map.block.len()];
        let mut bytes = MapBytes([0; TENSOR_MAP_BYTES as usize]);
        // SAFETY: the map is 128 bytes aligned to 128; sizes, box and steps have one entry per dimension and strides one less,
        // as the caller's descriptor was checked to have; all of them outlive the call, which only reads them.
        let status = unsafe {
            sys::cuTensorMapEncodeTiled(
                std::ptr::from_mut(&mut bytes).cast(),
                element,
                map.sizes.len() as u32,
                map.address as *mut c_void,
                map.sizes.as_ptr(),
                map.strides.as_ptr(),
                map.block.as_ptr(),
                steps.as_ptr(),
                sys::CUtensorMapInterleave::CU_TENSOR_MAP_INTERLEAVE_NONE,
                swizzle,
                sys::CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                fill,
            )
        };
        if status == CUresult::CUDA_SUCCESS { Ok(bytes) } else { Err(refused(describe(status))) }
    }

    /// Records a point in the stream.
    pub(crate) fn record(self: &Arc<Self>) -> Result<Event> {
        self.make_current()?;
        let mut event = std::ptr::null_mut();
        // SAFETY: the context is current and `event` outlives the call.
        check("make an event", unsafe { sys::cuEventCreate(&mut event, sys::CUevent_flags::CU_EVENT_DEFAULT as u32) })?;
        let event = Event { context: self.clone(), event };
        // SAFETY: the event was made in this context; a null stream is the default stream.
        check("record an event", unsafe { sys::cuEventRecord(event.event, std::ptr::null_mut()) })?;
        Ok(event)
    }

    /// Loads machine code (ELF) or PTX text and finds `entry` in it, which will be launched with `shared_bytes` of dynamic
    /// shared memory.
    pub(crate) fn load(self: &Arc<Self>, code: &[u8], entry: &str, shared_bytes: u32) -> Result<CudaKernel> {
        self.make_current()?;
        let (module, log) = load_module(self, code)?;
        let name = CString::new(entry)
            .map_err(|_| Diagnostic::error(BAD_LAUNCH, "the entry point's name has a zero byte in it").boxed())?;
        let mut function = std::ptr::null_mut();
        // SAFETY: the module is loaded, and the name and `function` outlive the call.
        let status = unsafe { sys::cuModuleGetFunction(&mut function, module.module, name.as_ptr()) };
        if status == CUresult::CUDA_ERROR_NOT_FOUND {
            return Err(no_entry(entry));
        }
        check("find the kernel", status)?;
        let mut kernel = CudaKernel { module, function, registers: 0, local_bytes: 0, spill_bytes: log.spill_bytes };
        kernel.registers = kernel.attribute(FunctionAttribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?;
        kernel.local_bytes = kernel.attribute(FunctionAttribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?;
        if shared_bytes > DEFAULT_SHARED_BYTES {
            kernel.allow_shared(shared_bytes)?;
        }
        Ok(kernel)
    }
}

impl Drop for CudaContext {
    fn drop(&mut self) {
        for one in self.scratch.get_mut().map(std::mem::take).unwrap_or_default() {
            self.free(one.address);
        }
        // SAFETY: balances the retain in `open`; buffers, kernels and events keep the context alive through an Arc.
        let _ = unsafe { sys::cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}

struct Module {
    context: Arc<CudaContext>,
    module: sys::CUmodule,
}

// SAFETY: a CUmodule may be used from any thread whose current context is the module's.
unsafe impl Send for Module {}
// SAFETY: the driver serialises its own state.
unsafe impl Sync for Module {}

impl Drop for Module {
    fn drop(&mut self) {
        if self.context.make_current().is_ok() {
            // SAFETY: the module was loaded in this context and nothing else unloads it.
            let _ = unsafe { sys::cuModuleUnload(self.module) };
        }
    }
}

/// A kernel in the GPU's memory.
pub(crate) struct CudaKernel {
    module: Module,
    function: sys::CUfunction,
    /// Registers per thread.
    pub(crate) registers: u32,
    /// Local memory per thread in bytes: stack and spills.
    pub(crate) local_bytes: u32,
    /// Bytes of spill stores per thread, when the JIT said so.
    pub(crate) spill_bytes: Option<u32>,
}

// SAFETY: a CUfunction lives as long as its module and may be used from any thread whose current context is the module's.
unsafe impl Send for CudaKernel {}
// SAFETY: the driver serialises its own state.
unsafe impl Sync for CudaKernel {}

impl CudaKernel {
    fn attribute(&self, attribute: FunctionAttribute) -> Result<u32> {
        let mut value = 0;
        // SAFETY: the function belongs to a loaded module and `value` outlives the call.
        check("ask about the kernel", unsafe { sys::cuFuncGetAttribute(&mut value, attribute, self.function) })?;
        Ok(u32::try_from(value).unwrap_or(0))
    }

    fn allow_shared(&self, bytes: u32) -> Result<()> {
        let attribute = FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function belongs to a loaded module.
        let status = unsafe { sys::cuFuncSetAttribute(self.function, attribute, bytes as i32) };
        check("reserve shared memory", status)
    }

    /// Enqueues the kernel. The caller has matched `slots` with the entry's parameters and their sizes.
    pub(crate) fn launch(&self, launch: CudaLaunch<'_>) -> Result<()> {
        self.module.context.make_current()?;
        let place = |slot: &mut Slot| match slot {
            Slot::Word(word) => std::ptr::from_mut(word).cast::<c_void>(),
            Slot::Map(map) => std::ptr::from_mut(&mut **map).cast(),
        };
        let mut pointers: Vec<*mut c_void> = launch.slots.iter_mut().map(place).collect();
        let [x, y, z] = launch.grid;
        let mut cluster = cluster_attribute(launch.cluster);
        let config = sys::CUlaunchConfig {
            gridDimX: x * launch.cluster,
            gridDimY: y,
            gridDimZ: z,
            blockDimX: launch.threads,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: launch.shared_bytes,
            hStream: match launch.stream {
                Some(stream) => stream.handle() as sys::CUstream,
                None => self.module.context.stream.load(Ordering::Relaxed),
            },
            attrs: &mut cluster,
            numAttrs: u32::from(launch.cluster > 1),
        };
        // SAFETY: there is one pointer per entry parameter, each to as many live bytes as it has (8, or the 128 of a tensor
        // map), and the driver copies them before it returns; `config` and the attribute it points to are live. What the
        // kernel does with device memory is the user's program: the GPU faults on addresses outside every allocation.
        let status =
            unsafe { sys::cuLaunchKernelEx(&config, self.function, pointers.as_mut_ptr(), std::ptr::null_mut()) };
        if status == CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES {
            return Err(too_many_registers(launch.threads, self.registers));
        }
        check("launch the kernel", status)
    }
}

/// The driver's number of an element type; floats of 8 bits are bytes to it.
fn data_type(scalar: ScalarType) -> Option<sys::CUtensorMapDataType> {
    use sys::CUtensorMapDataType as Type;
    Some(match tensor_element(scalar)? {
        TensorElement::U8 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT8,
        TensorElement::U16 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT16,
        TensorElement::U32 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT32,
        TensorElement::S32 => Type::CU_TENSOR_MAP_DATA_TYPE_INT32,
        TensorElement::U64 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT64,
        TensorElement::S64 => Type::CU_TENSOR_MAP_DATA_TYPE_INT64,
        TensorElement::F16 => Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
        TensorElement::BF16 => Type::CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        TensorElement::F32 => Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        TensorElement::F64 => Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
        TensorElement::F32Ftz => Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
        TensorElement::TF32 => Type::CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
        TensorElement::TF32Ftz => Type::CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
    })
}

fn cluster_attribute(ctas: u32) -> sys::CUlaunchAttribute {
    let cluster = sys::CUlaunchAttributeValue_union__bindgen_ty_1 { x: ctas, y: 1, z: 1 };
    sys::CUlaunchAttribute {
        id: sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
        pad: [0; 4],
        value: sys::CUlaunchAttributeValue { clusterDim: cluster },
    }
}

/// Launches in their order, ready to run as one.
pub(crate) struct Graph {
    context: Arc<CudaContext>,
    graph: sys::CUgraph,
    run: sys::CUgraphExec,
}

impl Graph {
    /// Enqueues all its launches on the default stream.
    pub(crate) fn replay(&self) -> Result<()> {
        self.context.make_current()?;
        // SAFETY: the graph was instantiated in this context and lives until its drop; null is the default stream.
        check("run a graph", unsafe { sys::cuGraphLaunch(self.run, std::ptr::null_mut()) })
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        if self.context.make_current().is_ok() {
            // SAFETY: both were made in `capture` and nothing else destroys them; `run` is null when that failed.
            unsafe {
                if !self.run.is_null() {
                    let _ = sys::cuGraphExecDestroy(self.run);
                }
                let _ = sys::cuGraphDestroy(self.graph);
            }
        }
    }
}

/// A point in the stream.
pub(crate) struct Event {
    context: Arc<CudaContext>,
    event: sys::CUevent,
}

impl Event {
    /// Milliseconds from this point to a later one; waits for the later one.
    pub(crate) fn milliseconds_until(&self, later: &Event) -> Result<f64> {
        self.context.make_current()?;
        let mut milliseconds = 0.0f32;
        // SAFETY: both events were recorded in this context and live until their drop; `milliseconds` outlives the call.
        let status = unsafe {
            match sys::cuEventSynchronize(later.event) {
                CUresult::CUDA_SUCCESS => sys::cuEventElapsedTime(&mut milliseconds, self.event, later.event),
                failure => failure,
            }
        };
        check("time the kernel", status)?;
        Ok(f64::from(milliseconds))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if self.context.make_current().is_ok() {
            // SAFETY: the event was made in this context and nothing else destroys it.
            let _ = unsafe { sys::cuEventDestroy_v2(self.event) };
        }
    }
}

/// Opens the driver once per process and counts its GPUs.
fn device_count() -> Result<usize> {
    static DRIVER: OnceLock<Result<(), String>> = OnceLock::new();
    let opened = DRIVER.get_or_init(|| {
        // SAFETY: opening the driver's library runs its initialisers, which is what every CUDA program does.
        if !unsafe { sys::is_culib_present() } {
            return Err("there is no CUDA driver on this machine (libcuda.so.1 was not found)".into());
        }
        // SAFETY: the library is present; 0 is the only flag value the driver defines.
        let status = unsafe { sys::cuInit(0) };
        check("start the driver", status).map_err(|diagnostic| diagnostic.message)
    });
    if let Err(reason) = opened {
        let help = "run on the simulator with `--device sim`, or install an NVIDIA driver";
        return Err(Diagnostic::error(DEVICE, reason.clone()).help(help).boxed());
    }
    let mut count = 0;
    // SAFETY: the driver is initialised and `count` outlives the call.
    check("count the GPUs", unsafe { sys::cuDeviceGetCount(&mut count) })?;
    match usize::try_from(count) {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(Fault::NoDevice.diagnostic("count the GPUs")),
    }
}

/// Facts of one GPU. The driver is initialised and `ordinal` is below its count.
fn query(ordinal: usize) -> Result<(sys::CUdevice, DeviceInfo)> {
    let (mut device, mut memory, mut version, mut name) = (0, 0usize, 0, [0 as std::ffi::c_char; 256]);
    // SAFETY: every pointer is to a live local of the type the call wants, and the name buffer's length is passed on.
    unsafe {
        check("find the GPU", sys::cuDeviceGet(&mut device, ordinal as i32))?;
        check("name the GPU", sys::cuDeviceGetName(name.as_mut_ptr(), name.len() as i32, device))?;
        check("measure the GPU", sys::cuDeviceTotalMem_v2(&mut memory, device))?;
        check("ask the driver", sys::cuDriverGetVersion(&mut version))?;
    }
    let ask = |attribute: Attribute| -> Result<u32> {
        let mut value = 0;
        // SAFETY: `device` is one of the driver's devices and `value` outlives the call.
        check("ask about the GPU", unsafe { sys::cuDeviceGetAttribute(&mut value, attribute, device) })?;
        Ok(u32::try_from(value).unwrap_or(0))
    };
    // SAFETY: the driver ends the name with a zero byte inside the buffer.
    let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned();
    let info = DeviceInfo {
        name,
        ordinal: Some(ordinal),
        compute_capability: Some(ComputeCapability {
            major: ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            minor: ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        }),
        multiprocessors: ask(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        memory_bytes: memory as u64,
        shared_bytes_per_cta: ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
        registers_per_multiprocessor: ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR)?,
        l2_bytes: u64::from(ask(Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)?),
        driver_version: u32::try_from(version).ok().map(|version| (version / 1000, version % 1000 / 10)),
    };
    Ok((device, info))
}

/// Loads a module; PTX goes through the driver's JIT, whose logs become the diagnostic or the resource figures.
fn load_module(context: &Arc<CudaContext>, code: &[u8]) -> Result<(Module, AssemblyLog)> {
    use sys::CUjit_option as Option;
    let is_ptx = !code.starts_with(b"\x7fELF");
    let mut image = code.to_vec();
    image.push(0);
    let (mut info, mut errors) = (vec![0u8; LOG_BYTES], vec![0u8; LOG_BYTES]);
    let mut options = [
        Option::CU_JIT_INFO_LOG_BUFFER,
        Option::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
        Option::CU_JIT_ERROR_LOG_BUFFER,
        Option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        Option::CU_JIT_LOG_VERBOSE,
        Option::CU_JIT_GENERATE_LINE_INFO,
    ];
    let number = |value: usize| value as *mut c_void;
    let mut values = [
        info.as_mut_ptr().cast(),
        number(LOG_BYTES),
        errors.as_mut_ptr().cast(),
        number(LOG_BYTES),
        number(1),
        number(1),
    ];
    let mut module = std::ptr::null_mut();
    // SAFETY: the image ends with a zero byte; the two arrays have the length that is passed, each value is a number or a
    // pointer to a live buffer of the size given beside it, and `module` outlives the call.
    let status = unsafe {
        let count = if is_ptx { options.len() as u32 } else { 0 };
        sys::cuModuleLoadDataEx(&mut module, image.as_ptr().cast(), count, options.as_mut_ptr(), values.as_mut_ptr())
    };
    if status == CUresult::CUDA_SUCCESS {
        return Ok((Module { context: context.clone(), module }, AssemblyLog::parse(&log_text(&info))));
    }
    let log = log_text(&errors);
    if is_ptx && !log.trim().is_empty() {
        let ptx = String::from_utf8_lossy(code);
        return Err(ptx_diagnostic("the driver's JIT refused the PTX", &log, &ptx));
    }
    Err(check("load the kernel", status)
        .err()
        .unwrap_or_else(|| Diagnostic::bug("a load failed and succeeded").boxed()))
}

/// A status as a diagnostic; `what` follows "cannot".
fn check(what: &str, status: CUresult) -> Result<()> {
    let fault = match status {
        CUresult::CUDA_SUCCESS => return Ok(()),
        CUresult::CUDA_ERROR_ILLEGAL_ADDRESS => Fault::Address,
        CUresult::CUDA_ERROR_MISALIGNED_ADDRESS => Fault::Misaligned,
        CUresult::CUDA_ERROR_ASSERT => Fault::Assertion,
        CUresult::CUDA_ERROR_INVALID_PTX | CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION => Fault::Ptx,
        CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU => Fault::OtherGpu,
        CUresult::CUDA_ERROR_NO_DEVICE => Fault::NoDevice,
        other => Fault::Other(describe(other)),
    };
    Err(fault.diagnostic(what))
}

fn describe(status: CUresult) -> String {
    let mut text = std::ptr::null();
    // SAFETY: `text` outlives the call; on success the driver points it at a static string that ends with a zero byte.
    unsafe {
        match sys::cuGetErrorString(status, &mut text) {
            CUresult::CUDA_SUCCESS if !text.is_null() => CStr::from_ptr(text).to_string_lossy().into_owned(),
            _ => format!("driver error {}", status as u32),
        }
    }
}
