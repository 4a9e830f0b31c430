//! Memory that other libraries own, by DLPack: tensors that come in are used where they lie, and memory goes out as a tensor.
//!
//! The structs are those of dlpack.h, of versions before 1 (`DLManagedTensor`), which all libraries take.
#![allow(unsafe_code, reason = "tensors of DLPack are pointers of C")]

use crate::{Descriptor, DeviceAddress, Element, Error, Memory, Pointer, Result};
use std::ffi::c_void;
use std::ptr::NonNull;
use tk_types::ScalarType;

/// The most dimensions of a tensor that is taken.
const MOST_DIMENSIONS: i32 = 64;

/// Memory of a GPU, and memory that the driver moves between hosts and GPUs.
const CUDA: i32 = 2;
const CUDA_MANAGED: i32 = 13;

/// A tensor with its owner, as libraries of C hand it over: `DLManagedTensor`.
#[repr(C)]
#[derive(Debug)]
pub struct DlManagedTensor {
    tensor: DlTensor,
    /// What the owner keeps.
    context: *mut c_void,
    /// Called once, when the tensor is used no more.
    deleter: Option<unsafe extern "C" fn(*mut DlManagedTensor)>,
}

/// `DLTensor`.
#[repr(C)]
#[derive(Debug)]
struct DlTensor {
    data: *mut c_void,
    device_type: i32,
    device_number: i32,
    dimensions: i32,
    ty: DlType,
    shape: *mut i64,
    /// Null for a contiguous tensor.
    strides: *mut i64,
    byte_offset: u64,
}

/// `DLDataType`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DlType {
    code: u8,
    bits: u8,
    lanes: u16,
}

impl DlType {
    fn of(element: ScalarType) -> Option<Self> {
        let code = match element {
            ScalarType::I8 | ScalarType::I16 | ScalarType::I32 | ScalarType::I64 => 0,
            ScalarType::U8 | ScalarType::U16 | ScalarType::U32 | ScalarType::U64 => 1,
            ScalarType::F16 | ScalarType::F32 | ScalarType::F64 => 2,
            ScalarType::BF16 => 4,
            ScalarType::I1 => 6,
            ScalarType::F8E4M3 => 10,
            ScalarType::F8E4M3B8 => 11,
            ScalarType::F8E5M2 => 12,
            ScalarType::F8E5M2B16 => 13,
            ScalarType::F8E4B15 => return None,
        };
        // Truth values take a byte.
        Some(Self { code, bits: (element.bytes() * 8) as u8, lanes: 1 })
    }

    fn element(self) -> Option<ScalarType> {
        ScalarType::all().find(|element| Self::of(*element) == Some(self))
    }
}

/// A tensor of another library in the memory of a GPU. The library gets it back when this is dropped, so keep it until the launches that
/// use it have run.
#[derive(Debug)]
pub struct DlpackTensor {
    managed: NonNull<DlManagedTensor>,
    address: DeviceAddress,
    element: ScalarType,
    ordinal: usize,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

// SAFETY: DLPack asks of owners that the deleter may be called from any thread; all else is read when the tensor is taken.
unsafe impl Send for DlpackTensor {}
// SAFETY: as above; no method reads the memory of the other library.
unsafe impl Sync for DlpackTensor {}

impl DlpackTensor {
    /// Takes a tensor over, whatever comes of it: one that is refused goes back to its library at once.
    ///
    /// # Safety
    /// The pointer is to a `DLManagedTensor` that nobody else takes over, and whose memory nothing else uses while kernels work on it.
    ///
    /// # Errors
    /// Tensors that are not in the memory of a GPU, and elements that kernels have not.
    pub unsafe fn from_raw(managed: NonNull<DlManagedTensor>) -> Result<Self> {
        let mut taken = Self {
            managed,
            address: DeviceAddress::NULL,
            element: ScalarType::I8,
            ordinal: 0,
            shape: Vec::new(),
            strides: Vec::new(),
        };
        // SAFETY: the caller says that it is a tensor; `taken` keeps it alive.
        let tensor = unsafe { &managed.as_ref().tensor };
        let refuse = |what: String| Err(Error::Dlpack(what));
        if !matches!(tensor.device_type, CUDA | CUDA_MANAGED) {
            return refuse(format!(
                "it is on a device of kind {}, and kernels need one in the memory of a GPU",
                tensor.device_type
            ));
        }
        let (Ok(ordinal), Some(element)) = (usize::try_from(tensor.device_number), tensor.ty.element()) else {
            let DlType { code, bits, lanes } = tensor.ty;
            return refuse(format!("no element type has code {code}, {bits} bits and {lanes} lanes"));
        };
        let rank = tensor.dimensions;
        if !(0..=MOST_DIMENSIONS).contains(&rank) || (rank > 0 && tensor.shape.is_null()) {
            return refuse(format!("it has {rank} dimensions"));
        }
        let list = |place: *mut i64| match rank {
            0 => Vec::new(),
            // SAFETY: DLPack has as many sizes, and strides where there are any, as dimensions.
            _ => unsafe { std::slice::from_raw_parts(place, rank as usize) }.to_vec(),
        };
        taken.shape = list(tensor.shape);
        if taken.shape.iter().any(|size| *size < 0) {
            return refuse(format!("its sizes are {:?}", taken.shape));
        }
        taken.strides = if tensor.strides.is_null() { contiguous(&taken.shape) } else { list(tensor.strides) };
        let address = (tensor.data as u64).wrapping_add(tensor.byte_offset);
        // SAFETY: the caller vouches for the memory, which lives until the tensor is given back.
        taken.address = unsafe { DeviceAddress::from_raw(address) };
        (taken.element, taken.ordinal) = (element, ordinal);
        Ok(taken)
    }

    /// Where its first element is.
    pub fn address(&self) -> DeviceAddress {
        self.address
    }

    /// The type of its elements.
    pub fn element(&self) -> ScalarType {
        self.element
    }

    /// The number of its GPU.
    pub fn ordinal(&self) -> usize {
        self.ordinal
    }

    /// Elements along each dimension.
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// Elements from one index to the next along each dimension.
    pub fn strides(&self) -> &[i64] {
        &self.strides
    }

    /// As an argument of a launch.
    ///
    /// # Errors
    /// Elements of another type.
    pub fn pointer<T: Element>(&self) -> Result<Pointer<T>> {
        if T::TYPE != self.element {
            return Err(Error::Dlpack(format!("its elements are {}, not {}", self.element, T::TYPE)));
        }
        Ok(Pointer::new(self.address))
    }

    /// As a tensor that a kernel moves blocks of.
    pub fn descriptor(&self) -> Descriptor<'_> {
        Descriptor { address: self.address, element: self.element, shape: &self.shape, strides: &self.strides }
    }
}

impl Drop for DlpackTensor {
    fn drop(&mut self) {
        // SAFETY: the tensor was taken over in `from_raw`, and is given back here alone.
        unsafe {
            if let Some(deleter) = self.managed.as_ref().deleter {
                deleter(self.managed.as_ptr());
            }
        }
    }
}

/// The strides of a tensor without gaps.
fn contiguous(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; shape.len()];
    for at in (1..shape.len()).rev() {
        strides[at - 1] = strides[at].saturating_mul(shape[at].max(1));
    }
    strides
}

/// Memory that went out, with what its tensor points to.
struct Exported {
    managed: DlManagedTensor,
    shape: Vec<i64>,
    strides: Vec<i64>,
    _memory: Memory,
}

unsafe extern "C" fn free(managed: *mut DlManagedTensor) {
    // SAFETY: DLPack's users call this once, with the pointer that `into_dlpack` gave; its context is the box.
    drop(unsafe { Box::from_raw((*managed).context.cast::<Exported>()) });
}

impl Memory {
    /// The memory as a contiguous tensor that another library takes over. It is freed when that library gives it back.
    ///
    /// # Errors
    /// More elements than the memory has room for, and elements that DLPack has no name for.
    pub fn into_dlpack(self, element: ScalarType, shape: &[i64]) -> Result<NonNull<DlManagedTensor>> {
        let refuse = |what: String| Err(Error::Dlpack(what));
        let Some(ty) = DlType::of(element) else { return refuse(format!("DLPack has no name for {element}")) };
        let elements = shape.iter().try_fold(1u64, |count, size| count.checked_mul(u64::try_from(*size).ok()?));
        let bytes = elements.and_then(|count| count.checked_mul(u64::from(element.bytes())));
        if shape.len() > MOST_DIMENSIONS as usize || bytes.is_none_or(|bytes| bytes > self.len() as u64) {
            return refuse(format!("{} bytes of memory have no room for {shape:?} of {element}", self.len()));
        }
        let tensor = DlTensor {
            data: self.address().raw() as *mut c_void,
            device_type: CUDA,
            device_number: i32::try_from(self.ordinal()).unwrap_or(0),
            dimensions: shape.len() as i32,
            ty,
            shape: std::ptr::null_mut(),
            strides: std::ptr::null_mut(),
            byte_offset: 0,
        };
        let managed = DlManagedTensor { tensor, context: std::ptr::null_mut(), deleter: Some(free) };
        let (shape, strides) = (shape.to_vec(), contiguous(shape));
        let exported = Box::into_raw(Box::new(Exported { managed, shape, strides, _memory: self }));
        // SAFETY: the box was just given away, so this is the only reference; the lists do not move any more.
        unsafe {
            (*exported).managed.context = exported.cast();
            (*exported).managed.tensor.shape = (*exported).shape.as_mut_ptr();
            (*exported).managed.tensor.strides = (*exported).strides.as_mut_ptr();
            Ok(NonNull::new_unchecked(&raw mut (*exported).managed))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    unsafe extern "C" fn count(managed: *mut DlManagedTensor) {
        // SAFETY: the context of the tensors of these tests is a counter that outlives them.
        unsafe { (*(*managed).context.cast::<AtomicU32>()).fetch_add(1, Ordering::Relaxed) };
    }

    /// Takes a tensor over, and says what came of it and how often it was given back.
    fn take(change: &dyn Fn(&mut DlTensor)) -> (Result<String>, u32) {
        let (mut shape, mut strides, given_back) = ([4, 6], [8, 1], AtomicU32::new(0));
        let mut tensor = DlTensor {
            data: 0x1000 as *mut c_void,
            device_type: CUDA,
            device_number: 1,
            dimensions: 2,
            ty: DlType::of(ScalarType::F16).unwrap(),
            shape: shape.as_mut_ptr(),
            strides: strides.as_mut_ptr(),
            byte_offset: 32,
        };
        change(&mut tensor);
        let context = (&raw const given_back).cast_mut().cast();
        let mut managed = DlManagedTensor { tensor, context, deleter: Some(count) };
        // SAFETY: the tensor lives until the end of this function, and there is no memory behind it that anybody uses.
        let taken = unsafe { DlpackTensor::from_raw(NonNull::from(&mut managed)) };
        let said = taken.map(|tensor| {
            assert_eq!(given_back.load(Ordering::Relaxed), 0);
            let Descriptor { address, element, shape, strides } = tensor.descriptor();
            assert!(tensor.pointer::<i64>().is_err());
            format!("{element} {shape:?} {strides:?} at {:#x} on {}", address.raw(), tensor.ordinal())
        });
        (said, given_back.load(Ordering::Relaxed))
    }

    #[test]
    fn tensors_are_read_and_given_back_once() {
        assert_eq!(take(&|_| ()), (Ok("fp16 [4, 6] [8, 1] at 0x1020 on 1".to_string()), 1));
        let contiguous = take(&|tensor| tensor.strides = std::ptr::null_mut());
        assert_eq!(contiguous, (Ok("fp16 [4, 6] [6, 1] at 0x1020 on 1".to_string()), 1));
        assert_eq!(take(&|tensor| tensor.dimensions = 0).0, Ok("fp16 [] [] at 0x1020 on 1".to_string()));
    }

    #[test]
    fn what_no_kernel_takes_is_refused_and_given_back() {
        let refused = |change: &dyn Fn(&mut DlTensor), words: &str| {
            let (said, given_back) = take(change);
            let error = said.unwrap_err().to_string();
            assert!(error.contains(words) && given_back == 1, "{error}, given back {given_back} times");
        };
        refused(&|tensor| tensor.device_type = 1, "in the memory of a GPU");
        refused(&|tensor| tensor.device_number = -1, "no element type");
        refused(&|tensor| tensor.ty.lanes = 4, "4 lanes");
        refused(&|tensor| tensor.ty.code = 5, "code 5");
        refused(&|tensor| tensor.dimensions = -1, "-1 dimensions");
        refused(&|tensor| tensor.dimensions = 65, "65 dimensions");
        refused(&|tensor| tensor.shape = std::ptr::null_mut(), "2 dimensions");
    }

    #[test]
    fn every_type_has_its_own_name() {
        for element in ScalarType::all() {
            assert!(DlType::of(element).is_none_or(|ty| ty.element() == Some(element)), "{element}");
        }
    }
}
