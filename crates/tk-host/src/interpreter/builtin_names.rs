//! The names of Python that host code knows without an import.

const FUNCTIONS: &[&str] = &[
    "abs",
    "all",
    "any",
    "bool",
    "dict",
    "divmod",
    "enumerate",
    "filter",
    "float",
    "format",
    "getattr",
    "hasattr",
    "hash",
    "id",
    "int",
    "isinstance",
    "callable",
    "iter",
    "len",
    "list",
    "map",
    "max",
    "min",
    "next",
    "pow",
    "print",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "slice",
    "sorted",
    "str",
    "sum",
    "tuple",
    "type",
    "zip",
    "object",
    "bin",
    "hex",
    "chr",
    "ord",
];

const EXCEPTIONS: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "MemoryError",
    "Exception",
    "ImportError",
    "IndexError",
    "KeyError",
    "LookupError",
    "NameError",
    "NotImplementedError",
    "OverflowError",
    "RuntimeError",
    "StopIteration",
    "TypeError",
    "ValueError",
    "ZeroDivisionError",
    "ModuleNotFoundError",
    "OSError",
];

/// The builtin with this name.
pub(crate) fn find(name: &str) -> Option<&'static str> {
    FUNCTIONS.iter().chain(EXCEPTIONS).find(|known| **known == name).copied()
}

/// All builtins, for suggestions.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().chain(EXCEPTIONS).copied()
}

/// Whether this is the class of an exception.
pub(crate) fn is_exception(name: &str) -> bool {
    EXCEPTIONS.contains(&name)
}
