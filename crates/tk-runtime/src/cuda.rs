//! A safe interface to the CUDA driver: contexts, memory, modules, launches and events.
//!
//! This is the only file that names cudarc (those of its folder take the calls from it). It uses cudarc's raw driver calls rather than its safe layer because
//! tk needs what that layer hides: the JIT's logs, function attributes and cluster launches. The driver library is opened
//! at run time, so tk builds and starts on machines that have never seen CUDA; [`Gpu::open`] then says so.
//!
//! Everything here works on the legacy default stream of the device's primary context, in the order of the calls. Launches go to the
//! stream that the caller names; what names none, fills and copies on the GPU are part of the graph while [`Gpu::capture`] records one.
//! A launch returns before the kernel has run; a fault inside it shows at the next call that waits.
#![allow(unsafe_code, reason = "the CUDA driver is a C library")]

mod order_unsafe;
mod peers_unsafe;
mod query_unsafe;
#[cfg(feature = "slices")]
#[path = "cuda/slices_unsafe.rs"]
pub mod slices;

pub use order_unsafe::{Event, Graph};
pub use query_unsafe::list_gpus;

use crate::argument::Slots;
use crate::code_parameters::Told;
use crate::descriptor::{MapBytes, TensorMap};
use crate::{DeviceAddress, DeviceInfo, Error, Fault, Memory, Result, Stream};
#[cfg(not(feature = "slices"))]
use cudarc::driver;
#[cfg(feature = "slices")]
pub use cudarc::driver;
use driver::sys::{self, CUfunction_attribute as FunctionAttribute, CUresult};
use query_unsafe::{device_count, query};
use std::ffi::{CStr, CString, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex};
use tk_image::{ImageError, TENSOR_MAP_BYTES};
use tk_target::DEFAULT_SHARED_BYTES;
use tk_types::ScalarType;

/// The first version of the driver that tells the sizes of parameters.
const PARAMETERS_ARE_TOLD: (u32, u32) = (12, 4);

/// Bytes of each log that the driver's JIT may write.
const LOG_BYTES: usize = 64 * 1024;

/// The primary context of one GPU, which libraries on the CUDA runtime share; or a context that the program made.
pub struct Gpu {
    device: sys::CUdevice,
    context: sys::CUcontext,
    owner: ContextOwner,
    info: DeviceInfo,
    /// The stream that is being captured, or null, the default stream.
    stream: AtomicPtr<sys::CUstream_st>,
    /// Scratch memory of kernels, oldest first.
    scratch: Mutex<Vec<Scratch>>,
}

/// Who keeps a context.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ContextOwner {
    /// The driver, as long as somebody holds it: the primary context.
    Driver,
    /// The program, which made it.
    Program,
}

/// Scratch memory of the kernels of one stream.
struct Scratch {
    /// The stream as a number.
    stream: usize,
    address: u64,
    bytes: usize,
}

// SAFETY: a CUcontext may be used from any thread that has made it current, which every method does first.
unsafe impl Send for Gpu {}
// SAFETY: the driver serialises its own state; the rest of the struct is plain data or behind a mutex.
unsafe impl Sync for Gpu {}

impl Gpu {
    /// Opens the GPU with this number.
    ///
    /// # Errors
    /// No driver, or no such GPU.
    pub fn open(ordinal: usize) -> Result<Arc<Self>> {
        let count = device_count()?;
        if ordinal >= count {
            return Err(Error::NoSuchGpu { ordinal, count });
        }
        let (device, info) = query(ordinal)?;
        let mut context = std::ptr::null_mut();
        // SAFETY: the driver is initialised, `device` is one of its devices and `context` outlives the call.
        check("open the GPU", unsafe { sys::cuDevicePrimaryCtxRetain(&mut context, device) })?;
        Ok(Arc::new(Self::of(device, context, ContextOwner::Driver, info)))
    }

    /// The GPU with this number in a context that the program made and keeps.
    ///
    /// # Safety
    /// The handle is a `CUcontext` of this GPU, and it lives as long as the answer and all that is made with it.
    ///
    /// # Errors
    /// No driver, no such GPU, or no handle.
    pub unsafe fn from_context(ordinal: usize, handle: usize) -> Result<Arc<Self>> {
        let count = device_count()?;
        if ordinal >= count || handle == 0 {
            return Err(Error::NoSuchGpu { ordinal, count });
        }
        let (device, info) = query(ordinal)?;
        Ok(Arc::new(Self::of(device, handle as sys::CUcontext, ContextOwner::Program, info)))
    }

    fn of(device: sys::CUdevice, context: sys::CUcontext, owner: ContextOwner, info: DeviceInfo) -> Self {
        Self { device, context, owner, info, stream: AtomicPtr::default(), scratch: Mutex::default() }
    }

    /// The handle of its context, a `CUcontext`, for other libraries.
    pub fn context_handle(&self) -> usize {
        self.context as usize
    }

    /// What the GPU is.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Makes the context that of this thread until the answer is dropped, which brings back the one that the thread had.
    fn enter(&self) -> Result<Current> {
        let mut before = std::ptr::null_mut();
        // SAFETY: the driver is initialised and `before` outlives the call.
        check("use the GPU", unsafe { sys::cuCtxGetCurrent(&mut before) })?;
        if before == self.context {
            return Ok(Current { before: None });
        }
        // SAFETY: the context was retained in `open` and is released only when `self` is dropped.
        check("use the GPU", unsafe { sys::cuCtxSetCurrent(self.context) })?;
        Ok(Current { before: Some(before) })
    }

    /// Allocates memory. Its contents are unspecified.
    ///
    /// # Errors
    /// A GPU that is full.
    pub fn allocate(self: &Arc<Self>, bytes: usize) -> Result<Memory> {
        // SAFETY: the memory owns the address, and lends it for as long as it lives.
        let address = unsafe { DeviceAddress::from_raw(self.allocate_raw(bytes)?) };
        Ok(Memory::new(self.clone(), address, bytes))
    }

    fn allocate_raw(&self, bytes: usize) -> Result<u64> {
        let _current = self.enter()?;
        let mut address = 0;
        // SAFETY: the context is current and `address` outlives the call; the driver refuses sizes it cannot serve.
        let status = unsafe { sys::cuMemAlloc_v2(&mut address, bytes.max(1)) };
        if status == CUresult::CUDA_ERROR_OUT_OF_MEMORY {
            return Err(Error::NoRoom { bytes });
        }
        check("allocate memory", status)?;
        Ok(address)
    }

    /// Frees what [`Self::allocate`] returned. Errors are ignored: after a fault the driver refuses everything.
    pub(crate) fn free(&self, address: DeviceAddress) {
        if let Ok(_current) = self.enter() {
            // SAFETY: the one caller, a memory's drop, owns the address and frees it once.
            let _ = unsafe { sys::cuMemFree_v2(address.raw()) };
        }
    }

    /// Copies `bytes` to device memory. The caller keeps `address..address + bytes.len()` inside one allocation.
    pub fn write(&self, address: DeviceAddress, bytes: &[u8]) -> Result<()> {
        let _current = self.enter()?;
        // SAFETY: the source is a live slice of that length; the driver checks the destination against its allocations.
        check("copy to the GPU", unsafe { sys::cuMemcpyHtoD_v2(address.raw(), bytes.as_ptr().cast(), bytes.len()) })
    }

    /// Copies device memory to `bytes`, after all earlier launches.
    pub fn read(&self, address: DeviceAddress, bytes: &mut [u8]) -> Result<()> {
        let _current = self.enter()?;
        // SAFETY: the destination is a live slice of that length; the driver checks the source against its allocations.
        check("copy from the GPU", unsafe {
            sys::cuMemcpyDtoH_v2(bytes.as_mut_ptr().cast(), address.raw(), bytes.len())
        })
    }

    /// Where fills, copies on the GPU and launches that name no stream go.
    fn queue(&self) -> sys::CUstream {
        self.stream.load(Ordering::Relaxed)
    }

    /// Sets every byte of `address..address + bytes` to `value`, in stream order.
    pub fn fill(&self, address: DeviceAddress, value: u8, bytes: usize) -> Result<()> {
        let _current = self.enter()?;
        // SAFETY: the driver checks the range against its allocations; the stream is the default stream or that of a capture.
        check("fill memory", unsafe { sys::cuMemsetD8Async(address.raw(), value, bytes, self.queue()) })
    }

    /// Sets `count` 16-bit words from `address` on, in stream order.
    pub fn fill_16(&self, address: DeviceAddress, value: u16, count: usize) -> Result<()> {
        let _current = self.enter()?;
        // SAFETY: the driver checks the range against its allocations; the stream is the default stream or that of a capture.
        check("fill memory", unsafe { sys::cuMemsetD16Async(address.raw(), value, count, self.queue()) })
    }

    /// Sets `count` 32-bit words from `address` on, in stream order.
    pub fn fill_32(&self, address: DeviceAddress, value: u32, count: usize) -> Result<()> {
        let _current = self.enter()?;
        // SAFETY: the driver checks the range against its allocations; the stream is the default stream or that of a capture.
        check("fill memory", unsafe { sys::cuMemsetD32Async(address.raw(), value, count, self.queue()) })
    }

    /// Copies device memory to device memory, in stream order. The caller keeps both ranges inside allocations.
    pub fn copy(&self, from: DeviceAddress, to: DeviceAddress, bytes: usize) -> Result<()> {
        let _current = self.enter()?;
        // SAFETY: the driver checks both ranges against its allocations; the stream is the default stream or that of a capture.
        check("copy on the GPU", unsafe { sys::cuMemcpyDtoDAsync_v2(to.raw(), from.raw(), bytes, self.queue()) })
    }

    /// Waits for every launch and copy, and reports the first fault among them.
    pub fn synchronise(&self) -> Result<()> {
        let _current = self.enter()?;
        // SAFETY: the context is current.
        check("run the kernel", unsafe { sys::cuCtxSynchronize() })
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
                let address = self.allocate_raw(bytes)?;
                scratch.push(Scratch { stream, address, bytes });
                Ok(address)
            }
        }
    }

    /// The tensor map as this GPU reads it.
    pub fn encode(&self, map: &TensorMap<'_>) -> Result<MapBytes> {
        let spec = map.spec;
        if self.info.driver_version.is_some_and(|version| version < (12, 0)) {
            return Err(Error::OldDriver);
        }
        let refused = |reason: String| Error::TensorMap(format!("{reason} ({map:?})"));
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
        let _current = self.enter()?;
        let steps = [1u32; tk_image::MAX_RANK];
        let mut bytes = MapBytes([0; TENSOR_MAP_BYTES as usize]);
        // SAFETY: the context is current; the map is 128 bytes aligned to 64; sizes, box and steps have one entry per dimension and strides one less,
        // as the map has them; all of them outlive the call, which only reads them.
        let status = unsafe {
            sys::cuTensorMapEncodeTiled(
                std::ptr::from_mut(&mut bytes).cast(),
                element,
                map.sizes().len() as u32,
                map.address as *mut c_void,
                map.sizes().as_ptr(),
                map.strides().as_ptr(),
                map.block().as_ptr(),
                steps.as_ptr(),
                sys::CUtensorMapInterleave::CU_TENSOR_MAP_INTERLEAVE_NONE,
                swizzle,
                sys::CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                fill,
            )
        };
        if status == CUresult::CUDA_SUCCESS { Ok(bytes) } else { Err(refused(describe(status))) }
    }

    /// Loads machine code (ELF) or PTX text and finds `entry` in it, which will be launched with `shared_bytes` of dynamic
    /// shared memory.
    pub(crate) fn load_function(self: &Arc<Self>, code: &[u8], entry: &str, shared_bytes: u32) -> Result<Function> {
        let _current = self.enter()?;
        let (module, log) = load_module(self, code)?;
        let name = CString::new(entry).map_err(|_| Error::NoEntry(entry.replace('\0', "\\0")))?;
        let mut function = std::ptr::null_mut();
        // SAFETY: the module is loaded, and the name and `function` outlive the call.
        let status = unsafe { sys::cuModuleGetFunction(&mut function, module.module, name.as_ptr()) };
        if status == CUresult::CUDA_ERROR_NOT_FOUND {
            return Err(Error::NoEntry(entry.to_string()));
        }
        check("find the kernel", status)?;
        let mut function = Function { module, function, registers: 0, local_bytes: 0, log };
        function.registers = function.attribute(FunctionAttribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?;
        function.local_bytes = function.attribute(FunctionAttribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?;
        if shared_bytes > DEFAULT_SHARED_BYTES {
            function.allow_shared(shared_bytes)?;
        }
        Ok(function)
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        for one in self.scratch.get_mut().map(std::mem::take).unwrap_or_default() {
            if let Ok(_current) = self.enter() {
                // SAFETY: the address is of scratch memory, which nothing else frees.
                let _ = unsafe { sys::cuMemFree_v2(one.address) };
            }
        }
        if self.owner == ContextOwner::Driver {
            // SAFETY: balances the retain in `open`; buffers, kernels and events keep the context alive through an Arc.
            let _ = unsafe { sys::cuDevicePrimaryCtxRelease_v2(self.device) };
        }
    }
}

/// The time in which a context is that of its thread.
struct Current {
    /// The context that the thread had, if it was another.
    before: Option<sys::CUcontext>,
}

impl Drop for Current {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            // SAFETY: the thread had this context before, or none.
            let _ = unsafe { sys::cuCtxSetCurrent(before) };
        }
    }
}

struct Module {
    context: Arc<Gpu>,
    module: sys::CUmodule,
}

// SAFETY: a CUmodule may be used from any thread whose current context is the module's.
unsafe impl Send for Module {}
// SAFETY: the driver serialises its own state.
unsafe impl Sync for Module {}

impl Drop for Module {
    fn drop(&mut self) {
        if let Ok(_current) = self.context.enter() {
            // SAFETY: the module was loaded in this context and nothing else unloads it.
            let _ = unsafe { sys::cuModuleUnload(self.module) };
        }
    }
}

/// One launch.
pub(crate) struct Launch<'a> {
    /// Where it is queued; nothing for the default stream, or the one that is captured.
    pub(crate) stream: Option<Stream>,
    /// Programs by axis.
    pub(crate) grid: [u32; 3],
    /// Threads per CTA.
    pub(crate) threads: u32,
    /// CTAs per program, along x.
    pub(crate) cluster: u32,
    /// Dynamic shared memory in bytes.
    pub(crate) shared_bytes: u32,
    /// One slot per entry parameter, hidden ones included.
    pub(crate) slots: &'a mut Slots,
}

/// A kernel in the GPU's memory.
pub(crate) struct Function {
    module: Module,
    function: sys::CUfunction,
    /// Registers per thread.
    pub(crate) registers: u32,
    /// Local memory per thread in bytes: stack and spills.
    pub(crate) local_bytes: u32,
    /// What the driver's compiler said.
    pub(crate) log: String,
}

// SAFETY: a CUfunction lives as long as its module and may be used from any thread whose current context is the module's.
unsafe impl Send for Function {}
// SAFETY: the driver serialises its own state.
unsafe impl Sync for Function {}

impl Function {
    fn attribute(&self, attribute: FunctionAttribute) -> Result<u32> {
        let mut value = 0;
        // SAFETY: the function belongs to a loaded module and `value` outlives the call.
        check("ask about the kernel", unsafe { sys::cuFuncGetAttribute(&mut value, attribute, self.function) })?;
        Ok(u32::try_from(value).unwrap_or(0))
    }

    /// Checks that the code takes parameters of these sizes and no more, where the driver tells: launches hand over a pointer to each, and
    /// the driver reads as many bytes as the code says. `told` is what the code says of all of them.
    pub(crate) fn check_parameters(
        &self,
        bytes: &[u32],
        told: Option<Told>,
        driver_version: Option<(u32, u32)>,
    ) -> Result<()> {
        if driver_version.is_none_or(|version| version < PARAMETERS_ARE_TOLD) {
            return Ok(());
        }
        let _current = self.module.context.enter()?;
        let wrong = |what: String| Err(Error::Image(ImageError::Invalid(what)));
        let mut end = 0;
        for (at, wanted) in bytes.iter().map(|bytes| *bytes as usize).enumerate() {
            let found = self.parameter(at);
            match found {
                Some((offset, size)) if size == wanted => end = offset + size,
                _ => {
                    let found = found.map_or(0, |(_, size)| size);
                    return wrong(format!("parameter {at} of the code has {found} bytes, and {wanted} in the image"));
                }
            }
        }
        let count = bytes.len();
        let are_all = match told {
            Some(Told::Bytes(all)) => all == end,
            Some(Told::Count(all)) => all == count,
            None => self.parameter(count).is_none(),
        };
        if are_all { Ok(()) } else { wrong(format!("the code has more than the {count} parameters of the image")) }
    }

    /// Where the parameter with this number begins, and its bytes. The driver has the call (`PARAMETERS_ARE_TOLD`), and the context is
    /// current.
    fn parameter(&self, at: usize) -> Option<(usize, usize)> {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: the function belongs to a loaded module, and the two numbers outlive the call, which is there in this version.
        let status = unsafe { sys::cuFuncGetParamInfo(self.function, at, &mut offset, &mut size) };
        (status == CUresult::CUDA_SUCCESS).then_some((offset, size))
    }

    fn allow_shared(&self, bytes: u32) -> Result<()> {
        let attribute = FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function belongs to a loaded module.
        let status = unsafe { sys::cuFuncSetAttribute(self.function, attribute, bytes as i32) };
        check("reserve shared memory", status)
    }

    /// Enqueues the kernel. The caller has matched `slots` with the entry's parameters and their sizes.
    pub(crate) fn launch(&self, launch: Launch<'_>) -> Result<()> {
        let _current = self.module.context.enter()?;
        let mut places = launch.slots.places();
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
                None => self.module.context.queue(),
            },
            attrs: &mut cluster,
            numAttrs: u32::from(launch.cluster > 1),
        };
        // SAFETY: there is one pointer per entry parameter, each to as many live bytes as it has (8, or the 128 of a tensor
        // map), and the driver copies them before it returns; `config` and the attribute it points to are live. What the
        // kernel does with device memory is the user's program: the GPU faults on addresses outside every allocation.
        let status =
            unsafe { sys::cuLaunchKernelEx(&config, self.function, places.as_mut_ptr(), std::ptr::null_mut()) };
        if status == CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES {
            return Err(Error::Registers { threads: launch.threads, registers: self.registers });
        }
        check("launch the kernel", status)
    }
}

/// The driver's number of an element type; floats of 8 bits are bytes to it. `None` for types that a map does not have.
fn data_type(scalar: ScalarType) -> Option<sys::CUtensorMapDataType> {
    use sys::CUtensorMapDataType as Type;
    Some(match scalar {
        ScalarType::I1 | ScalarType::F8E4B15 => return None,
        ScalarType::I8 | ScalarType::U8 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT8,
        ScalarType::I16 | ScalarType::U16 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT16,
        ScalarType::U32 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT32,
        ScalarType::I32 => Type::CU_TENSOR_MAP_DATA_TYPE_INT32,
        ScalarType::U64 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT64,
        ScalarType::I64 => Type::CU_TENSOR_MAP_DATA_TYPE_INT64,
        ScalarType::F16 => Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
        ScalarType::BF16 => Type::CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        ScalarType::F32 => Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        ScalarType::F64 => Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
        ScalarType::F8E4M3 | ScalarType::F8E5M2 | ScalarType::F8E4M3B8 | ScalarType::F8E5M2B16 => {
            Type::CU_TENSOR_MAP_DATA_TYPE_UINT8
        }
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

/// Loads a module; PTX goes through the driver's JIT, whose log becomes the error or comes with the module.
fn load_module(context: &Arc<Gpu>, code: &[u8]) -> Result<(Module, String)> {
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
    let log = if is_ptx { log_text(&errors) } else { String::new() };
    if status != CUresult::CUDA_SUCCESS && !log.trim().is_empty() {
        return Err(Error::Ptx { log });
    }
    check("load the kernel", status)?;
    let log = if is_ptx { log_text(&info) } else { String::new() };
    Ok((Module { context: context.clone(), module }, log))
}

/// The text of a log that ends at its first zero byte.
fn log_text(log: &[u8]) -> String {
    let end = log.iter().position(|byte| *byte == 0).unwrap_or(log.len());
    String::from_utf8_lossy(&log[..end]).into_owned()
}

/// A status as an error; `doing` follows "cannot".
fn check(doing: &'static str, status: CUresult) -> Result<()> {
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
    Err(Error::Driver { doing, fault })
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
