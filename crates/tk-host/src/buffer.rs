//! The bytes of a tensor, shared by its views and by the launcher.
//!
//! A buffer can have a copy on a device. Either side can be the newer one: host code that writes makes the host's newer,
//! a launch makes the device's newer, and reading here fetches what the device has. So bytes move when host code looks at
//! them, not with every launch.
//!
//! A new tensor of one repeated element has no bytes on the host until host code looks: large tensors that kernels fill and
//! read live on the device alone.

use crate::exception::{Exception, Result};
use crate::unwritten::Unwritten;
use std::any::Any;
use std::cell::{Cell, Ref, RefCell, RefMut};
use std::ops::Range;
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicU64, Ordering};

/// The bytes of a buffer as a device has them. The buffer owns its copy, which goes when the buffer goes.
pub trait DeviceCopy: Any {
    /// Reads them back into `bytes`, which are as long, after every launch that may write them. A failure leaves `bytes`
    /// as they are and is told by [`crate::Launcher::fault`]: tensors are read in places that cannot fail.
    fn fetch(&self, bytes: &mut [u8]);

    /// Ranges of bytes, in order, that nothing has written; empty where that is not known.
    fn unwritten(&self) -> Vec<Range<usize>> {
        Vec::new()
    }
}

/// Who has the current bytes of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Newest {
    /// The host; a copy on a device, if there is one, is out of date.
    Host,
    /// The copy on the device; it is fetched when host code looks.
    Device,
    /// Both have the same.
    Both,
}

/// The storage of a tensor. Cheap to clone; clones are the same bytes.
#[derive(Clone)]
pub struct BufferRef(Rc<Buffer>);

/// A buffer that is not kept alive by this.
#[derive(Clone)]
pub struct WeakBufferRef(Weak<Buffer>);

impl WeakBufferRef {
    /// The buffer, if it is still alive.
    pub fn upgrade(&self) -> Option<BufferRef> {
        self.0.upgrade().map(BufferRef)
    }
}

struct Buffer {
    id: u64,
    newest: Cell<Newest>,
    copy: RefCell<Option<Rc<dyn DeviceCopy>>>,
    len: usize,
    /// The element that fills the buffer, while `bytes` is still empty.
    repeated: RefCell<Option<Vec<u8>>>,
    bytes: RefCell<Vec<u8>>,
    /// What nothing has written, as far as the host knows.
    unwritten: RefCell<Unwritten>,
}

thread_local! {
    /// Bytes of the buffers that are alive. Buffers do not leave their thread.
    static LIVE_BYTES: Cell<u64> = const { Cell::new(0) };
    /// What [`LIVE_BYTES`] may reach.
    static MOST_BYTES: Cell<u64> = const { Cell::new(u64::MAX) };
}

impl BufferRef {
    /// Takes the bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self::with(bytes.len(), None, bytes)
    }

    /// `count` times the bytes of one element, which are written when host code looks at them.
    pub fn repeated(element: &[u8], count: usize) -> Self {
        Self::with(element.len().saturating_mul(count), Some(element.to_vec()), Vec::new())
    }

    fn with(len: usize, repeated: Option<Vec<u8>>, bytes: Vec<u8>) -> Self {
        static NEXT_ID: AtomicU64 = AtomicU64::new(1);
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        LIVE_BYTES.set(LIVE_BYTES.get().saturating_add(len as u64));
        let (newest, copy) = (Cell::new(Newest::Host), RefCell::new(None));
        let (repeated, bytes) = (RefCell::new(repeated), RefCell::new(bytes));
        let unwritten = RefCell::default();
        Self(Rc::new(Buffer { id, newest, copy, len, repeated, bytes, unwritten }))
    }

    /// The same buffer, without keeping it alive.
    pub fn downgrade(&self) -> WeakBufferRef {
        WeakBufferRef(Rc::downgrade(&self.0))
    }

    /// A number that no other buffer of this process has.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.0.len
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The copy on a device, if a launcher gave one.
    pub fn device_copy(&self) -> Option<Rc<dyn DeviceCopy>> {
        self.0.copy.borrow().clone()
    }

    /// Hands over the copy on a device, which has the same bytes; one that was there goes.
    pub fn set_device_copy(&self, copy: Rc<dyn DeviceCopy>) {
        *self.0.copy.borrow_mut() = Some(copy);
        self.0.newest.set(Newest::Both);
    }

    /// The element that fills the whole buffer, while nothing has read or written it.
    pub fn element(&self) -> Option<Vec<u8>> {
        self.0.repeated.borrow().clone().filter(|_| self.newest() == Newest::Host)
    }

    /// Who has the current bytes.
    pub fn newest(&self) -> Newest {
        self.0.newest.get()
    }

    /// Says who has the current bytes from now on.
    pub fn set_newest(&self, newest: Newest) {
        self.0.newest.set(newest);
    }

    /// The bytes, fetched from the device when it has newer ones. Do not hold them across a call to [`Self::bytes_mut`].
    pub fn bytes(&self) -> Ref<'_, Vec<u8>> {
        self.fetch();
        self.0.bytes.borrow()
    }

    /// Says that nothing has written these bytes, ranges in order, whatever they hold.
    pub fn set_unwritten(&self, ranges: Vec<Range<usize>>) {
        *self.0.unwritten.borrow_mut() = Unwritten::new(ranges);
    }

    /// Ranges of bytes, in order, that nothing has written, as the host knows it: what a kernel wrote since counts as unwritten until
    /// the bytes are fetched.
    pub fn unwritten(&self) -> Vec<Range<usize>> {
        self.0.unwritten.borrow().ranges().to_vec()
    }

    /// Calls `f` with what nothing has written, if there is anything, after the newest bytes were fetched.
    pub(crate) fn with_unwritten(&self, f: impl FnOnce(&mut Unwritten)) {
        self.fetch();
        let mut unwritten = self.0.unwritten.borrow_mut();
        if !unwritten.is_empty() {
            f(&mut unwritten);
        }
    }

    /// The bytes, to be changed; the length stays. All count as written.
    pub fn bytes_mut(&self) -> RefMut<'_, [u8]> {
        self.fetch();
        self.set_unwritten(Vec::new());
        self.bytes_in_part()
    }

    /// The same for one who says by [`Self::with_unwritten`] which bytes were written.
    pub(crate) fn bytes_in_part(&self) -> RefMut<'_, [u8]> {
        self.fetch();
        self.0.newest.set(Newest::Host);
        RefMut::map(self.0.bytes.borrow_mut(), Vec::as_mut_slice)
    }

    fn fetch(&self) {
        if let Some(element) = self.0.repeated.take() {
            *self.0.bytes.borrow_mut() = match element.iter().find(|byte| **byte != element[0]) {
                // What the device has is about to replace it.
                _ if self.newest() == Newest::Device => vec![0; self.len()],
                None => vec![element.first().copied().unwrap_or(0); self.len()],
                Some(_) => element.repeat(self.len() / element.len()),
            };
        }
        if self.0.newest.get() == Newest::Device {
            self.0.newest.set(Newest::Both);
            if let Some(copy) = self.device_copy() {
                copy.fetch(&mut self.0.bytes.borrow_mut());
                self.set_unwritten(copy.unwritten());
            }
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        LIVE_BYTES.set(LIVE_BYTES.get().saturating_sub(self.len as u64));
    }
}

impl std::fmt::Debug for BufferRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "buffer {} of {} bytes", self.id(), self.len())
    }
}

/// Sets how many bytes the buffers of this thread may have together.
pub(crate) fn set_limit(bytes: u64) {
    MOST_BYTES.set(bytes);
}

/// Whether `more` bytes can be added to the buffers there are.
pub(crate) fn check_room(more: usize) -> Result<()> {
    let (live, most) = (LIVE_BYTES.get(), MOST_BYTES.get());
    if live.saturating_add(more as u64) <= most {
        return Ok(());
    }
    let message = match more {
        0 => format!("the tensors of this program take {live} bytes; the limit is {most}"),
        _ => format!("there is no room for {more} more bytes of tensors: {live} are in use and the limit is {most}"),
    };
    let exception = Exception::new("MemoryError", tk_diag::TOO_LARGE, message);
    Err(exception.help("use smaller tensors, and let go of those that are not needed any more"))
}
