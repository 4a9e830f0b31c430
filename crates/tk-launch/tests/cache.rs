//! Several processes on one cache: each kernel is compiled once, kills leave nothing half-written, and a folder that cannot be written or
//! a disk that is full only costs time.

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    unix::main()
}

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
#[allow(dead_code, unreachable_pub, reason = "each test program uses some of them")]
mod kernels;

#[cfg(unix)]
mod unix {
    use super::kernels;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::HashMap;
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::{Child, Command, ExitCode, Stdio};
    use std::time::Duration;
    use tk_image::KernelImage;
    use tk_launch::{Cache, LookUp};

    /// Bytes that nothing of these tests reaches.
    const CAP: u64 = 1 << 30;

    const KEYS: usize = 50;
    const PROCESSES: usize = 8;
    const KILLS: usize = 200;

    pub(super) fn main() -> ExitCode {
        let words: Vec<String> = std::env::args().skip(1).collect();
        match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["worker", folder, number] => fill(Path::new(folder), number.parse().unwrap()),
            ["endless", folder, number] => endless(Path::new(folder), number.parse().unwrap()),
            ["reader", folder] => only_reads(Path::new(folder)),
            ["full", folder] => on_a_full_disk(Path::new(folder)),
            _ => return tests(),
        }
        ExitCode::SUCCESS
    }

    fn tests() -> ExitCode {
        let tests: [(&str, fn()); 4] = [
            ("each_kernel_is_compiled_once", each_kernel_is_compiled_once),
            ("kills_leave_nothing_half_written", kills_leave_nothing_half_written),
            ("a_folder_that_cannot_be_written_is_read", a_folder_that_cannot_be_written_is_read),
            ("a_full_disk_only_costs_time", a_full_disk_only_costs_time),
        ];
        let mut failed = false;
        for (name, test) in tests {
            let result = std::panic::catch_unwind(test);
            println!("test {name} ... {}", if result.is_ok() { "ok" } else { "FAILED" });
            failed |= result.is_err();
        }
        if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    /// What compiling a key gives.
    fn image(key: &str) -> KernelImage {
        let image = kernels::add();
        KernelImage { ptx: format!("{}// {key}{}\n", image.ptx, "-".repeat(20_000)), ..image }
    }

    fn start(words: &[&str], folder: &Path) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg(words[0]).arg(folder).args(&words[1..]).stdin(Stdio::null());
        command
    }

    fn wait(mut child: Child) {
        assert!(child.wait().unwrap().success());
    }

    /// Looks all keys up, beginning at another one than its neighbours, and notes down each that it compiles.
    fn fill(folder: &Path, number: usize) {
        let cache = Cache::open(folder.join("cache"), CAP);
        let mut notes = std::fs::File::options().create(true).append(true).open(folder.join("notes")).unwrap();
        for at in 0..KEYS {
            let key = format!("key {}", (at + number * (KEYS / PROCESSES) * (number % 2)) % KEYS);
            match cache.look_up(&key) {
                LookUp::Found(found) => assert_eq!(*found, image(&key)),
                LookUp::Missing(turn) => {
                    notes.write_all(format!("{key}\n").as_bytes()).unwrap();
                    std::thread::sleep(Duration::from_millis(3));
                    turn.store(&image(&key)).unwrap();
                }
            }
        }
    }

    fn each_kernel_is_compiled_once() {
        let folder = tempfile::tempdir().unwrap();
        let processes: Vec<Child> = (0..PROCESSES)
            .map(|number| start(&["worker", &number.to_string()], folder.path()).spawn().unwrap())
            .collect();
        processes.into_iter().for_each(wait);
        let notes = std::fs::read_to_string(folder.path().join("notes")).unwrap();
        let mut compiled: HashMap<&str, usize> = HashMap::new();
        notes.lines().for_each(|key| *compiled.entry(key).or_default() += 1);
        assert_eq!(compiled.len(), KEYS);
        assert!(compiled.values().all(|times| *times == 1), "{compiled:?}");
        let files = std::fs::read_dir(folder.path().join("cache")).unwrap().count();
        assert_eq!(files, KEYS, "one file for each kernel, and no lock");
    }

    /// Compiles without an end.
    fn endless(folder: &Path, number: usize) {
        let cache = Cache::open(folder, CAP);
        for at in 0.. {
            let key = format!("key {number} {}", at % 10);
            match cache.look_up(&key) {
                LookUp::Found(_) => std::thread::yield_now(),
                LookUp::Missing(turn) => turn.store(&image(&key)).unwrap(),
            }
            cache.store(&key, &image(&key)).unwrap();
        }
    }

    fn kills_leave_nothing_half_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for kill in 0..KILLS {
            // Some of them meet what others left behind.
            let mut child = start(&["endless", &(kill % 20).to_string()], folder.path()).spawn().unwrap();
            std::thread::sleep(Duration::from_micros(random.random_range(500..20_000)));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let cache = Cache::open(folder.path(), CAP);
        let verified = cache.verify();
        assert!(verified.sound > 50, "kills came before anything was written: {verified:?}");
        assert_eq!(verified.damaged, Vec::<std::path::PathBuf>::new());
        for number in 0..20 {
            for at in 0..10 {
                let key = format!("key {number} {at}");
                match cache.look_up(&key) {
                    LookUp::Found(found) => assert_eq!(*found, image(&key)),
                    LookUp::Missing(turn) => turn.store(&image(&key)).unwrap(),
                }
            }
        }
        assert_eq!(cache.entries().len(), 200);
    }

    /// Finds what is there, and compiles the rest without storing it.
    fn only_reads(folder: &Path) {
        let cache = Cache::open(folder, CAP);
        assert!(matches!(cache.look_up("there"), LookUp::Found(found) if *found == image("there")));
        for _ in 0..2 {
            let LookUp::Missing(turn) = cache.look_up("absent") else { panic!("it was stored") };
            let warning = turn.store(&image("absent")).unwrap_err();
            assert_eq!(warning.severity, tk_diag::Severity::Warning);
        }
    }

    fn a_folder_that_cannot_be_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        Cache::open(folder.path(), CAP).store("there", &image("there")).unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            std::fs::set_permissions(entry.unwrap().path(), std::fs::Permissions::from_mode(0o444)).unwrap();
        }
        let mut reader = start(&["reader"], folder.path());
        if std::fs::File::create(folder.path().join("probe")).is_ok() {
            // The administrator may write everywhere, so somebody else reads.
            std::fs::remove_file(folder.path().join("probe")).unwrap();
            reader.uid(65_534);
        }
        wait(reader.spawn().unwrap());
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// Stores what does not fit.
    fn on_a_full_disk(folder: &Path) {
        let cache = Cache::open(folder, CAP);
        for _ in 0..2 {
            let LookUp::Missing(turn) = cache.look_up("key") else { panic!("it was stored") };
            let warning = turn.store(&image("key")).unwrap_err();
            assert_eq!(warning.severity, tk_diag::Severity::Warning);
        }
    }

    fn a_full_disk_only_costs_time() {
        let folder = tempfile::tempdir().unwrap();
        let mut shell = Command::new("sh");
        // A file of more than some kilobytes cannot be written, as on a disk that is full.
        shell.args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" full \"$1\""]);
        wait(shell.arg(std::env::current_exe().unwrap()).arg(folder.path()).spawn().unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing half-written is left");
    }
}
