//! Turns: of several processes that need a kernel, one compiles it and the others wait for it.
//!
//! A turn is a lock on a file beside the entry. The lock ends with its process, however that ends, so nobody waits for the dead.
//! A place without locks (some network file systems, a folder that may not be written) has no turns: everyone compiles, which costs
//! time alone. So does a turn that lasts too long.

use super::Cache;
use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tk_diag::Result;
use tk_image::KernelImage;

/// How long one waits for another process to compile a kernel.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long a wait is between looks at a lock: at first, and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// What a cache has under a key.
pub enum LookUp<'c> {
    /// The image.
    Found(Box<KernelImage>),
    /// Nothing, and it is the turn of this process to compile it.
    Missing(Turn<'c>),
}

/// The turn to compile the kernel of a key. Others wait for it until it is stored or dropped.
pub struct Turn<'c> {
    cache: &'c Cache,
    key: String,
    lock: Option<Lock>,
}

/// A file that is locked as long as it is open.
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Whoever waits for this file looks for the entry next, and finds it; whoever comes later makes a file of their own.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Cache {
    /// The image under this key, here or on other machines, or the turn to compile it. Waits, within limits, for another process that compiles it.
    pub fn look_up(&self, key: &str) -> LookUp<'_> {
        self.look_up_within(key, PATIENCE)
    }

    pub(super) fn look_up_within(&self, key: &str, patience: Duration) -> LookUp<'_> {
        if let Some(image) = self.find(key) {
            return LookUp::Found(Box::new(image));
        }
        let lock = self.lock(key, patience);
        match self.find(key).or_else(|| self.fetch(key)) {
            Some(image) => LookUp::Found(Box::new(image)),
            None => LookUp::Missing(Turn { cache: self, key: key.to_string(), lock }),
        }
    }

    /// The lock of a key; nothing where there are no locks, or where the time is over.
    fn lock(&self, key: &str, patience: Duration) -> Option<Lock> {
        std::fs::create_dir_all(self.folder()).ok()?;
        let path = self.lock_path(key);
        let (start, mut pause) = (Instant::now(), FIRST_PAUSE);
        let file = File::options().create(true).append(true).open(&path).ok()?;
        loop {
            match file.try_lock() {
                Ok(()) => return Some(Lock { path, _file: file }),
                Err(TryLockError::WouldBlock) if start.elapsed() < patience => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(TryLockError::WouldBlock | TryLockError::Error(_)) => return None,
            }
        }
    }
}

impl Turn<'_> {
    /// Stores what was compiled, and ends the turn.
    ///
    /// # Errors
    /// A cache that cannot be written, as a warning that callers may show.
    pub fn store(self, image: &KernelImage) -> Result<()> {
        let stored = self.cache.store(&self.key, image);
        drop(self.lock);
        stored
    }
}
