//! Tests of the cache inside one process; `tests/cache.rs` has those of several.

use super::*;
use tk_image::{ImageParam, LaunchLimits, ResourceUse};
use tk_types::ScalarType;

fn image(note: &str) -> KernelImage {
    KernelImage {
        entry: "k".into(),
        ptx: format!(".entry k(.param .u64 x, .param .u8 n)\n{{ ret; }} // {note}"),
        cubin: Some(vec![0, 159, 146, 150]),
        params: vec![ImageParam::pointer("x", Some(ScalarType::BF16)), ImageParam::scalar("n", ScalarType::I1)],
        num_warps: 8,
        num_ctas: 2,
        shared_bytes: 4096,
        global_scratch_bytes: 0,
        target: "sm_90a".into(),
        resources: ResourceUse::default(),
        limits: LaunchLimits::default(),
    }
}

fn entry_files(cache: &Cache) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(cache.folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn an_image_comes_back_whole() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path().join("made/on/demand"), 1 << 20);
    assert_eq!(cache.find("key"), None);
    for stored in [image("text ✓"), KernelImage { cubin: None, ..image("") }] {
        cache.store("key", &stored).unwrap();
        assert_eq!(cache.find("key"), Some(stored));
    }
    assert_eq!(cache.find("another key"), None);
    assert_eq!(entry_files(&cache).len(), 1, "no temporary file stays");
}

#[test]
fn a_damaged_entry_is_no_entry() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path(), 1 << 20);
    cache.store("key", &image("text")).unwrap();
    let path = entry_files(&cache).remove(0);
    let whole = std::fs::read(&path).unwrap();
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert_eq!(cache.find("key"), None, "cut at {length}");
    }
    for index in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[index] ^= 0x20;
        std::fs::write(&path, &damaged).unwrap();
        assert_eq!(cache.find("key"), None, "byte {index} flipped");
    }
    std::fs::write(&path, &whole).unwrap();
    assert!(cache.find("key").is_some());
}

#[test]
fn keys_with_one_hash_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path(), 1 << 20);
    cache.store("key", &image("text")).unwrap();
    std::fs::rename(cache.path_of("key"), cache.path_of("other")).unwrap();
    assert_eq!(cache.find("other"), None);
}

#[test]
fn the_oldest_entries_go_first() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path(), 44_000);
    let text = "x".repeat(9_000);
    for (age, key) in ["a", "b", "c", "d"].into_iter().enumerate() {
        cache.store(key, &image(&text)).unwrap();
        let file = std::fs::File::options().append(true).open(cache.path_of(key)).unwrap();
        file.set_modified(SystemTime::now() - std::time::Duration::from_secs(100 - age as u64)).unwrap();
    }
    assert!(cache.find("a").is_some(), "a lookup makes an entry young");
    cache.store("e", &image(&text)).unwrap();
    let left: Vec<&str> = ["a", "b", "c", "d", "e"].into_iter().filter(|key| cache.find(key).is_some()).collect();
    assert_eq!(left, ["a", "d", "e"]);
}

#[test]
fn a_tuning_comes_back_and_a_damaged_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path(), 1 << 20);
    let report = crate::tuning::example();
    cache.store_tuning("key", &report).unwrap();
    assert_eq!(cache.find_tuning("key"), Some(report.clone()));
    assert_eq!(cache.find_tuning("other"), None);
    let path = cache.tuning_path("key");
    std::fs::rename(&path, cache.tuning_path("other")).unwrap();
    assert_eq!(cache.find_tuning("other"), None, "the key inside the file is compared");
    let whole = std::fs::read_to_string(cache.tuning_path("other")).unwrap();
    for length in (0..whole.len()).filter(|length| whole.is_char_boundary(*length)) {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert_eq!(cache.find_tuning("key"), None, "cut at {length}");
    }
    std::fs::write(&path, &whole).unwrap();
    assert!(cache.find_tuning("key").is_some());
    for winner in [1, 99] {
        cache.store_tuning("key", &TuneReport { winner, ..report.clone() }).unwrap();
        assert_eq!(cache.find_tuning("key"), None, "a winner that did not run");
    }
}

#[test]
fn an_unwritable_place_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = Cache::open(file.join("below"), 1).store("key", &image("")).unwrap_err();
    assert_eq!((error.severity, error.code), (tk_diag::Severity::Warning, FILE));
}

#[test]
fn sizes_have_suffixes() {
    let sizes = [("1000", Some(1000)), ("64K", Some(65_536)), ("500m", Some(500 << 20)), ("2G", Some(2 << 30))];
    sizes.into_iter().for_each(|(text, size)| assert_eq!(read_size(text), size, "{text}"));
    ["", "G", "1T", "-1", "99999999999999G"].into_iter().for_each(|text| assert_eq!(read_size(text), None, "{text}"));
}

#[test]
fn a_turn_is_waited_for_and_ends() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path(), 1 << 20);
    let LookUp::Missing(turn) = cache.look_up("key") else { panic!("an empty cache has something") };
    let short = std::time::Duration::from_millis(20);
    let LookUp::Missing(second) = cache.look_up_within("key", short) else { panic!("nobody stored it") };
    second.store(&image("second")).unwrap();
    turn.store(&image("first")).unwrap();
    assert!(matches!(cache.look_up("key"), LookUp::Found(found) if *found == image("first")));
    assert!(matches!(cache.look_up("other"), LookUp::Missing(_)));
    let LookUp::Missing(dropped) = cache.look_up("third") else { panic!("nobody stored it") };
    let waiting = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| matches!(cache.look_up("third"), LookUp::Missing(_)));
        std::thread::sleep(short);
        drop(dropped);
        waiting.join().unwrap()
    });
    assert!(waiting, "a turn that is dropped is the next one's");
    assert_eq!(entry_files(&cache).len(), 1, "no lock stays");
}

#[test]
fn what_is_damaged_or_abandoned_is_found_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path(), 1 << 20);
    ["a", "b"].into_iter().for_each(|key| cache.store(key, &image(key)).unwrap());
    cache.store_tuning("t", &crate::tuning::example()).unwrap();
    std::fs::write(cache.path_of("b"), "something else").unwrap();
    std::fs::write(folder.path().join("notes.txt"), "a file of somebody else").unwrap();
    let old = SystemTime::now() - std::time::Duration::from_secs(7200);
    for (name, time) in [(".part-old", old), (".part-new", SystemTime::now()), ("x.tklock", old)] {
        std::fs::File::create(folder.path().join(name)).unwrap().set_modified(time).unwrap();
    }
    assert_eq!(cache.entries().len(), 3);
    let kernel = cache.entries().into_iter().find(|entry| entry.path == cache.path_of("a")).unwrap();
    assert_eq!(cache.stored(&kernel), Stored::Kernel(Box::new(image("a"))));
    let verified = cache.verify();
    assert_eq!((verified.sound, verified.unfinished), (2, 2));
    assert_eq!(verified.damaged, [cache.path_of("b")]);
    assert_eq!(cache.verify(), Verified { sound: 2, ..Verified::default() });
    assert_eq!(cache.clear().unwrap(), 2);
    let mut left: Vec<_> = entry_files(&cache).iter().map(|path| path.file_name().unwrap().to_owned()).collect();
    left.sort();
    assert_eq!(left, [".part-new", "notes.txt"]);
}
