//! Guesses from the body of a kernel, and from the launches of its file.

use tk_diag::SourceFile;
use tk_grammar::ast::Module;
use tk_guess::{DISTINCT, Guesses, kernels};

const ADD: &str = "
import torch
import triton
import triton.language as tl

@triton.jit
def offsets(BLOCK: tl.constexpr):
    return tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)

@triton.jit
def add(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = offsets(BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) + 1, mask=i < n)
";

const LAUNCH: &str = "
def run():
    x = torch.zeros(100, dtype=torch.bfloat16)
    y = torch.empty_like(x)
    add[(1,)](x, y, 100, BLOCK=128)
";

fn module(text: &str) -> Module {
    tk_grammar::parse(&SourceFile::new("k.tk", text)).expect("it parses")
}

/// The arguments of `add`, as `tk check` prints them.
fn arguments(module: &Module, attempt: u64) -> Vec<String> {
    let guesses = Guesses::of(module);
    let function = module.function("add").expect("it is there");
    let launch = guesses.complete(function).into_iter().next();
    let arguments = guesses.arguments(function, launch, attempt).expect("they bind");
    arguments.iter().map(ToString::to_string).collect()
}

#[test]
fn a_function_that_kernels_call_is_no_kernel() {
    let module = module(ADD);
    let names: Vec<&str> = kernels(&module).into_iter().map(|function| function.name.text.as_str()).collect();
    assert_eq!(names, ["add"]);
}

#[test]
fn uses_say_what_is_a_pointer_and_what_is_a_number() {
    let module = module(ADD);
    assert_eq!(arguments(&module, 0), ["x_ptr: *fp16", "y_ptr: *fp16", "n: i32", "BLOCK: =64"]);
    assert!(Guesses::of(&module).complete(module.function("add").expect("it is there")).is_empty());
}

#[test]
fn attempts_differ_in_what_nothing_is_known_of() {
    let module = module(ADD);
    assert_eq!(arguments(&module, 1)[0], "x_ptr: *fp32");
    assert_eq!(arguments(&module, DISTINCT)[3], "BLOCK: =64");
}

#[test]
fn a_launch_says_more_than_uses() {
    let module = module(&format!("{ADD}{LAUNCH}"));
    assert_eq!(arguments(&module, 0), ["x_ptr: *bf16", "y_ptr: *bf16", "n: i32", "BLOCK: =128"]);
}

const BY_DESCRIPTOR: &str = "
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

def set_blocks(nargs):
    nargs['x_desc'].block_shape = [nargs['ROWS'], 64]

def config(rows):
    return triton.Config({'ROWS': rows}, pre_hook=set_blocks)

@triton.autotune(configs=[config(rows) for rows in [16, 32]], key=[])
@triton.jit
def add(x_desc, y_ptr, ROWS: tl.constexpr):
    x = x_desc.load([tl.program_id(0) * ROWS, 0])
    tl.store(y_ptr + tl.arange(0, ROWS)[:, None] * 64 + tl.arange(0, 64)[None, :], x)

def run(x, y):
    x_desc = TensorDescriptor(x, x.shape, x.stride(), [1, 1])
    add[(4,)](x_desc, y)
";

#[test]
fn a_hook_replaces_the_block_that_a_descriptor_was_made_with() {
    let module = module(BY_DESCRIPTOR);
    let x = &arguments(&module, 0)[0];
    assert!(x.starts_with("x_desc: tensordesc<") && x.ends_with(",64]>"), "{x}");
}
