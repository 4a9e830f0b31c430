//! What was compiled, for other machines: the part of the cache that is not on this one. OpenDAL knows the services, and only this crate
//! knows OpenDAL.
//!
//! `TK_CACHE_REMOTE` names the place: `redis://host:6379`, `file:///mnt/tk`, and in builds with the feature `web` `s3://bucket?region=…`,
//! `https://host/folder` (which is only read). What comes from there is checked by the cache as what comes from the disk is.
//!
//! A place that is slow or gone costs time, and not much: every question has a time limit, and after a few that failed in a row this
//! process asks no more.

use opendal::{ErrorKind, Operator};
use std::fmt;
use std::future::Future;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;
use tk_launch::{Cache, Remote};
use tokio::runtime::{Builder, Handle};

/// The variable that names the place.
const VARIABLE: &str = "TK_CACHE_REMOTE";

/// How long one waits for an answer, and for something to be stored.
const READ_LIMIT: Duration = Duration::from_millis(700);
const WRITE_LIMIT: Duration = Duration::from_millis(1500);

/// How much longer one waits for the thread that asks.
const SLACK: Duration = Duration::from_millis(100);

/// So many questions in a row that failed are enough.
const MOST_FAILURES: u32 = 3;

/// The most bytes of an entry that is taken.
const MOST_BYTES: u64 = 256 << 20;

/// Where the processes that write to one folder put what is not finished, inside of it.
const UNFINISHED: &str = ".part";

/// The user's cache with the remote one that `TK_CACHE_REMOTE` names behind it. `None` when there is no cache. A place that cannot be used
/// is said on standard error, once.
pub fn open_default_cache() -> Option<Cache> {
    static REMOTE: OnceLock<Option<Arc<Service>>> = OnceLock::new();
    let cache = Cache::open_default()?;
    let open = || {
        let place = std::env::var(VARIABLE).ok().filter(|place| !place.is_empty())?;
        let service = Service::open(&place);
        service.map_err(|reason| eprintln!("tk: {VARIABLE}: {reason}; there is no remote cache")).ok().map(Arc::new)
    };
    match REMOTE.get_or_init(open) {
        Some(service) => Some(cache.with_remote(service.clone())),
        None => Some(cache),
    }
}

/// A place that is asked by a thread of its own.
pub struct Service {
    /// The place without what may be secret in it.
    name: String,
    operator: Operator,
    thread: Handle,
    failures: AtomicU32,
    /// How often in a row it took nothing: a place may be one that is only read.
    refused: AtomicU32,
}

impl Service {
    /// The service at this place. Nothing is asked of it yet.
    ///
    /// # Errors
    /// A sentence about a place that is none, or that this build does not know.
    pub fn open(place: &str) -> Result<Self, String> {
        let name = without_secrets(place);
        let options = match place.strip_prefix("file://") {
            Some(folder) => {
                let root = folder.split('?').next().unwrap_or_default().trim_end_matches('/');
                vec![("atomic_write_dir".to_string(), format!("{root}/{UNFINISHED}"))]
            }
            None => Vec::new(),
        };
        opendal::install_default();
        let place = if place.starts_with("https://") { place.replacen("https://", "http://", 1) } else { place.into() };
        let options = if name.starts_with("https://") {
            let endpoint =
                name.split('?').next().unwrap_or_default().splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
            vec![("endpoint".to_string(), endpoint)]
        } else {
            options
        };
        let operator = Operator::from_uri((place.as_str(), options)).map_err(|error| {
            let known = if cfg!(feature = "web") { "" } else { " (this build of tk knows redis and file)" };
            format!("{name} is no place for a cache: {}{known}", error.kind())
        })?;
        let thread = start_thread().map_err(|error| format!("a thread does not start: {error}"))?;
        Ok(Self { name, operator, thread, failures: AtomicU32::new(0), refused: AtomicU32::new(0) })
    }

    /// Whether it failed so often that it is asked no more.
    pub fn has_given_up(&self) -> bool {
        self.failures.load(Ordering::Relaxed) >= MOST_FAILURES
    }

    /// Whether it took nothing so often that it is only read.
    pub fn is_only_read(&self) -> bool {
        self.refused.load(Ordering::Relaxed) >= MOST_FAILURES
    }

    /// Runs a question on the thread of the service, within a time limit. The outer error is that there was no answer in time.
    fn ask<T: Send + 'static>(
        &self,
        limit: Duration,
        question: impl Future<Output = opendal::Result<T>> + Send + 'static,
    ) -> Option<opendal::Result<T>> {
        if self.has_given_up() {
            return None;
        }
        let (sender, receiver) = mpsc::sync_channel(1);
        self.thread.spawn(async move {
            let answer = tokio::time::timeout(limit, question).await;
            let _ = sender.try_send(answer.ok());
        });
        receiver.recv_timeout(limit + SLACK).ok().flatten()
    }

    /// Notes down whether a question was answered.
    fn note_answer<T>(&self, answer: Option<opendal::Result<T>>) -> Option<T> {
        if self.has_given_up() {
            return None;
        }
        let is_alive = match &answer {
            Some(Ok(_)) => true,
            // The service answered; it has no such entry, or may only be read.
            Some(Err(error)) => matches!(
                error.kind(),
                ErrorKind::NotFound | ErrorKind::Unsupported | ErrorKind::PermissionDenied | ErrorKind::AlreadyExists
            ),
            None => false,
        };
        self.note(is_alive);
        answer?.ok()
    }

    fn note(&self, is_alive: bool) {
        if is_alive {
            self.failures.store(0, Ordering::Relaxed);
        } else if self.failures.fetch_add(1, Ordering::Relaxed) + 1 == MOST_FAILURES {
            eprintln!("tk: the remote cache {} does not answer; it is asked no more", self.name);
        }
    }
}

impl Remote for Service {
    fn get(&self, name: &str) -> Option<Vec<u8>> {
        let (operator, name) = (self.operator.clone(), name.to_string());
        let answer = self.ask(READ_LIMIT, async move {
            let bytes = operator.stat(&name).await?.content_length();
            if bytes > MOST_BYTES {
                return Ok(None);
            }
            Ok(Some(operator.read(&name).await?.to_vec()))
        });
        self.note_answer(answer)?
    }

    fn put(&self, name: &str, bytes: Vec<u8>) {
        if self.is_only_read() {
            return;
        }
        let (operator, name) = (self.operator.clone(), name.to_string());
        match self.ask(WRITE_LIMIT, async move { operator.write(&name, bytes).await.map(drop) }) {
            Some(Ok(())) => {
                self.refused.store(0, Ordering::Relaxed);
                self.note(true);
            }
            // What may only be read still answers questions, so this says nothing of those.
            Some(Err(_)) => drop(self.refused.fetch_add(1, Ordering::Relaxed)),
            None if self.has_given_up() => {}
            None => self.note(false),
        }
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Service({})", self.name)
    }
}

/// A thread that runs questions as long as the process lives.
fn start_thread() -> std::io::Result<Handle> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    std::thread::Builder::new()
        .name("tk-remote".into())
        .spawn(move || runtime.block_on(std::future::pending::<()>()))?;
    Ok(handle)
}

/// The place without user, password and options.
fn without_secrets(place: &str) -> String {
    let place = place.split('?').next().unwrap_or_default();
    match place.split_once("://") {
        Some((scheme, rest)) => format!("{scheme}://{}", rest.rsplit('@').next().unwrap_or_default()),
        None => place.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_places_hold_no_secrets() {
        assert_eq!(without_secrets("redis://me:secret@host:1/2?password=x"), "redis://host:1/2");
        assert_eq!(without_secrets("file:///mnt/tk"), "file:///mnt/tk");
    }

    #[test]
    fn places_that_are_none_are_refused() {
        for place in ["", "nonsense", "gopher://host/", "redis://"] {
            let error = Service::open(place).err().unwrap_or_else(|| panic!("{place} was opened"));
            assert!(error.contains("is no place for a cache"), "{place}: {error}");
        }
    }
}
