//! What names mean in a function that belongs to a running program, as [`crate::imports::Part`] carries it.
//!
//! A program that embeds tk, such as a Python process, knows what the names around a function stand for better than any text: it has
//! the objects. `tk-import` asks it; here is only what the readers of the tree have to know.

use std::collections::BTreeMap;
use tk_types::ConstValue;

/// The names that a part uses and does not define, with what each stands for.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// By name. A name that the program does not know is not here.
    pub names: BTreeMap<String, Meaning>,
    /// How the program names the function or class: its module and its qualified name there.
    pub path: Option<String>,
    /// Why the result of the function has to be used, where it has to: a sentence, or nothing in it.
    pub must_use: Option<String>,
}

/// What a name, or an attribute of it, stands for.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A constant.
    Constant(ConstValue),
    /// A tuple or a list whose items are not all constants.
    Tuple(Vec<Meaning>),
    /// A module, function, class or type that tk knows, by its dotted path: `triton.language.exp`, `math`, `torch`.
    Known(String),
    /// A function or a class of the program: the number of the part that has its text.
    Part(usize),
    /// Something with attributes, such as a module.
    Object(Object),
    /// Nothing that a kernel can use, in words: `a tensor`.
    Opaque(String),
    /// What kernels that have to be portable may not use; the words are the error.
    Refused(String),
}

/// Something of the program with the attributes that are asked of it.
#[derive(Clone, Debug)]
pub struct Object {
    /// Two of one kernel with the same number are equal in the program.
    pub number: usize,
    /// What it is, in words: "the module `ops`".
    pub description: String,
    /// By name; those that the part names and the object has.
    pub attributes: BTreeMap<String, Meaning>,
}

/// What a running program does with a function, whatever its decorators look like in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Device code.
    Jit,
    /// Device code that is kept apart from its callers.
    NoInline,
    /// It runs at compile time.
    CompileTime,
    /// Ordinary code of the program.
    Host,
}
