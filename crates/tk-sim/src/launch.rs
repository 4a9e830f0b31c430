//! Launches: a grid of CTAs shared out over the cores of this machine.
//!
//! Each worker takes a CTA, runs it for a slice and puts it back when it is not finished, so a CTA that waits for another one
//! (a lock, a counter) is never starved. Errors are those of the lowest CTA that has one, whatever the workers' timing.

use crate::cache_config::CacheConfig;
use crate::changed_maps::ChangedMaps;
use crate::cluster::{Cluster, Idle, Progress};
use crate::fault::Fault;
use crate::fault_report::LaunchError;
use crate::geometry::{Geometry, MOST_CTAS, MOST_WARPS};
use crate::global_races::GlobalRaces;
use crate::memory::DeviceMemory;
use crate::program::Program;
use crate::progress::{self, ProgressHook, Watch};
use crate::repeat::{MOST_STEPS, undo};
use crate::report::{Counters, MemoryReport, Runs};
use crate::roofline::MULTIPROCESSORS;
use crate::traffic::Traffic;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tk_diag::{BAD_LAUNCH, DEADLOCK, Diagnostic, Result, SourceFile, TOO_MUCH_SHARED_MEMORY};
use tk_ptx::Requirement;
use tk_target::{MAX_THREADS_PER_CTA, Target};

/// Idle slices of every CTA after which nothing can be expected any more.
const IDLE_SLICES: u32 = 16;

/// Lines that a report lists as those that write what a thread waits for.
const MOST_WRITERS: usize = 8;

/// How long a worker without work waits before it looks again.
const WAIT: std::time::Duration = std::time::Duration::from_micros(50);

/// One kernel argument: its bytes as they lie in the parameter buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg(pub Vec<u8>);

impl From<crate::memory::Buffer> for Arg {
    fn from(buffer: crate::memory::Buffer) -> Self {
        Arg(buffer.address().to_le_bytes().to_vec())
    }
}

macro_rules! args {
    ($($ty:ty),*) => {$(
        impl From<$ty> for Arg {
            fn from(value: $ty) -> Self {
                Arg(value.to_le_bytes().to_vec())
            }
        }
    )*};
}
args!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

/// When to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Warp instructions of one CTA.
    pub steps_per_cta: u64,
    /// Time of the whole launch; none for as long as it takes.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        // About a minute of one core.
        Self { steps_per_cta: 2_000_000_000, time: None }
    }
}

/// What stops a run besides accesses outside buffers and misaligned ones, which always do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Reads of global memory that nothing wrote.
    pub uninitialised_global: bool,
    /// Reads of shared memory that nothing wrote.
    pub uninitialised_shared: bool,
    /// Accesses of two threads to the same shared memory without a barrier between.
    pub shared_races: bool,
    /// wgmma and bulk copies that read what `cp.async` wrote without a `fence.proxy.async`; PTX demands one, and hardware has
    /// been seen to forgive it. Needs `shared_races`.
    pub copy_fences: bool,
    /// Operands of a wgmma that are overwritten when one warp of the warpgroup has waited for it, and the others have not; PTX demands that each
    /// waits, and hardware has been seen to forgive it. Needs `shared_races`.
    pub warpgroup_waits: bool,
    /// Accesses of two threads to the same global memory that nothing orders: no barrier within a CTA, no release and acquire
    /// between CTAs. Needs `shared_races`.
    pub global_races: bool,
}

impl Default for Checks {
    fn default() -> Self {
        Self {
            uninitialised_global: true,
            uninitialised_shared: true,
            shared_races: true,
            copy_fences: true,
            warpgroup_waits: true,
            global_races: true,
        }
    }
}

/// How to launch a kernel.
#[derive(Clone, Debug, Default)]
pub struct LaunchConfig {
    /// CTAs in x, y, z.
    pub grid: [u32; 3],
    /// Threads per CTA.
    pub threads_per_cta: u32,
    /// The same by axis; none for what `.reqntid` says, or all in x.
    pub block: Option<[u32; 3]>,
    /// CTAs of a cluster by axis; none for what `.reqnctapercluster` says, or one.
    pub cluster: Option<[u32; 3]>,
    /// Dynamic shared memory, bytes.
    pub shared_bytes: u32,
    /// Arguments in order; parameters beyond the last may not be read.
    pub args: Vec<Arg>,
    /// When to give up.
    pub limits: Limits,
    /// What to check.
    pub checks: Checks,
    /// Source files that `.loc` names, for messages and the report.
    pub sources: Vec<SourceFile>,
    /// Worker threads; 0 for one per core.
    pub threads: usize,
    /// What hears how far the launch is.
    pub progress: Option<ProgressHook>,
    /// The caches through which the traffic to global memory is run, for the memory report; none to leave them out.
    pub caches: Option<CacheConfig>,
    /// Decides the order in which bulk copies land, which warp of a CTA begins, in which order CTAs begin (backwards when it is odd), and
    /// how long a CTA runs before another one does (briefly when its second bit is set).
    pub seed: u64,
}

/// What a launch did.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Report {
    /// Memory accesses by line.
    pub memory: MemoryReport,
    /// How often each line of the PTX ran.
    pub runs: Vec<Runs>,
    /// Warp instructions executed.
    pub warp_instructions: u64,
    /// Lane operations executed: active lanes of all warp instructions.
    pub lane_operations: u64,
    /// CTAs run.
    pub ctas: u64,
    /// Text printed by the kernel, in order of CTAs.
    pub printed: Vec<String>,
}

/// What all CTAs of a launch share.
pub(crate) struct Environment<'a> {
    pub(crate) program: &'a Program,
    pub(crate) memory: &'a DeviceMemory,
    pub(crate) config: &'a LaunchConfig,
    pub(crate) params: Vec<u8>,
    /// Bytes of parameters, from the first on, that have arguments.
    pub(crate) given_bytes: usize,
    /// Threads by axis.
    pub(crate) block: [u32; 3],
    pub(crate) geometry: Geometry,
    /// The launch or the header says how many CTAs a cluster has.
    pub(crate) has_clusters: bool,
    /// Addresses of the module's variables.
    pub(crate) globals: Vec<u64>,
    /// Tensor maps that the launch changed.
    pub(crate) maps: ChangedMaps,
    /// What finished clusters asked of global memory, where the launch has a model of caches.
    pub(crate) traffic: Option<Traffic>,
    /// Who accessed what in global memory.
    pub(crate) global: Option<GlobalRaces>,
    /// When the launch has to be over.
    end: Option<Instant>,
    /// Lowest cluster with an error.
    failed: AtomicU64,
    /// Warp instructions after which the launch is left.
    most_steps: u64,
}

impl Environment<'_> {
    /// Whether warps and CTAs alternate quickly.
    pub(crate) fn is_hasty(&self) -> bool {
        self.config.seed & 2 != 0
    }

    /// A cluster before this one has failed, so this one's result does not matter.
    pub(crate) fn stopped(&self, index: u64) -> bool {
        self.failed.load(Ordering::Relaxed) < index
    }

    /// The launch has taken longer than it may.
    pub(crate) fn is_late(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() > end)
    }
}

/// Runs a kernel to its end. The diagnostic of an error names the source line, the thread and, for accesses, the address.
pub fn launch(program: &Program, memory: &mut DeviceMemory, config: &LaunchConfig) -> Result<Report> {
    Ok(try_launch(program, memory, config)?)
}

/// The same, with errors of the kernel as data.
pub fn try_launch(
    program: &Program,
    memory: &mut DeviceMemory,
    config: &LaunchConfig,
) -> std::result::Result<Report, LaunchError> {
    let params = check(program, config)?;
    let buffers: Vec<crate::memory::Buffer> =
        program.globals.iter().map(|g| memory.allocate_named(g.bytes.len() as u64, &g.name)).collect();
    let addresses: Vec<u64> = buffers.iter().map(|b| b.address()).collect();
    for (global, buffer) in program.globals.iter().zip(&buffers) {
        let mut bytes = global.bytes.clone();
        for (at, target, offset) in &global.links {
            let address = addresses[*target].wrapping_add(*offset as u64);
            bytes[*at..*at + 8].copy_from_slice(&address.to_le_bytes());
        }
        memory.write(*buffer, &bytes)?;
    }
    let result = {
        let failed = AtomicU64::new(u64::MAX);
        let checks = config.checks;
        let cores = if config.threads > 0 { config.threads } else { rayon::current_num_threads() };
        let races = if cores > 1 { GlobalRaces::saving } else { GlobalRaces::new };
        let global = (checks.global_races && checks.shared_races).then(races);
        let maps = ChangedMaps::default();
        let block = block(program, config);
        let clusters = config.cluster.or(program.cluster);
        let geometry = Geometry::new(config.grid, clusters.unwrap_or([1; 3]), config.threads_per_cta);
        let missing = program.parameters().get(config.args.len());
        let given_bytes = missing.map_or(params.len(), |parameter| parameter.offset as usize);
        let mut env = Environment {
            program,
            memory,
            config,
            params,
            given_bytes,
            block,
            geometry,
            has_clusters: clusters.is_some(),
            globals: addresses,
            maps,
            traffic: config.caches.is_some().then(Traffic::default),
            global,
            end: config.limits.time.and_then(|time| Instant::now().checked_add(time)),
            failed,
            most_steps: u64::MAX,
        };
        run(&env, cores).map_err(|error| repeated(&mut env, error))
    };
    for buffer in buffers {
        memory.free(buffer);
    }
    result
}

/// The error of a race as one worker finds it; the first report stays where one worker finds none.
fn repeated(env: &mut Environment<'_>, error: LaunchError) -> LaunchError {
    if !undo(&error, env.global.take(), env.memory) {
        return error;
    }
    env.global = Some(GlobalRaces::new());
    env.maps = ChangedMaps::default();
    env.traffic = env.traffic.is_some().then(Traffic::default);
    env.failed = AtomicU64::new(u64::MAX);
    env.most_steps = MOST_STEPS;
    match run(env, 1) {
        Ok(_) => error,
        Err(again) => again,
    }
}

/// Threads by axis.
fn block(program: &Program, config: &LaunchConfig) -> [u32; 3] {
    let threads = config.threads_per_cta;
    // A header that wants another number of threads has its own message.
    let fixed = program.block.filter(|block| block.iter().product::<u32>() == threads);
    config.block.or(fixed).unwrap_or([threads, 1, 1])
}

/// Checks a configuration and lays out the parameter buffer.
fn check(program: &Program, config: &LaunchConfig) -> Result<Vec<u8>> {
    let bad = |message: String| Err(Diagnostic::error(BAD_LAUNCH, message).boxed());
    let [x, y, z] = config.grid;
    if x == 0 || y == 0 || z == 0 || x > i32::MAX as u32 || y > 65535 || z > 65535 {
        return bad(format!("a grid of {x} by {y} by {z} CTAs; x is 1 to 2^31-1, y and z are 1 to 65535"));
    }
    let threads = config.threads_per_cta;
    if threads == 0 || threads > MAX_THREADS_PER_CTA {
        return bad(format!("{threads} threads per CTA; there can be 1 to {MAX_THREADS_PER_CTA}"));
    }
    let given = block(program, config);
    if given.iter().fold(1u64, |product, axis| product * u64::from(*axis)) != u64::from(threads) {
        return bad(format!("a block of {given:?} threads by axis is not one of {threads} threads"));
    }
    if let Some(wanted) = program.block.filter(|wanted| config.block.is_some() && *wanted != given) {
        return bad(format!("`{}` needs a block of {wanted:?} threads by axis, not {given:?}", program.entry()));
    }
    match program.threads() {
        Requirement::Exactly(n) if n != threads => {
            return bad(format!("`{}` needs {n} threads per CTA, and the launch has {threads}", program.entry()));
        }
        Requirement::AtMost(n) if n < threads => {
            return bad(format!("`{}` takes at most {n} threads per CTA, not {threads}", program.entry()));
        }
        _ => {}
    }
    check_clusters(program, config)?;
    let shared = program.static_shared.saturating_add(config.shared_bytes);
    let most = Target::default().max_shared_bytes_per_cta();
    if shared > most {
        let message = format!("{shared} bytes of shared memory; a CTA has {most}");
        return Err(Diagnostic::error(TOO_MUCH_SHARED_MEMORY, message).boxed());
    }
    let parameters = program.parameters();
    if config.args.len() > parameters.len() {
        let (given, wanted) = (config.args.len(), parameters.len());
        return bad(format!("`{}` has {wanted} parameters, and {given} arguments are given", program.entry()));
    }
    let size = parameters.iter().map(|p| p.offset + p.bytes).max().unwrap_or(0);
    let mut params = vec![0; size as usize];
    for (i, (arg, parameter)) in config.args.iter().zip(parameters).enumerate() {
        if arg.0.len() != parameter.bytes as usize {
            let (given, wanted) = (arg.0.len(), parameter.bytes);
            return bad(format!("argument {i} of `{}` has {given} bytes, and {wanted} are needed", program.entry()));
        }
        params[parameter.offset as usize..(parameter.offset + parameter.bytes) as usize].copy_from_slice(&arg.0);
    }
    Ok(params)
}

/// Checks how CTAs form clusters.
fn check_clusters(program: &Program, config: &LaunchConfig) -> Result<()> {
    let bad = |message: String| Err(Diagnostic::error(BAD_LAUNCH, message).boxed());
    let Some(cluster) = config.cluster.or(program.cluster) else { return Ok(()) };
    if let Some(wanted) = program.cluster.filter(|wanted| *wanted != cluster) {
        return bad(format!("`{}` needs clusters of {wanted:?} CTAs by axis, not {cluster:?}", program.entry()));
    }
    let ctas = cluster.iter().fold(1u32, |product, axis| product.saturating_mul(*axis));
    if ctas == 0 || ctas > MOST_CTAS {
        return bad(format!("clusters of {ctas} CTAs; there can be 1 to {MOST_CTAS}"));
    }
    if (0..3).any(|axis| !config.grid[axis].is_multiple_of(cluster[axis])) {
        return bad(format!("a grid of {:?} CTAs, which clusters of {cluster:?} do not divide", config.grid));
    }
    let warps = ctas * config.threads_per_cta.div_ceil(32);
    if ctas > 1 && warps > MOST_WARPS {
        let message =
            format!("a cluster of {ctas} CTAs with {warps} warps together; the simulator has at most {MOST_WARPS}");
        return Err(Diagnostic::error(tk_diag::UNSUPPORTED, message).help("launch smaller clusters").boxed());
    }
    Ok(())
}

/// Work shared by the workers. It counts clusters.
struct Queue {
    next: u64,
    total: u64,
    /// CTAs begun and not finished, waiting for a worker.
    unfinished: VecDeque<Cluster>,
    resident: u64,
    /// Numbers the times in which no CTA did anything but wait for global memory to change.
    idle_time: u64,
    /// CTAs that have waited long in this time.
    stuck: u64,
    /// No CTA can go on.
    over: bool,
    ended: u64,
    steps: u64,
    watch: Watch,
    error: Option<(u64, Box<Fault>)>,
}

/// Runs all clusters on so many cores.
fn run(env: &Environment<'_>, cores: usize) -> std::result::Result<Report, LaunchError> {
    env.check_residency()?;
    let total = env.geometry.count();
    let queue = Mutex::new(Queue {
        next: 0,
        total,
        unfinished: VecDeque::new(),
        resident: 0,
        idle_time: 0,
        stuck: 0,
        over: false,
        ended: 0,
        steps: 0,
        watch: Watch::start(),
        error: None,
    });
    let workers = (cores as u64).min(total).max(1) as usize;
    let all = Mutex::new(Counters::new(env.program));
    rayon::scope(|scope| {
        for _ in 1..workers {
            scope.spawn(|_| locked(&all).merge(work(env, &queue)));
        }
        let counters = work(env, &queue);
        locked(&all).merge(counters);
    });
    let queue = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    let counters = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some((cluster, fault)) = queue.error {
        let place = (&env.geometry, cluster);
        let report = Box::new(fault.report(env.program, place));
        let diagnostic = fault.diagnostic(env.program, &env.config.sources, place);
        return Err(LaunchError::Fault { report, diagnostic });
    }
    let mut memory = MemoryReport::new(env.program, &counters, &env.config.sources, env.caches());
    memory.work = env.work(&counters, &memory);
    Ok(Report {
        memory,
        runs: counters.runs_by_line(env.program),
        warp_instructions: counters.steps,
        lane_operations: counters.lane_steps(),
        ctas: total * u64::from(env.geometry.size()),
        printed: counters.printed.into_lines(),
    })
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a worker does until nothing is left.
fn work(env: &Environment<'_>, queue: &Mutex<Queue>) -> Counters {
    let mut counters = Counters::new(env.program);
    let most = env.most_resident();
    loop {
        let taken = take(env, &mut locked(queue), most);
        let mut cta = match taken {
            Work::Begin(index) => Cluster::new(env, index),
            Work::Continue(cta) => *cta,
            Work::Wait => {
                std::thread::sleep(WAIT);
                continue;
            }
            Work::Done => return counters,
        };
        let index = cta.block.index;
        let before = cta.steps();
        let result = if env.stopped(index) { Ok(Progress::Finished) } else { cta.run(env, &mut counters) };
        let mut queue = locked(queue);
        queue.steps += cta.steps().saturating_sub(before);
        tell(env, &mut queue, &cta);
        let result = match result {
            Ok(Progress::Idle) if queue.all_wait(&mut cta, most) => {
                queue.over = true;
                // They may wait for a CTA that has failed, whose fault says more.
                if queue.error.is_some() { Ok(Progress::Finished) } else { Err(all_wait(env, &queue, &cta)) }
            }
            Ok(Progress::Idle) => Ok(Progress::Idle),
            Ok(Progress::Paused) => Ok(Progress::Paused),
            other => {
                (queue.idle_time, queue.stuck) = (queue.idle_time + 1, 0);
                other
            }
        };
        match result {
            Ok(Progress::Finished) => {
                queue.resident -= 1;
                queue.ended += 1;
                if let Some(traffic) = &env.traffic {
                    traffic.add(index, std::mem::take(&mut cta.block.trace));
                }
            }
            Ok(Progress::Unfinished | Progress::Idle | Progress::Paused) => queue.unfinished.push_back(cta),
            Err(fault) => {
                queue.resident -= 1;
                if queue.error.as_ref().is_none_or(|error| index < error.0) {
                    queue.error = Some((index, fault));
                    env.failed.store(index, Ordering::Relaxed);
                }
            }
        }
    }
}

/// Tells how far the launch is, now and then.
fn tell(env: &Environment<'_>, queue: &mut Queue, cta: &Cluster) {
    let Some(hook) = &env.config.progress else { return };
    let Some(seconds) = queue.watch.due() else { return };
    let size = u64::from(env.geometry.size());
    hook.tell(&progress::Progress {
        entry: env.program.entry().to_string(),
        seconds,
        begun: queue.next * size,
        ended: queue.ended * size,
        ctas: queue.total * size,
        warp_instructions: queue.steps,
        example: cta.place().map(|pc| (cta.block.index, env.program.line_in_words(pc))),
    });
}

impl Queue {
    /// Counts an idle slice; true when no CTA that has begun can go on, and no other can begin.
    fn all_wait(&mut self, cta: &mut Cluster, most: u64) -> bool {
        if cta.idle.time != self.idle_time {
            cta.idle = Idle { time: self.idle_time, slices: 0 };
        }
        cta.idle.slices += 1;
        self.stuck += u64::from(cta.idle.slices == IDLE_SLICES);
        let full = self.resident >= most || self.next >= self.total || self.error.is_some();
        full && self.stuck >= self.resident
    }
}

/// The fault of CTAs that all wait for global memory to change.
fn all_wait(env: &Environment<'_>, queue: &Queue, cta: &Cluster) -> Box<Fault> {
    let size = u64::from(env.geometry.size());
    let (begun, total) = (queue.next * size, queue.total * size);
    let fault = Fault::new(DEADLOCK, "no CTA can go on: all that run wait for global memory that none of them changes");
    let fault = cta.waiting(env, fault);
    let fault = fault.note(writers(env.program));
    if begun == total {
        return fault
            .help("look for the write that it waits for: a lock that is never released, a flag that is never set");
    }
    let fitting = env.on_gpu();
    let why = match env.most_resident() * size >= fitting {
        true => format!(
            "{begun} of {total} CTAs have begun, and a GPU of {MULTIPROCESSORS} multiprocessors holds at most {fitting} of them at once"
        ),
        false => format!(
            "{begun} of {total} CTAs have begun; the simulator holds no more at once, and a GPU may (at most {fitting})"
        ),
    };
    fault.note(why).help("CTAs may wait for others only if all fit the GPU at once: launch fewer")
}

/// Where a kernel writes global memory, in words.
pub(crate) fn writers(program: &Program) -> String {
    let lines = program.lines_that_write_global();
    match lines.as_slice() {
        [] => "the kernel writes no global memory".to_string(),
        lines => {
            let shown: Vec<String> = lines.iter().take(MOST_WRITERS).map(u32::to_string).collect();
            let more = if lines.len() > MOST_WRITERS { ", …" } else { "" };
            format!("the kernel writes global memory at PTX lines {}{more}", shown.join(", "))
        }
    }
}

enum Work {
    Begin(u64),
    Continue(Box<Cluster>),
    Wait,
    Done,
}

/// Begins new CTAs before it continues old ones, as long as they may be resident together.
fn take(env: &Environment<'_>, queue: &mut Queue, most: u64) -> Work {
    if queue.over || queue.steps > env.most_steps {
        return Work::Done;
    }
    let is_backwards = env.config.seed % 2 == 1;
    while queue.next < queue.total && queue.resident < most {
        let index = if is_backwards { queue.total - 1 - queue.next } else { queue.next };
        queue.next += 1;
        match env.stopped(index) {
            false => {
                queue.resident += 1;
                return Work::Begin(index);
            }
            true if is_backwards => {}
            // All that follow come after one that has failed, too.
            true => queue.next = queue.total,
        }
    }
    match queue.unfinished.pop_front() {
        Some(cta) => Work::Continue(Box::new(cta)),
        None if queue.resident == 0 && queue.next >= queue.total => Work::Done,
        // Other workers hold the rest; one of them may put a CTA back.
        None if queue.next >= queue.total || queue.resident >= most => Work::Wait,
        None => Work::Done,
    }
}
