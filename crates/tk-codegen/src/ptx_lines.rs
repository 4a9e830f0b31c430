//! Lines of PTX as LLVM writes them: one instruction in each, and where it comes from in the program.

/// Instructions that compute on registers alone, and may change places with others of them.
const COMPUTATIONS: [&str; 38] = [
    "abs", "add", "and", "bfe", "bfi", "brev", "clz", "copysign", "cos", "cvt", "div", "ex2", "fma", "lg2", "lop3",
    "mad", "max", "min", "mov", "mul", "neg", "not", "or", "popc", "prmt", "rcp", "rem", "rsqrt", "selp", "setp",
    "shf", "shl", "shr", "sin", "sqrt", "sub", "tanh", "xor",
];

/// It says where what follows comes from in the program.
pub(crate) fn is_place(line: &str) -> bool {
    line.trim_start().starts_with(".loc")
}

/// The name of a line, which debuggers know.
pub(crate) fn is_name(line: &str) -> bool {
    let text = line.trim();
    text.starts_with("$L__tmp") && text.ends_with(':')
}

/// A comment, or an empty line.
pub(crate) fn is_nothing(line: &str) -> bool {
    let text = line.trim();
    text.is_empty() || text.starts_with("//")
}

/// One instruction, perhaps behind a condition, that computes on registers or reads a parameter.
pub(crate) fn is_computation(line: &str) -> bool {
    let text = unguarded(line).trim_end();
    let is_one = text.ends_with(';') && text.matches(';').count() == 1;
    let name = text.split(['.', ' ', '\t']).next().unwrap_or_default();
    is_one && (COMPUTATIONS.contains(&name) || text.starts_with("ld.param"))
}

/// An instruction without the condition before it.
pub(crate) fn unguarded(line: &str) -> &str {
    let text = line.trim_start();
    if !text.starts_with('@') {
        return text;
    }
    text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start())
}

/// The registers of a line, in their order.
pub(crate) fn registers(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '%';
    line.split(move |letter: char| !is_part(letter)).filter(|word| word.starts_with('%'))
}

/// Those that an instruction writes: its first operand.
pub(crate) fn written_registers(line: &str) -> Vec<&str> {
    let Some((_, operands)) = unguarded(line).split_once(char::is_whitespace) else { return Vec::new() };
    let operands = operands.trim_start();
    let first = match operands.strip_prefix('{') {
        Some(rest) => rest.split('}').next(),
        None => operands.split(',').next(),
    };
    first.map(|first| registers(first).collect()).unwrap_or_default()
}
