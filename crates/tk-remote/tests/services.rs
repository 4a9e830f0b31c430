//! A cache behind the cache: a real Redis that is started, killed and started again, folders of all kinds, and services that are slow.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tk_image::{ImageParam, KernelImage};
use tk_launch::{Cache, LookUp, Remote};
use tk_remote::Service;

/// A kernel that differs by its key.
fn image(key: &str) -> KernelImage {
    KernelImage {
        entry: "k".into(),
        ptx: format!(".entry k(.param .u64 x)\n{{ ret; }} // {key}{}", "-".repeat(20_000)),
        cubin: None,
        params: vec![ImageParam::pointer("x", Some(tk_types::ScalarType::F32))],
        num_warps: 4,
        num_ctas: 1,
        shared_bytes: 0,
        global_scratch_bytes: 0,
        target: "sm_90a".into(),
        resources: Default::default(),
        limits: Default::default(),
    }
}

/// A cache in a folder of its own, as on another machine.
struct Machine {
    cache: Cache,
    service: Arc<Service>,
    _folder: tempfile::TempDir,
}

impl Machine {
    fn at(place: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let service = Arc::new(Service::open(place).unwrap());
        let cache = Cache::open(folder.path(), 1 << 30).with_remote(service.clone());
        Self { cache, service, _folder: folder }
    }

    /// Whether the kernel of a key was there; it is compiled otherwise.
    fn has(&self, key: &str) -> bool {
        match self.cache.look_up(key) {
            LookUp::Found(found) => {
                assert_eq!(*found, image(key));
                true
            }
            LookUp::Missing(turn) => {
                let _ = turn.store(&image(key));
                false
            }
        }
    }

    fn is_here(&self, key: &str) -> bool {
        self.cache.find(key).is_some()
    }
}

/// A Redis of Debian's, which ends with the test.
struct Redis {
    process: Child,
    port: u16,
}

impl Redis {
    fn start(port: u16, folder: &Path) -> Self {
        let mut command = Command::new("redis-server");
        command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--dir"]).arg(folder);
        let process = command.stdout(Stdio::null()).spawn().expect("redis-server is installed (scripts/setup)");
        let redis = Self { process, port };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < Duration::from_secs(20), "redis-server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        redis
    }

    fn place(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Runs a command of Redis with the program beside the server.
    fn say(&self, words: &[&str]) -> String {
        let output = Command::new("redis-cli").args(["-p", &self.port.to_string()]).args(words).output().unwrap();
        String::from_utf8_lossy(&output.stdout).trim().to_string()
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn what_one_machine_compiles_another_has() {
    let folder = tempfile::tempdir().unwrap();
    let redis = Redis::start(free_port(), folder.path());
    let (one, other) = (Machine::at(&redis.place()), Machine::at(&redis.place()));
    assert!(!one.has("a") && !other.has("b"), "nothing is there at first");
    assert!(one.has("b") && other.has("a"));
    assert!(one.is_here("b") && other.is_here("a"), "what came from there is kept here");
    let third = Machine::at(&redis.place());
    assert!(third.has("a") && third.has("b") && !third.has("c"));
}

#[test]
fn contents_are_checked_before_they_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let redis = Redis::start(free_port(), folder.path());
    let one = Machine::at(&redis.place());
    ["a", "b"].iter().for_each(|key| assert!(!one.has(key)));
    let names: Vec<String> = redis.say(&["KEYS", "*tkimage"]).lines().map(String::from).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    // One entry under the other's name, and a third that was cut.
    let [first, second] = names.as_slice() else { panic!("{names:?}") };
    redis.say(&["COPY", first, second, "REPLACE"]);
    let other = Machine::at(&redis.place());
    assert_ne!(other.has("a"), other.has("b"), "an entry is only found under its own key");
    redis.say(&["SETRANGE", first, "3000", "xx"]);
    redis.say(&["SETRANGE", second, "3000", "xx"]);
    let third = Machine::at(&redis.place());
    assert!(!third.has("a") && !third.has("b"));
    assert!(Machine::at(&redis.place()).has("a"), "whoever compiled it has replaced it");
}

#[test]
fn a_redis_that_dies_costs_time_alone() {
    let folder = tempfile::tempdir().unwrap();
    let port = free_port();
    let mut redis = Redis::start(port, folder.path());
    let machine = Machine::at(&redis.place());
    assert!(!machine.has("before"));
    redis.kill();
    let start = Instant::now();
    (0..50).for_each(|at| assert!(!machine.has(&format!("while it is gone {at}"))));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(machine.service.has_given_up());
    let start = Instant::now();
    (0..50).for_each(|at| assert!(!machine.has(&format!("later {at}"))));
    assert!(start.elapsed() < Duration::from_secs(2), "nothing is asked any more: {:?}", start.elapsed());
    assert!(machine.has("before") && machine.has("later 1"), "what is here is found");
    let redis = Redis::start(port, folder.path());
    let later = Machine::at(&redis.place());
    assert!(!later.has("after") && Machine::at(&redis.place()).has("after"), "the next process asks again");
}

#[test]
fn one_failure_is_forgiven() {
    let folder = tempfile::tempdir().unwrap();
    let port = free_port();
    let mut redis = Redis::start(port, folder.path());
    let machine = Machine::at(&redis.place());
    assert!(!machine.has("a"));
    redis.kill();
    assert_eq!(machine.service.get("nothing"), None);
    assert!(!machine.service.has_given_up());
    let redis = Redis::start(port, folder.path());
    let found = (0..20).any(|at| {
        machine.service.put("name", vec![at]);
        std::thread::sleep(Duration::from_millis(20));
        machine.service.get("name").is_some() || machine.service.has_given_up()
    });
    assert!(found);
    drop(redis);
}

#[test]
fn a_service_that_never_answers_is_asked_a_few_times() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = format!("redis://{}", silent.local_addr().unwrap());
    let machine = Machine::at(&place);
    let start = Instant::now();
    (0..20).for_each(|at| assert!(!machine.has(&format!("key {at}"))));
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
    assert!(machine.service.has_given_up());
    assert!(machine.has("key 7"));
}

/// A Redis that this user may only read: what is there is found, and after a few refusals nothing more is offered.
#[test]
fn a_redis_that_may_only_be_read_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let redis = Redis::start(free_port(), folder.path());
    let owner = Machine::at(&redis.place());
    assert!(!owner.has("there"));
    let said = redis.say(&["ACL", "SETUSER", "reader", "on", ">secret", "~*", "+@all", "-@write"]);
    assert_eq!(said, "OK");
    let reader = Machine::at(&format!("{}?username=reader&password=secret", redis.place()));
    let start = Instant::now();
    (0..20).for_each(|at| assert!(!reader.has(&format!("absent {at}"))));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(reader.service.is_only_read() && !reader.service.has_given_up());
    assert!(reader.has("there"), "it is still read");
    assert!(reader.has("absent 3"), "what was compiled is here");
    assert!(!Machine::at(&redis.place()).has("absent 3"), "and not there");
}

/// A Redis that answers late costs the time limits of a few questions, and what is compiled stays here.
#[test]
fn a_slow_redis_costs_time_alone() {
    let folder = tempfile::tempdir().unwrap();
    let redis = Redis::start(free_port(), folder.path());
    assert!(!Machine::at(&redis.place()).has("there"));
    let machine = Machine::at(&redis.place());
    assert_eq!(redis.say(&["CLIENT", "PAUSE", "60000"]), "OK");
    let start = Instant::now();
    (0..30).for_each(|at| assert!(!machine.has(&format!("key {at}"))));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(machine.service.has_given_up());
    assert!((0..30).all(|at| machine.has(&format!("key {at}"))), "all is in the folder");
}

#[test]
fn a_folder_is_shared() {
    let shared = tempfile::tempdir().unwrap();
    let place = format!("file://{}/below", shared.path().display());
    assert!(!Machine::at(&place).has("a"));
    assert!(Machine::at(&place).has("a"));
    let entry = |path: std::path::PathBuf| path.extension().is_some_and(|extension| extension == "tkimage");
    let entries = std::fs::read_dir(shared.path().join("below")).unwrap().map(|entry| entry.unwrap().path());
    let entries: Vec<_> = entries.filter(|path| entry(path.clone())).collect();
    assert_eq!(entries.len(), 1);
    // Half an entry, as a machine that lost its power leaves it.
    let whole = std::fs::read(&entries[0]).unwrap();
    std::fs::write(&entries[0], &whole[..whole.len() / 2]).unwrap();
    assert!(!Machine::at(&place).has("a"));
    assert!(Machine::at(&place).has("a"));
    // Something else than a folder is in the way.
    let file = shared.path().join("file");
    std::fs::write(&file, "").unwrap();
    let refused = Service::open(&format!("file://{}/below", file.display())).unwrap_err();
    assert!(refused.contains("is no place for a cache"), "{refused}");
}

/// What a child process of the next test does: it may write no file of more than some kilobytes, as on a disk that is full.
const CHILD: &str = "TK_TEST_FULL_FOLDER";

#[test]
fn a_full_or_read_only_place_costs_time_alone() {
    if let Some(place) = std::env::var_os(CHILD) {
        let machine = Machine::at(&place.to_string_lossy());
        assert!(machine.has("there"), "what is there is found");
        assert!(!machine.has("absent") && !machine.has("absent"), "neither place took it");
        return;
    }
    let shared = tempfile::tempdir().unwrap();
    let place = format!("file://{}", shared.path().display());
    assert!(!Machine::at(&place).has("there"));
    let before = count(shared.path());
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" --exact a_full_or_read_only_place_costs_time_alone"]);
    let status = shell.arg(std::env::current_exe().unwrap()).env(CHILD, &place).stdout(Stdio::null()).status().unwrap();
    assert!(status.success());
    assert_eq!(count(shared.path()), before, "nothing half-written is an entry");
}

/// Entries in a folder.
fn count(folder: &Path) -> usize {
    let is_entry = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().path().is_file();
    std::fs::read_dir(folder).unwrap().map(is_entry).filter(|is| *is).count()
}
