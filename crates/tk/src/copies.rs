//! Host buffers on the device: uploaded when a launch needs them, fetched back when host code looks.
//!
//! A launch on a GPU returns before the kernel has run, so a fault shows later, when something waits for the device. The
//! [`Queue`] remembers what was launched since then, so that the fault can name the launch it most likely comes from.

use std::any::Any;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use tk_diag::{Code, Diagnostic, Result, SourceFile, Span};
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
    /// The kind of the last error that was told.
    told: Option<Code>,
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
        match result {
            Ok(()) => {
                let state = &mut *self.0.borrow_mut();
                (state.launches, state.last) = (0, None);
                Ok(())
            }
            Err(error) => Err(self.blame(error)),
        }
    }

    /// An error without a place gets that of the launches which nothing has waited for: one of them made it.
    pub(crate) fn blame(&self, error: Box<Diagnostic>) -> Box<Diagnostic> {
        let state = &mut *self.0.borrow_mut();
        state.told = Some(error.code);
        let (launches, last) = (std::mem::take(&mut state.launches), state.last.take());
        let Some((file, span)) = last.filter(|_| error.labels.is_empty()) else { return error };
        let label = match launches {
            1 => "in this launch".to_string(),
            2 => "in this launch or the one before it".to_string(),
            _ => format!("in this launch or one of the {} before it", launches - 1),
        };
        error.at(&file, span, label).boxed()
    }

    /// Whether the program was told of this error: after a fault, a GPU answers every call with it.
    pub(crate) fn was_told(&self, error: &Diagnostic) -> bool {
        self.0.borrow().told == Some(error.code)
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

    fn unwritten(&self) -> Vec<Range<usize>> {
        self.device.unwritten(&self.buffer).unwrap_or_default()
    }
}

/// The current copy of a host buffer on this device, made or brought up to date when it is not.
pub(crate) fn upload(device: &Device, queue: &Rc<Queue>, buffer: &BufferRef) -> Result<Rc<Copy>> {
    match copy_on(device, buffer) {
        Some(copy) => {
            if buffer.newest() == Newest::Host {
                device.write(&copy.buffer, 0, &buffer.bytes())?;
                forget(device, &copy.buffer, buffer)?;
                buffer.set_newest(Newest::Both);
            }
            Ok(copy)
        }
        None => {
            let on_device = match buffer.element() {
                Some(element) => device.upload_repeated(&element, buffer.len())?,
                None => device.upload(&buffer.bytes())?,
            };
            forget(device, &on_device, buffer)?;
            let copy = Rc::new(Copy { device: device.clone(), buffer: on_device, queue: queue.clone() });
            buffer.set_device_copy(copy.clone());
            Ok(copy)
        }
    }
}

/// Tells the device what nothing has written of a buffer.
fn forget(device: &Device, copy: &Buffer, buffer: &BufferRef) -> Result<()> {
    buffer.unwritten().into_iter().try_for_each(|range| device.forget(copy, range))
}

fn copy_on(device: &Device, buffer: &BufferRef) -> Option<Rc<Copy>> {
    let copy: Rc<dyn Any> = buffer.device_copy()?;
    copy.downcast::<Copy>().ok().filter(|copy| copy.buffer.is_on(device))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tk_diag::{DEVICE, OUT_OF_BOUNDS};

    #[test]
    fn a_fault_names_the_launches_it_may_come_from() {
        let file = SourceFile::new("k.tk", "k[grid](x)\n");
        let fault = || Err(Diagnostic::error(OUT_OF_BOUNDS, "a fault").boxed());
        let queue = Queue::default();
        queue.add(&file, Span::new(0, 10));
        assert!(queue.waited(Ok(())).is_ok());
        for (launches, label) in [
            (1, Some("in this launch")),
            (2, Some("in this launch or the one before it")),
            (5, Some("in this launch or one of the 4 before it")),
            (0, None),
        ] {
            (0..launches).for_each(|_| queue.add(&file, Span::new(0, 10)));
            let error = queue.waited(fault()).unwrap_err();
            assert_eq!(error.labels.first().map(|label| label.text.as_str()), label);
            assert!(queue.was_told(&error));
        }
        assert!(!queue.was_told(&Diagnostic::error(DEVICE, "another")));
        queue.keep(Diagnostic::error(OUT_OF_BOUNDS, "first").boxed());
        queue.keep(Diagnostic::error(OUT_OF_BOUNDS, "second").boxed());
        assert_eq!(queue.take_fault().map(|fault| fault.message), Some("first".to_string()));
        assert!(queue.take_fault().is_none());
    }
}
