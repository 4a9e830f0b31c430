//! Every diagnostic code tk can print, each with the one sentence that explains it.

/// A stable slug that names a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// The slug, kebab case.
    pub slug: &'static str,
    /// What the fault is, one sentence.
    pub summary: &'static str,
}

macro_rules! codes {
    ($($name:ident = $slug:literal, $summary:literal;)*) => {
        $(#[doc = $summary] pub const $name: Code = Code { slug: $slug, summary: $summary };)*
        /// All codes, in the order of this file.
        pub fn all() -> &'static [Code] { &[$($name),*] }
    };
}

codes! {
    INTERNAL = "internal", "tk itself is wrong; please report it with the reproducer.";
    SYNTAX = "syntax", "The text is not valid in tk's language.";
    UNKNOWN_NAME = "unknown-name", "A name is used that nothing defines.";
    UNSUPPORTED = "unsupported", "A construct that tk understands but does not compile.";
    TYPE_MISMATCH = "type-mismatch", "Values of types that do not go together.";
    SHAPE_MISMATCH = "shape-mismatch", "Tensors whose shapes do not go together.";
    NOT_CONSTEXPR = "not-constexpr", "A run-time value where a compile-time constant is needed.";
    BAD_ARGUMENT = "bad-argument", "An argument that a function does not accept.";
    ARGUMENT_COUNT = "argument-count", "Too many or too few arguments.";
    NOT_POWER_OF_TWO = "not-power-of-two", "A block dimension that is not a power of two.";
    TOO_LARGE = "too-large", "A tensor or a constant beyond the limit.";
    MASK_WITHOUT_TENSOR = "mask-without-tensor", "A mask or an `other` that does not fit its access.";
    ASSERTION_FAILED = "assertion-failed", "An assertion in the program is false.";
    NESTING_TOO_DEEP = "nesting-too-deep", "Text nested deeper than tk reads.";
    BAD_IR = "bad-ir", "MLIR text that cannot be read.";
    BAD_PTX = "bad-ptx", "PTX text that cannot be read.";
    BAD_LAYOUT = "bad-layout", "A layout that is not well formed.";
    TOO_MUCH_SHARED_MEMORY = "too-much-shared-memory", "A kernel needs more shared memory than the GPU has.";
    SERIALISED = "serialised-products", "The assembler makes the matrix products of a kernel wait for each other.";
    BAD_LAUNCH = "bad-launch", "A launch whose arguments or grid do not fit the kernel.";
    OUT_OF_BOUNDS = "out-of-bounds", "An access outside every buffer.";
    MISALIGNED = "misaligned", "An access whose address is not a multiple of its width.";
    UNINITIALISED = "uninitialised", "A read of memory that nothing wrote.";
    DATA_RACE = "data-race", "Two threads access the same memory without order.";
    DEADLOCK = "deadlock", "No thread can go on.";
    RUN_LIMIT = "run-limit", "A simulation ran past its limit.";
    DEVICE = "device", "The GPU or its driver refused.";
    FILE = "file", "A file cannot be read or written.";
    USAGE = "usage", "The command line does not say what to do.";
    HOST_ERROR = "host-error", "A host function failed.";
}

/// The code with this slug.
pub fn find(slug: &str) -> Option<Code> {
    all().iter().copied().find(|code| code.slug == slug)
}
