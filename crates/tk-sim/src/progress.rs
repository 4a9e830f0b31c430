//! How far a launch is, for people who wait for it.

use std::fmt::{Debug, Formatter};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a launch runs before it is told, and how often it is then.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far a launch is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The kernel.
    pub entry: String,
    /// Seconds since the launch.
    pub seconds: u64,
    /// CTAs that have begun.
    pub begun: u64,
    /// CTAs that have ended.
    pub ended: u64,
    /// CTAs of the launch.
    pub ctas: u64,
    /// Warp instructions executed.
    pub warp_instructions: u64,
    /// A CTA that runs, and the line at which it is, of the source or else of the PTX.
    pub example: Option<(u64, String)>,
}

impl std::fmt::Display for Progress {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Progress { entry, seconds, begun, ended, ctas, warp_instructions, .. } = self;
        let millions = warp_instructions / 1_000_000;
        write!(
            f,
            "{entry}: {ended} of {ctas} CTAs have ended and {begun} begun after {seconds} s, {millions} million warp instructions"
        )?;
        match &self.example {
            Some((cta, line)) => write!(f, "; CTA {cta} is at {line}"),
            None => Ok(()),
        }
    }
}

/// What a launch calls about once a second, from the second second on.
#[derive(Clone)]
pub struct ProgressHook(Arc<dyn Fn(&Progress) + Send + Sync>);

impl ProgressHook {
    /// A hook that calls this.
    pub fn new(tell: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    pub(crate) fn tell(&self, progress: &Progress) {
        (self.0)(progress);
    }
}

impl Debug for ProgressHook {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("ProgressHook")
    }
}

/// When a launch began, and when it was told of.
pub(crate) struct Watch {
    began: Instant,
    told: Instant,
}

impl Watch {
    pub(crate) fn start() -> Self {
        let began = Instant::now();
        Self { began, told: began }
    }

    /// Seconds since the launch, when it is time to tell of it.
    pub(crate) fn due(&mut self) -> Option<u64> {
        if self.told.elapsed() < PATIENCE {
            return None;
        }
        self.told = Instant::now();
        Some(self.began.elapsed().as_secs())
    }
}
