//! Kernels that are defined within functions: which one a name means, and what they see of the functions around them.

use tk_check::{
    CheckRequest, bind_signature, check_with, constants_around, kernel_named, read_constants, read_signature,
};
use tk_diag::{Diagnostic, SourceFile};
use tk_grammar::ast::Module;
use tk_target::Target;
use tk_types::CompileOptions;

fn module(text: &str) -> Module {
    tk_grammar::parse(&SourceFile::new("k.py", text)).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"))
}

/// Checks a kernel of one pointer with these constants.
fn check(module: &Module, kernel: &str, constants: &str) -> Result<(), Vec<Diagnostic>> {
    let specs = read_signature("*fp32").expect("a signature");
    let constants = match constants {
        "" => Vec::new(),
        text => read_constants("--constexpr", text).expect("constants"),
    };
    let args = bind_signature(module, kernel, Some(&specs), &constants)?;
    let around = constants_around(module, kernel, &constants);
    let (options, target) = (CompileOptions::default(), Target::default());
    check_with(&CheckRequest { module, kernel, args: &args, options, target }, &around).map(|_| ())
}

#[track_caller]
fn passes(module: &Module, kernel: &str, constants: &str) {
    if let Err(errors) = check(module, kernel, constants) {
        panic!("{kernel}: {}: {:?}", errors[0].message, errors[0].notes);
    }
}

/// Checks that the first error says this, in its message or a note.
#[track_caller]
fn fails(module: &Module, kernel: &str, constants: &str, wanted: &[&str]) {
    let errors = check(module, kernel, constants).expect_err("it does not check");
    let error = &errors[0];
    let text = format!("{}\n{}\n{}", error.message, error.notes.join("\n"), error.help.as_deref().unwrap_or_default());
    for part in wanted {
        assert!(text.contains(part), "{kernel}: {part} is not in\n{text}");
    }
    assert!(!error.labels.is_empty(), "{text}");
}

const LOADED: &str = "\
import triton
tl = None
LIMIT = 1

def load():
    global tl, lang
    try:
        import triton.language as tl_module
    except ImportError:
        raise
    tl = tl_module
    lang = triton.language

@triton.jit
def outside():
    tl.static_assert(LIMIT == 1)

def make(triton, tl):
    SIZE = 4
    DOUBLE = SIZE * 2
    import math as m
    with m:
        @triton.jit
        def helper():
            tl.static_assert(SIZE == 4)
    @triton.jit
    def kernel(x):
        tl.static_assert(SIZE + DOUBLE == 12 and m.pi > 3 and LIMIT == 1)
        helper()
        lang.store(x, 1.0)
    return kernel

def make_other(tl_module, LIMIT):
    SIZE = 5
    @triton.jit
    def helper():
        tl.static_assert(SIZE == 5)
    @triton.jit
    def kernel(x):
        tl_module.static_assert(SIZE == 5 and LIMIT == 64)
        helper()
        outside()
        tl.store(x, 1.0)
    return kernel
";

#[test]
fn names_mean_what_the_innermost_function_around_binds() {
    let module = module(LOADED);
    for name in ["make.kernel", "make.<locals>.kernel", "kernel:26", "kernel:29"] {
        passes(&module, name, "");
    }
    for name in ["make_other.kernel", "make_other.kernel:38"] {
        passes(&module, name, "LIMIT=64");
        // The global of this name is another variable.
        fails(
            &module,
            name,
            "",
            &["`LIMIT` is a parameter of `make_other` and has no value here", "--constexpr LIMIT=…"],
        );
        fails(&module, name, "LIMIT=65", &["static assertion failed"]);
    }
    fails(&module, "make.kernel", "LIMIT=64", &["has no parameter `LIMIT`"]);
}

#[test]
fn a_name_of_several_kernels_is_an_error_that_lists_them() {
    let module = module(LOADED);
    let wanted =
        ["`k.py` defines 2 kernels `kernel`", "line 26: `make.kernel`", "line 38: `make_other.kernel`", "`kernel:26`"];
    fails(&module, "kernel", "", &wanted);
    assert_eq!(kernel_named(&module, "outside").map(|kernel| kernel.params.len()).ok(), Some(0));
    let text = format!("{LOADED}\n@triton.jit\ndef kernel(x):\n    tl.store(x, 1.0)\n");
    passes(&self::module(&text), "kernel", "");
}

const CHANGING: &str = "\
import triton
import triton.language as tl
FAST = True

def make(count, sizes):
    WIDE = count * 2
    ROWS = sizes + 1
    for STEP in (1, 2):
        LAST = STEP
    LIST = [1]
    LIST.append(2)
    if count:
        EITHER = 1
    else:
        EITHER = 2
    if FAST:
        KNOWN = 3
        @triton.jit
        def helper(): tl.static_assert(KNOWN == 3)
    else:
        KNOWN = 4
        @triton.jit
        def helper(): tl.static_assert(KNOWN == 4)
    try:
        import triton.language as other
    except ImportError:
        other = None
    if count == 1:
        EARLY = 1
        @triton.jit
        def early(x):
            tl.store(x, EARLY)
        return early
    EARLY = 2
    INNER = 1
    def change():
        nonlocal INNER
        INNER = 2
    count += 1
    @triton.jit
    def wide(x): tl.store(x, WIDE)
    @triton.jit
    def rows(x): tl.static_assert(ROWS == 4)
    @triton.jit
    def last(x): tl.store(x, LAST)
    @triton.jit
    def listed(x): tl.store(x, LIST[0])
    @triton.jit
    def either(x): tl.store(x, EITHER)
    @triton.jit
    def inner(x): tl.store(x, INNER)
    @triton.jit
    def counted(x): tl.store(x, count)
    @triton.jit
    def known(x):
        tl.static_assert(KNOWN == 3)
        helper()
        other.store(x, 1.0)
    class Holder:
        KNOWN = 9
        @staticmethod
        @triton.jit
        def held(x):
            tl.static_assert(KNOWN == 3)
            tl.store(x, 1.0)

def circle():
    A = B + 1
    B = A + 1
    @triton.jit
    def round(x): tl.store(x, A)
";

#[test]
fn variables_that_may_have_several_values_have_none() {
    let module = module(CHANGING);
    for (kernel, name) in [
        ("last", "LAST"),
        ("listed", "LIST"),
        ("either", "EITHER"),
        ("early", "EARLY"),
        ("inner", "INNER"),
        ("round", "A"),
    ] {
        fails(&module, kernel, "", &[&format!("`{name}` of `"), "value here", &format!("--constexpr {name}=…")]);
        passes(&module, kernel, &format!("{name}={}", if name == "LIST" { "(1, 2)" } else { "1" }));
    }
    fails(&module, "wide", "", &["`WIDE` of `make` has no value here", "`count` is a parameter of `make`"]);
    fails(&module, "counted", "", &["`count` is a parameter of `make` and has no value here"]);
    for kernel in ["known", "held", "make.Holder.held"] {
        passes(&module, kernel, "");
    }
    passes(&module, "rows", "sizes=3");
    // The value that a launch gives is the last one, and may not be that from which others were computed.
    fails(&module, "wide", "count=3", &["`WIDE` of `make` has no value here"]);
    passes(&module, "wide", "count=3,WIDE=5");
}

#[test]
fn a_global_that_functions_give_other_values_stays_what_it_is() {
    let text = "\
import triton
import triton.language as tl
STATE = None
MATH = None

def first():
    global STATE, MATH
    STATE = 1
    import math
    MATH = math

def second():
    global MATH
    MATH = tl

@triton.jit
def kernel(x):
    tl.static_assert(STATE is None and MATH is None)
    tl.store(x, 1.0)
";
    passes(&module(text), "kernel", "");
}
