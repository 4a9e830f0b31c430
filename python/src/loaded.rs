//! A compiled kernel on the devices that it was loaded on: one as a rule, more where a program launches a compiled kernel on several GPUs.

use std::borrow::Cow;
use std::sync::{Mutex, OnceLock, PoisonError};
use tk_launch::Kernel;

/// A kernel with the number of its GPU; nothing for the simulator.
type Placed = (Option<usize>, Kernel);

/// Where a kernel was loaded.
#[derive(Default)]
pub(crate) struct Loaded {
    /// The first device, which launches find without a lock.
    first: OnceLock<Placed>,
    others: Mutex<Vec<Placed>>,
}

impl Loaded {
    /// The kernel on the device that it was loaded on first.
    pub(crate) fn first(&self) -> Option<&Kernel> {
        self.first.get().map(|(_, kernel)| kernel)
    }

    /// The kernel on a device, where it was loaded there.
    pub(crate) fn on(&self, ordinal: Option<usize>) -> Option<Cow<'_, Kernel>> {
        match self.first.get()? {
            (place, kernel) if *place == ordinal => Some(Cow::Borrowed(kernel)),
            _ => {
                let others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
                others.iter().find(|(place, _)| *place == ordinal).map(|(_, kernel)| Cow::Owned(kernel.clone()))
            }
        }
    }

    /// Keeps a kernel that was loaded on a device.
    pub(crate) fn keep(&self, ordinal: Option<usize>, kernel: Kernel) -> Cow<'_, Kernel> {
        let (place, first) = self.first.get_or_init(|| (ordinal, kernel.clone()));
        if *place == ordinal {
            return Cow::Borrowed(first);
        }
        self.others.lock().unwrap_or_else(PoisonError::into_inner).push((ordinal, kernel.clone()));
        Cow::Owned(kernel)
    }
}
