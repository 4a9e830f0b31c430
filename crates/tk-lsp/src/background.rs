//! Work in the background: one thread that does the latest job of each file, after a pause, and stops what nobody waits for any more.

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use lsp_types::Url;
use rustc_hash::FxHashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Stack of the thread. Nesting in the input is bounded, so this is never used up; what is not used costs nothing.
const STACK_BYTES: usize = 512 << 20;
/// The longest that one job may take.
const MAX_TIME: Duration = Duration::from_secs(30);

/// How a job ended that did not do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It took longer than a job may.
    TooLong,
    /// Something that can only happen when tk is wrong.
    Panicked,
}

/// What a job does. It asks from time to time whether it has to stop; what it then gives means nothing.
type Work = Box<dyn FnOnce(&dyn Fn() -> bool) + Send>;
/// Who hears of a job that did not do its work: with the words of a panic.
type Excuse = Box<dyn FnOnce(Ended, String) + Send>;

struct Job {
    uri: Url,
    ticket: u64,
    due: Instant,
    work: Work,
    excuse: Excuse,
}

/// The latest job of each file.
#[derive(Default)]
struct Latest(Mutex<FxHashMap<Url, u64>>);

impl Latest {
    fn set(&self, uri: &Url, ticket: Option<u64>) {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match ticket {
            Some(ticket) => drop(latest.insert(uri.clone(), ticket)),
            None => drop(latest.remove(uri)),
        }
    }

    fn is(&self, uri: &Url, ticket: u64) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(uri) == Some(&ticket)
    }
}

/// A thread with jobs. It ends when this is dropped.
pub(crate) struct Background {
    jobs: Sender<Job>,
    latest: Arc<Latest>,
    next: AtomicU64,
}

impl Background {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub(crate) fn start(name: &str) -> std::io::Result<Self> {
        let (jobs, waiting) = unbounded();
        let latest = Arc::new(Latest::default());
        let seen = latest.clone();
        let thread = std::thread::Builder::new().name(name.to_string()).stack_size(STACK_BYTES);
        thread.spawn(move || run(&waiting, &seen))?;
        Ok(Self { jobs, latest, next: AtomicU64::new(1) })
    }

    /// Does something for a file after a pause, in place of what else was to be done for it.
    pub(crate) fn submit(&self, uri: &Url, pause: Duration, work: Work, excuse: Excuse) {
        let ticket = self.next.fetch_add(1, Ordering::Relaxed);
        self.latest.set(uri, Some(ticket));
        let job = Job { uri: uri.clone(), ticket, due: Instant::now() + pause, work, excuse };
        // Without its thread nothing can be done; what needs none goes on.
        let _ = self.jobs.send(job);
    }

    /// Does nothing more for a file.
    pub(crate) fn forget(&self, uri: &Url) {
        self.latest.set(uri, None);
    }
}

fn run(waiting: &Receiver<Job>, latest: &Latest) {
    let mut pending: Vec<Job> = Vec::new();
    loop {
        let due = pending.iter().map(|job| job.due).min();
        let received = match due {
            None => waiting.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(due) => waiting.recv_deadline(due),
        };
        match received {
            Ok(job) => {
                pending.retain(|other| other.uri != job.uri);
                pending.push(job);
            }
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                let now = Instant::now();
                let Some(at) = pending.iter().position(|job| job.due <= now) else { continue };
                one(pending.remove(at), latest);
            }
        }
    }
}

fn one(job: Job, latest: &Latest) {
    let Job { uri, ticket, work, excuse, .. } = job;
    let end = Instant::now() + MAX_TIME;
    let is_stopped = || !latest.is(&uri, ticket) || Instant::now() > end;
    if is_stopped() {
        return;
    }
    let result = catch_unwind(AssertUnwindSafe(|| work(&is_stopped)));
    match result {
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
            excuse(Ended::Panicked, text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default());
        }
        Ok(()) if latest.is(&uri, ticket) && Instant::now() > end => excuse(Ended::TooLong, String::new()),
        Ok(()) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> Url {
        Url::parse(&format!("file:///{name}")).expect("an address")
    }

    #[test]
    fn only_the_latest_job_of_a_file_is_done_and_a_panic_ends_one_job() {
        let background = Background::start("test").expect("a thread");
        let (said, heard) = unbounded();
        let say = |text: &'static str| -> Work {
            let said = said.clone();
            Box::new(move |_| said.send(text.to_string()).expect("the test listens"))
        };
        let no_excuse = || -> Excuse { Box::new(|_, _| {}) };
        let excused = said.clone();
        let pause = Duration::from_millis(20);
        background.submit(&file("a"), pause, say("first"), no_excuse());
        background.submit(&file("a"), pause, say("second"), no_excuse());
        background.submit(&file("b"), pause, say("forgotten"), no_excuse());
        background.forget(&file("b"));
        let excuse: Excuse = Box::new(move |ended, text| {
            excused.send(format!("{ended:?} {text}")).expect("the test listens");
        });
        background.submit(&file("c"), pause * 2, Box::new(|_| panic!("on purpose")), excuse);
        background.submit(&file("d"), pause * 3, say("last"), no_excuse());
        assert_eq!(heard.iter().take(3).collect::<Vec<_>>(), ["second", "Panicked on purpose", "last"]);
    }

    #[test]
    fn a_job_is_told_that_a_later_one_came() {
        let background = Background::start("test").expect("a thread");
        let (said, heard) = unbounded();
        let (begun, begins) = unbounded();
        let stopped = said.clone();
        let first: Work = Box::new(move |is_stopped| {
            begun.send(()).expect("the test listens");
            while !is_stopped() {
                std::thread::yield_now();
            }
            stopped.send("stopped").expect("the test listens");
        });
        background.submit(&file("a"), Duration::ZERO, first, Box::new(|_, _| {}));
        begins.recv().expect("the job begins");
        let second: Work = Box::new(move |_| said.send("second").expect("the test listens"));
        background.submit(&file("a"), Duration::ZERO, second, Box::new(|_, _| {}));
        assert_eq!(heard.iter().take(2).collect::<Vec<_>>(), ["stopped", "second"]);
    }
}
