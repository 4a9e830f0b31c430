//! Names of kernels and arguments as names of Rust and C.

use tk_image::{BundleEntry, EntryArgument};

/// Words that are no names of Rust, and those of them that cannot be raw.
const RUST_WORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "self", "Self", "super", "crate", "_",
];

/// Words that are no names of C or C++.
const C_WORDS: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "constexpr",
    "continue",
    "default",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "not",
    "nullptr",
    "operator",
    "or",
    "private",
    "protected",
    "public",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
    "xor",
];

/// An argument and the name of its field.
pub(crate) struct Field<'e> {
    pub(crate) name: String,
    pub(crate) argument: &'e EntryArgument,
}

/// A language that names are for.
#[derive(Clone, Copy)]
pub(crate) enum Language {
    Rust,
    C,
}

/// The fields of the arguments of an entry. Parts of a tuple have one name and become several fields.
pub(crate) fn fields(entry: &BundleEntry, language: Language) -> Vec<Field<'_>> {
    let words = match language {
        Language::Rust => RUST_WORDS,
        Language::C => C_WORDS,
    };
    let mut taken: Vec<String> = Vec::new();
    let field = |argument| {
        let EntryArgument { name, .. }: &EntryArgument = argument;
        let mut own = if words.contains(&name.as_str()) { format!("{name}_") } else { name.clone() };
        // `scratch` is a field of its own in C.
        while taken.contains(&own) || own == "scratch" {
            own.push('_');
        }
        taken.push(own.clone());
        Field { name: own, argument }
    };
    entry.arguments.iter().map(field).collect()
}

/// `matmul_f16` → `MatmulF16`.
pub(crate) fn type_name(name: &str) -> String {
    let part = |part: &str| {
        let mut letters = part.chars();
        letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
    };
    let camel: String = name.split('_').map(part).collect();
    if camel.starts_with(|c: char| c.is_ascii_digit()) || camel == "Self" { format!("K{camel}") } else { camel }
}

/// What a comment says of an entry: the function, its constants and what it was compiled for, a line each.
pub(crate) fn about(entry: &BundleEntry) -> Vec<String> {
    let constants: Vec<String> = entry.constants.iter().map(|one| format!("{} = {}", one.name, one.value)).collect();
    let with = if constants.is_empty() { String::new() } else { format!(" with {}", constants.join(", ")) };
    let mut lines = vec![format!("`{}`{with}.", entry.kernel)];
    for variant in &entry.variants {
        let targets: Vec<&str> = variant.images.iter().map(|image| image.target.as_str()).collect();
        lines.push(format!("Compiled for {}: {}", targets.join(", "), variant.signature));
    }
    // Texts of constants are anything; a comment ends at `*/`, and a line at its end.
    lines.into_iter().map(|line| line.replace("*/", "* /").replace(['\n', '\r'], " ")).collect()
}
