//! Every diagnostic code tk can print, each with the one sentence that explains it.

/// A stable slug that names a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// The slug, kebab case.
    pub slug: &'static str,
    /// What the fault is, one sentence.
    pub summary: &'static str,
    /// Why it is one, an example, and what to do: Markdown.
    pub explanation: &'static str,
}

macro_rules! codes {
    ($($name:ident = $slug:literal, $summary:literal;)*) => {
        $(#[doc = $summary] pub const $name: Code = Code {
            slug: $slug,
            summary: $summary,
            explanation: include_str!(concat!("explanations/", $slug, ".md")),
        };)*
        /// All codes, in the order of this file.
        pub fn all() -> &'static [Code] { &[$($name),*] }
    };
}

codes! {
    INTERNAL = "internal", "tk itself is wrong; please report it with the reproducer.";
    SYNTAX = "syntax", "The text is not valid in tk's language.";
    UNKNOWN_NAME = "unknown-name", "A name is used that nothing defines.";
    UNKNOWN_IMPORT = "unknown-import", "An import that a kernel needs, of a file that is not there.";
    FOREIGN_OPERATION = "foreign-operation", "An operation that another compiler adds to Triton's language.";
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
    FEWER_STAGES = "fewer-stages", "A pipeline with fewer stages than asked for, because shared memory holds no more.";
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
    OFFSET_OVERFLOW = "offset-overflow", "A 32-bit offset wrapped around while a kernel ran.";
    INT32_OFFSET = "int32-offset", "A 32-bit offset that can wrap around before it becomes an address.";
    TRUNCATING_DIVISION = "truncating-division", "A division of a number that can be negative, which truncates in a kernel.";
    MASKED_VALUE_USED = "masked-value-used", "Elements that a masked load left undefined, used where they matter.";
    SILENT_TF32 = "silent-tf32", "A product of fp32 matrices that is computed in tf32 because nothing else is asked for.";
    NOT_PORTABLE = "not-portable", "Something that tk takes and Triton refuses.";
    DELETED_WAIT = "deleted-wait", "A loop that waits for memory and that a compiler may leave out.";
    HALF_SUM = "half-sum", "A long sum that is kept in a 16-bit float.";
    COMPARISON_PRECEDENCE = "comparison-precedence", "A `&` or `|` of comparisons without parentheses, which is computed before them.";
    UNUSED_OPTION = "unused-option", "An option of Triton's that tk accepts and does nothing with.";
    DEPRECATED = "deprecated", "What Triton accepts today and says it will not accept for ever.";
    NOT_CONTIGUOUS = "not-contiguous", "A tensor with strides, passed to a kernel that does not get them.";
}

/// The code with this slug.
pub fn find(slug: &str) -> Option<Code> {
    all().iter().copied().find(|code| code.slug == slug)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained_with_an_example() {
        for code in all() {
            let fences = code.explanation.lines().filter(|line| line.starts_with("```")).count();
            assert!(fences >= 2 && fences % 2 == 0, "{} has no example", code.slug);
            assert!(code.explanation.len() > 200, "{} is hardly explained", code.slug);
            assert!(find(code.slug) == Some(*code) && all().iter().filter(|c| c.slug == code.slug).count() == 1);
        }
    }
}
