//! The bytes of a tensor, shared by its views and by the launcher.

use std::cell::{Cell, Ref, RefCell, RefMut};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The storage of a tensor. Cheap to clone; clones are the same bytes.
#[derive(Clone)]
pub struct BufferRef(Rc<Buffer>);

struct Buffer {
    id: u64,
    version: Cell<u64>,
    bytes: RefCell<Vec<u8>>,
}

impl BufferRef {
    /// Takes the bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        static NEXT_ID: AtomicU64 = AtomicU64::new(1);
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        Self(Rc::new(Buffer { id, version: Cell::new(0), bytes: RefCell::new(bytes) }))
    }

    /// A number that no other buffer of this process has.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// Grows with every [`Self::bytes_mut`], so that a copy on a device can be known to be current.
    pub fn version(&self) -> u64 {
        self.0.version.get()
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.0.bytes.borrow().len()
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes. Do not hold them across a call to [`Self::bytes_mut`].
    pub fn bytes(&self) -> Ref<'_, Vec<u8>> {
        self.0.bytes.borrow()
    }

    /// The bytes, to be changed; the length stays.
    pub fn bytes_mut(&self) -> RefMut<'_, [u8]> {
        self.0.version.set(self.0.version.get() + 1);
        RefMut::map(self.0.bytes.borrow_mut(), Vec::as_mut_slice)
    }
}

impl std::fmt::Debug for BufferRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "buffer {} of {} bytes", self.id(), self.len())
    }
}
