//! Where imports lead: in files that are a table here, and on the disk where links and limits matter.

use proptest::prelude::*;
use std::collections::BTreeMap;
use tk_diag::SourceFile;
use tk_grammar::ast::{ImportAlias, Module, StmtKind};
use tk_grammar::imports::{Link, Missing};
use tk_import::{Files, Folder, Found, MAX_FILE_BYTES, MAX_FILES, Roots, link, read_imports};

/// Files by path.
struct Table(BTreeMap<String, String>);

impl Files for Table {
    fn read(&self, path: &str) -> Found {
        assert!(path.split('/').all(|name| !matches!(name, "" | "." | "..")), "{path:?} is asked for");
        self.0.get(path).map_or(Found::Nothing, |text| Found::Text(text.clone()))
    }

    fn exists(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    fn shown(&self, path: &str) -> String {
        path.to_string()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let inside = |path: &String| match folder {
            "" => Some(path.split('/').next()?.to_string()),
            _ => Some(path.strip_prefix(folder)?.strip_prefix('/')?.split('/').next()?.to_string()),
        };
        self.0.keys().filter_map(inside).collect()
    }
}

fn parse(name: &str, text: &str) -> Module {
    tk_grammar::parse(&SourceFile::new(name, text)).unwrap_or_else(|faults| panic!("{text}\n{}", faults[0]))
}

fn linked(files: &[(&str, &str)]) -> Module {
    let (name, text) = files[0];
    let table = Table(files.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect());
    link(&parse(name, text), name, &table, Roots::Kernels)
}

/// A jit function that uses these names.
fn kernel(uses: &str) -> String {
    format!("@triton.jit\ndef k(x):\n    tl.store(x, {uses})\n")
}

fn aliases(module: &Module) -> Vec<&ImportAlias> {
    let of = |kind| match kind {
        &StmtKind::Import(ref names) | &StmtKind::ImportFrom { ref names, .. } => names.iter().collect(),
        _ => Vec::new(),
    };
    module.body.iter().flat_map(|stmt| of(&stmt.kind)).collect()
}

fn names(module: &Module) -> Vec<&str> {
    module.file.parts().map(|part| part.name()).collect()
}

/// What the first import of a file leads to: the kind of link and the file.
fn first(module: &Module) -> String {
    let name = |part: &usize| names(module)[*part].to_string();
    match module.imports.link(aliases(module)[0]) {
        Some(Link::Module(part)) => format!("module {}", name(part)),
        Some(Link::Member(part)) => format!("member of {}", name(part)),
        Some(Link::Missing(Missing { near, looked, .. })) => format!("missing {near:?} of {looked:?}"),
        None => "unread".to_string(),
    }
}

#[test]
fn imports_lead_where_python_finds_them() {
    let of = |path: &str, import: &str, uses: &str, others: &[&str]| {
        let text = format!("{import}\n{}", kernel(uses));
        let mut files = vec![(path, text.as_str())];
        files.extend(others.iter().map(|name| (*name, "def f(): pass\n")));
        first(&linked(&files))
    };
    assert_eq!(of("k.py", "from ops import f", "f()", &["ops.py"]), "member of ops.py");
    assert_eq!(of("k.py", "from ops import f as g", "g()", &["ops.py"]), "member of ops.py");
    assert_eq!(of("k.py", "import ops", "ops.f()", &["ops.py"]), "module ops.py");
    assert_eq!(of("k.py", "import a.b as c", "c.f()", &["a/b.py"]), "module a/b.py");
    assert_eq!(of("k.py", "import a.b", "a.b.f()", &["a/b.py"]), "module a");
    assert_eq!(of("k.py", "import a.b", "a.b.f()", &["a/b.py", "a/__init__.py"]), "module a/__init__.py");
    assert_eq!(of("k.py", "from .ops import f", "f()", &["ops.py"]), "member of ops.py");
    assert_eq!(of("k.py", "from . import ops", "ops.f()", &["ops.py"]), "module ops.py");
    assert_eq!(of("p/k.py", "from ..q.ops import f", "f()", &["q/ops.py"]), "member of q/ops.py");
    assert_eq!(of("p/k.py", "from .. import q", "q.f()", &["q/__init__.py"]), "module q/__init__.py");
    assert_eq!(of("p/__init__.py", "from . import ops", "ops.f()", &["p/ops.py"]), "module p/ops.py");
    assert_eq!(of("p/__init__.py", "from .ops import f", "f()", &["p/ops.py"]), "member of p/ops.py");
    // A package before a module, the ending of the importer before the other.
    assert_eq!(of("k.py", "import ops", "ops.f()", &["ops.py", "ops/__init__.py"]), "module ops/__init__.py");
    assert_eq!(of("k.tk", "import ops", "ops.f()", &["ops.py", "ops.tk"]), "module ops.tk");
    assert_eq!(of("k.py", "import ops", "ops.f()", &["ops.py", "ops.tk"]), "module ops.py");
    // A script looks beside itself first, a file of a package around the package.
    assert_eq!(of("s/k.py", "import ops", "ops.f()", &["ops.py", "s/ops.py"]), "module s/ops.py");
    let package = ["ops.py", "s/ops.py", "s/__init__.py"];
    assert_eq!(of("s/k.py", "import ops", "ops.f()", &package), "module ops.py");
    assert_eq!(of("s/k.py", "from s.ops import f", "f()", &package), "member of s/ops.py");
    // What no kernel needs is not read, and what is not there is told.
    assert_eq!(of("k.py", "from ops import f", "1", &["ops.py"]), "unread");
    assert_eq!(of("k.py", "import torch.nn as nn", "nn.f()", &["torch/nn.py"]), "unread");
    assert_eq!(of("k.py", "from opps import f", "f()", &["ops.py"]), "missing Some(\"ops\") of [\"opps\"]");
    assert_eq!(of("k.py", "from ...ops import f", "f()", &["ops.py"]), "missing None of []");
    assert_eq!(of("a/k.py", "from ops import f", "f()", &[]), "missing None of [\"a/ops\", \"ops\"]");
}

/// A file of a package may have the name of another package that it wraps.
#[test]
fn a_file_that_imports_its_own_name_means_another_module() {
    let wrapper = "import iris\ndef start(): return iris.start()\n";
    let main = format!("import iris\n{}", kernel("iris.put()"));
    let files = [("comms/k.py", main.as_str()), ("comms/__init__.py", ""), ("comms/iris.py", wrapper)];
    assert_eq!(first(&linked(&files)), "missing None of [\"iris\", \"comms/iris\"]");
    let beside = format!("from . import iris\n{}", kernel("iris.start()"));
    let files = [("comms/k.py", beside.as_str()), ("comms/__init__.py", ""), ("comms/iris.py", wrapper)];
    assert_eq!(first(&linked(&files)), "module comms/iris.py");
}

#[test]
fn names_are_followed_as_far_as_they_are_needed() {
    let main = format!("from p import f\nfrom p.never import g\n{}", kernel("f(1)"));
    let files = [
        ("k.py", main.as_str()),
        ("p/__init__.py", "from .inner import f\nfrom .other import h\nimport os\n"),
        ("p/inner.py", "from . import shared\nfrom .deep import *\ndef f(x): return shared.N + M\n"),
        ("p/shared.py", "from k import f as back\nN = 2\n"),
        ("p/deep.py", "from .deeper import M\n"),
        ("p/deeper.py", "import missing\nM = 1\n"),
        ("p/other.py", "def h(): pass\n"),
        ("p/never.py", "this is no Python"),
    ];
    let module = linked(&files);
    let mut read = names(&module);
    read.sort_unstable();
    assert_eq!(read, ["k.py", "p/__init__.py", "p/deep.py", "p/deeper.py", "p/inner.py", "p/shared.py"]);
    assert_eq!(first(&module), "member of p/__init__.py");
    // The spans of a part are places in it.
    for (part, found) in module.imports.parts.iter().zip(module.file.parts()) {
        assert!(part.faults.is_empty());
        let inside = found.span();
        assert!(part.body.iter().all(|stmt| stmt.span.start >= inside.start && stmt.span.end <= inside.end));
    }
}

#[test]
fn the_helpers_of_torch_compile_are_there_without_torch() {
    let text = format!(
        "from torch._inductor.runtime import triton_helpers, triton_heuristics\n\
         from torch._inductor.runtime.triton_helpers import libdevice, math as tl_math\n{}",
        kernel("triton_helpers.max2(libdevice.exp(tl_math.abs(x)), 1)")
    );
    let module = linked(&[("k.py", &text)]);
    assert_eq!(names(&module), ["k.py", "torch/_inductor/runtime/triton_helpers.py"]);
    assert!(module.imports.parts.iter().all(|part| part.faults.is_empty()), "the helpers are read");
    let found = |name: &str| {
        let alias = aliases(&module).into_iter().find(|alias| alias.name == name).expect("it is imported");
        module.imports.link(alias).cloned()
    };
    assert!(matches!(found("triton_helpers"), Some(Link::Module(1))));
    assert!(matches!((found("libdevice"), found("math")), (Some(Link::Member(1)), Some(Link::Member(1)))));
    // A file of the program comes first.
    let own =
        [("k.py", text.as_str()), ("torch/_inductor/runtime/triton_helpers.py", "def max2(x, dim):\n    return x\n")];
    assert_eq!(linked(&own).file.parts().nth(1).map(|part| part.text().to_string()).as_deref(), Some(own[1].1));
}

#[test]
fn circles_end() {
    let main = format!("from a import f\n{}", kernel("f()"));
    let files =
        [("k.py", main.as_str()), ("a.py", "from b import f\n"), ("b.py", "from a import *\nfrom b import *\n")];
    assert_eq!(names(&linked(&files)).len(), 3);
    let own = format!("from k import k as other\nimport k as me\n{}", kernel("me.k(other(1))"));
    assert_eq!(first(&linked(&[("k.py", &own)])), "member of k.py");
}

#[test]
fn a_broken_file_keeps_its_faults() {
    let main = format!("from ops import f\n{}", kernel("f()"));
    let module = linked(&[("k.py", &main), ("ops.py", "x = 1\ndef f(:\n")]);
    let fault = &module.imports.parts[1].faults[0];
    let label = &fault.labels[0];
    assert_eq!(label.file.as_ref().unwrap().place(label.span.start), "ops.py:2:7");
    let module = linked(&[("k.py", &main), ("ops.py", "x = 1\nif x:\n")]);
    let label = &module.imports.parts[1].faults[0].labels[0];
    assert!(label.file.as_ref().unwrap().place(label.span.start).starts_with("ops.py:"), "{label:?}");
}

#[test]
fn there_is_a_limit_to_files() {
    let mut table: BTreeMap<String, String> = BTreeMap::new();
    let main = format!("from m0 import f\n{}", kernel("f()"));
    for i in 0..2 * MAX_FILES {
        table.insert(format!("m{i}.py"), format!("from m{} import f\n", i + 1));
    }
    let module = link(&parse("k.py", &main), "k.py", &Table(table), Roots::Kernels);
    assert_eq!(module.imports.parts.len(), MAX_FILES);
    let last = module.at_part(MAX_FILES - 1);
    let Some(Link::Missing(missing)) = module.imports.link(aliases(&last)[0]) else { panic!() };
    assert!(missing.reason.as_ref().unwrap().contains("256 files"), "{missing:?}");
}

#[cfg(unix)]
#[test]
fn the_disk_is_read_inside_the_root_only() {
    let folder = tempfile::tempdir().unwrap();
    let (inside, outside) = (folder.path().join("in"), folder.path().join("out"));
    for path in [&inside, &outside, &inside.join("p")] {
        std::fs::create_dir(path).unwrap();
    }
    let write = |path: std::path::PathBuf, text: &str| std::fs::write(path, text).unwrap();
    write(outside.join("secret.py"), "f = 1\n");
    write(inside.join("plain.py"), "f = 1\n");
    write(inside.join("large.py"), &" ".repeat(MAX_FILE_BYTES + 1));
    std::fs::write(inside.join("bytes.py"), [b'f', 0xFF]).unwrap();
    std::os::unix::fs::symlink(outside.join("secret.py"), inside.join("link.py")).unwrap();
    std::os::unix::fs::symlink(&outside, inside.join("way")).unwrap();
    std::os::unix::fs::symlink(inside.join("plain.py"), inside.join("p/good.py")).unwrap();
    let main = inside.join("k.py");
    for (import, wanted) in [
        ("from plain import f", "member"),
        ("from p.good import f", "member"),
        ("from link import f", "leads out of"),
        ("from way.secret import f", "leads out of"),
        ("from ..out.secret import f", "above"),
        ("from large import f", "larger than"),
        ("from bytes import f", "not UTF-8"),
        ("from p import f", "missing"),
    ] {
        let text = format!("{import}\n{}", kernel("f"));
        write(main.clone(), &text);
        let module = parse("k.py", &text);
        let module = read_imports(&module, &main, None, Roots::Kernels).unwrap();
        let found = match module.imports.link(aliases(&module)[0]) {
            Some(Link::Missing(Missing { reason: Some(reason), .. })) => reason.clone(),
            _ => first(&module),
        };
        assert!(found.contains(wanted), "{import}: {found}");
        // With the folder around as root, what is above and outside may be read.
        let wide = read_imports(&module, &main, Some(folder.path()), Roots::Kernels).unwrap();
        let is_outside = wanted == "leads out of" || wanted == "above";
        assert!(!is_outside || first(&wide).starts_with("member of"), "{import}: {}", first(&wide));
    }
    assert!(Folder::around(&main, Some(&outside), &[]).is_err());
}

#[test]
fn a_package_reaches_over_folders_without_an_init() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("space/core/__init__.py", "");
    write("space/core/k.py", "");
    write("space/other/ops.py", "f = 1\n");
    write("around.py", "f = 1\n");
    write("script/deep/k.py", "");
    write("script/ops.py", "f = 1\n");
    let main = |path: &str, import: &str| {
        let module = parse(path, &format!("{import}\n{}", kernel("f")));
        first(&read_imports(&module, &folder.path().join(path), None, Roots::Kernels).unwrap())
    };
    assert!(main("space/core/k.py", "from space.other.ops import f").starts_with("member of"));
    assert!(main("space/core/k.py", "from around import f").starts_with("missing"));
    // Without any `__init__`, the names of folders alone open nothing.
    assert!(main("script/deep/k.py", "from script.ops import f").starts_with("missing"));
}

/// Lines that import, define and use a few names in every way, for files that import each other at random.
fn random_file() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "from m0 import *",
        "from m1 import *",
        "from . import m2",
        "from .m2 import a as b",
        "import m0",
        "import m1.m2 as a",
        "import p.m0",
        "from p import m0 as b",
        "from p.m0 import b",
        "from .. import m1",
        "a = b",
        "b = p.m0.a + m2.b",
        "@triton.jit\ndef a(x):\n    return m0.a(b)",
        "if a:\n    from m1 import b\nelse:\n    b = 1",
        "try:\n    from m9 import a\nexcept ImportError:\n    from m2 import a",
        "class m2:\n    a = m0.b",
    ]);
    prop::collection::vec(line, 1..8).prop_map(|lines| lines.join("\n") + "\n")
}

proptest! {
    /// Files that import each other in any way are linked: each once, and every link leads to a part that is there.
    #[test]
    fn any_tangle_is_linked(texts in prop::collection::vec(random_file(), 6)) {
        let paths = ["m0.py", "m1.py", "m2.py", "p/__init__.py", "p/m0.py", "m1/m2.py"];
        let files: Vec<(&str, &str)> = paths.iter().copied().zip(texts.iter().map(String::as_str)).collect();
        let module = linked(&files);
        let mut read = names(&module);
        read.sort_unstable();
        let count = read.len();
        read.dedup();
        prop_assert_eq!(count, read.len());
        for part in 0..module.imports.parts.len() {
            let view = module.at_part(part);
            for alias in aliases(&view) {
                if let Some(Link::Module(to) | Link::Member(to)) = module.imports.link(alias) {
                    prop_assert!(*to < module.imports.parts.len());
                }
            }
        }
    }
}
