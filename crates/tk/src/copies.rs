//! Host buffers on the device: uploaded when a launch needs them, fetched back when host code looks.
//!
//! A launch on a GPU returns before the kernel has run, so a fault shows later, when something waits for the device. The
//! [`Queue`] remembers what was launched since then, so that the fault can name the launch it most likely comes from.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;
use tk_diag::{Diagnostic, Result, SourceFile, Span};
use tk_host::{BufferRef, DeviceCopy, Newest};
use tk_launch::{Buffer, Device};

/// The launches that nothing has waited for, and the fault that nobody has been told.
#[derive(Default)]
pub(crate) struct Queue(RefCell<QueueState>);

#[derive(Default)]
struct QueueState {
    last: Option<(SourceFile, Span)>,
    launches: usize,
    fault: Option<Box<Diagnostic>>,
}

impl Queue {
    /// A kernel was launched at this place.
    pub(crate) fn add(&self, file: &SourceFile, span: Span) {
        let state = &mut *self.0.borrow_mut();
        state.launches += 1;
        state.last = Some((file.clone(), span));
    }

    /// Every launch so far has run, or one of them failed with this error.
    pub(crate) fn waited(&self, result: Result<()>) -> Result<()> {
        let state = &mut *self.0.borrow_mut();
        let (launches, last) = (std::mem::take(&mut state.launches), state.last.take());
        let Err(error) = result else { return Ok(()) };
        let Some((file, span)) = last.filter(|_| error.labels.is_empty()) else { return Err(error) };
        let label = match launches {
            1 => "in this launch".to_string(),
            _ => format!("in this launch or one of the {} before it", launches - 1),
        };
        Err(error.at(&file, span, label).boxed())
    }

    /// The fault, once.
    pub(crate) fn take_fault(&self) -> Option<Box<Diagnostic>> {
        self.0.borrow_mut().fault.take()
    }

    fn keep(&self, fault: Box<Diagnostic>) {
        self.0.borrow_mut().fault.get_or_insert(fault);
    }
}

/// A host buffer's bytes on a device.
pub(crate) struct Copy {
    device: Device,
    pub(crate) buffer: Buffer,
    queue: Rc<Queue>,
}

impl DeviceCopy for Copy {
    fn fetch(&self, bytes: &mut [u8]) {
        let read = self.device.read(&self.buffer, bytes);
        if let Err(fault) = self.queue.waited(read) {
            self.queue.keep(fault);
        }
    }
}

/// The current copy of a host buffer on this device, made or brought up to date when it is not.
pub(crate) fn upload(device: &Device, queue: &Rc<Queue>, buffer: &BufferRef) -> Result<Rc<Copy>> {
    match copy_on(device, buffer) {
        Some(copy) => {
            if buffer.newest() == Newest::Host {
                device.write(&copy.buffer, 0, &buffer.bytes())?;
                buffer.set_newest(Newest::Both);
            }
            Ok(copy)
        }
        None => {
            let on_device = device.upload(&buffer.bytes())?;
            let copy = Rc::new(Copy { device: device.clone(), buffer: on_device, queue: queue.clone() });
            buffer.set_device_copy(copy.clone());
            Ok(copy)
        }
    }
}

fn copy_on(device: &Device, buffer: &BufferRef) -> Option<Rc<Copy>> {
    let copy: Rc<dyn Any> = buffer.device_copy()?;
    copy.downcast::<Copy>().ok().filter(|copy| copy.buffer.is_on(device))
}
