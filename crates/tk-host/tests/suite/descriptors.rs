//! `TensorDescriptor`: how it is made, changed, refused, and handed to kernels.

use crate::tuning::tuned;
use crate::{Mock, run_with};

const HEADER: &str = "import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def k(d, n):
    pass

";

/// What the launches of this body look like, one per line, and what it printed.
#[track_caller]
fn launches(body: &str) -> String {
    let mut mock = Mock::idle();
    let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
    let output = run_with(&format!("{HEADER}def main():\n{body}"), &[], &mut mock);
    let output = output.unwrap_or_else(|d| panic!("{}", tk_diag::render(&d, tk_diag::Style::Plain)));
    mock.log.iter().map(|line| format!("{}\n", line.replace(" n=1) w4 s3", ""))).chain([output]).collect()
}

/// The message that the last line of this body is refused with, and the text it points at.
#[track_caller]
fn refused(body: &str) -> (String, String) {
    let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
    let error = run_with(&format!("{HEADER}def main():\n{body}"), &[], &mut Mock::idle()).unwrap_err();
    let label = error.labels.first().map(|label| label.file.as_ref().unwrap().slice(label.span).to_string());
    (error.message, label.unwrap_or_default())
}

#[test]
fn descriptors_carry_tensor_block_and_padding() {
    let log = launches(
        "x = torch.zeros((40, 24), dtype=torch.float16)
d = TensorDescriptor(x, [40, 24], [24, 1], [16, 32])
k[(1,)](d, 1)
k[(1,)](TensorDescriptor.from_tensor(x[8:, :16], [8, 8], padding='nan'), 1)
k[(1,)](TensorDescriptor(base=x, shape=(2, 20, 24), strides=(480, 24, 1), block_shape=[1, 4, 8]), 1)
k[(1,)](TensorDescriptor.from_tensor(torch.zeros(100, dtype=torch.uint8), block_shape=[16]), 1)",
    );
    assert_eq!(
        log,
        "k[1, 1, 1](d=tensordesc<fp16[16,32]>@0 [40, 24] [24, 1]
k[1, 1, 1](d=tensordesc<fp16[8,8],nan>@384 [32, 16] [24, 1]
k[1, 1, 1](d=tensordesc<fp16[1,4,8]>@0 [2, 20, 24] [480, 24, 1]
k[1, 1, 1](d=tensordesc<u8[16],ragged>@0 [100] [1]
"
    );
}

#[test]
fn fields_can_be_set_and_read() {
    let log = launches(
        "x = torch.zeros((40, 24), dtype=torch.bfloat16)
d = TensorDescriptor(x, x.shape, x.stride(), [1, 1])
e = d
e.block_shape = [8, 16]
k[(1,)](d, 1)
d.base = torch.ones((40, 24), dtype=torch.float32)
d.padding = 'nan'
k[(1,)](e, 1)
print(e.block_shape, e.shape[0], e.strides[1], e.base.dtype, isinstance(e, TensorDescriptor), isinstance(x, TensorDescriptor))",
    );
    assert_eq!(
        log,
        "k[1, 1, 1](d=tensordesc<bf16[8,16]>@0 [40, 24] [24, 1]
k[1, 1, 1](d=tensordesc<fp32[8,16],nan>@0 [40, 24] [24, 1]
[8, 16] 40 1 torch.float32 True False
"
    );
    let (message, at) = refused("d = TensorDescriptor.from_tensor(torch.zeros((8, 8)), [8, 8])\nd.block = [8, 4]");
    assert_eq!(
        (message.as_str(), at.as_str()),
        ("the attribute `block` of a TensorDescriptor cannot be set", "d.block")
    );
}

#[test]
fn what_the_hardware_cannot_copy_is_refused_where_it_is_made() {
    let half = "x = torch.zeros((40, 24), dtype=torch.float16)\n";
    for (make, expected) in [
        ("TensorDescriptor(x, [40, 24], [20, 1], [8, 8])", "a descriptor's stride of 20 elements is 40 bytes"),
        ("TensorDescriptor(x, [40, 24], [-24, 1], [8, 8])", "a descriptor's stride of -24 elements"),
        ("TensorDescriptor.from_tensor(x.T, [8, 8])", "a descriptor's last stride is 24, not 1"),
        ("TensorDescriptor.from_tensor(x[:, 4:], [8, 8])", "starts 8 bytes after a multiple of 16 bytes"),
        ("TensorDescriptor(x, [0, 24], [24, 1], [8, 8])", "cannot have 0 elements along a dimension"),
        ("TensorDescriptor(x, [40], [24, 1], [8, 8])", "1 sizes, 2 strides and 2 sizes of a block"),
        ("TensorDescriptor(x, [], [], [])", "has 1 to 5 dimensions, not 0"),
        ("TensorDescriptor(x, [1] * 6, [8] * 5 + [1], [1] * 5 + [8])", "has 1 to 5 dimensions, not 6"),
        ("TensorDescriptor(x, [40, 24], [24, 1], [8, 0])", "must be positive, and 0 is not"),
        ("TensorDescriptor(x, [40, 24], [24, 1], [8192, 8192])", "a block of 67108864 elements"),
        ("TensorDescriptor(x, [40, 24], [24, 1], [8, 8], 'one')", "'one' is not a padding of a descriptor"),
        ("TensorDescriptor(3, [40, 24], [24, 1], [8, 8])", "the base of a descriptor must be a tensor, not a int"),
        ("TensorDescriptor(x.to(torch.int8), [40, 16], [16, 1], [8, 16], 'nan')", "of i8 cannot pad with NaN"),
        ("TensorDescriptor(x, [40, 24], [24, 1], [8, 8], round_f32_to_tf32=True)", "is not available here"),
    ] {
        let (message, at) = refused(&format!("{half}{make}"));
        assert!(message.contains(expected), "{make}: {message}");
        assert_eq!(at, make);
    }
}

#[test]
fn what_only_the_launch_can_see_is_refused_there() {
    let half = "d = TensorDescriptor.from_tensor(torch.zeros((40, 24), dtype=torch.float16), [1, 1])\n";
    for (set, expected) in [
        ("pass", "`d` of the kernel `k`: a row of the block [1, 1] has 2 bytes"),
        ("d.block_shape = [8, 8, 8]", "2 sizes, 2 strides and 3 sizes of a block"),
        ("d.block_shape = 'ab'", "a size of a block must be an integer"),
        ("d.strides = [25, 1]", "a descriptor's stride of 25 elements is 50 bytes"),
        ("d.base = torch.zeros(8, dtype=torch.bool)", "no multiple of 16"),
    ] {
        let (message, at) = refused(&format!("{half}{set}\nk[(1,)](d, 1)"));
        assert!(message.contains(expected), "{set}: {message}");
        assert_eq!(at, "k[(1,)](d, 1)");
    }
    let caught = launches(
        "try:\n    TensorDescriptor(torch.zeros(8), [8], [2], [8])\nexcept AssertionError as e:\n    print(e)",
    );
    assert_eq!(caught, "a descriptor's last stride is 2, not 1\n");
}

#[test]
fn hooks_set_the_blocks_of_each_configuration() {
    let (tuner, output) = tuned(
        "from triton.tools.tensor_descriptor import TensorDescriptor

def blocks(nargs):
    nargs['d'].block_shape = [nargs['BM'], 64]

@triton.autotune(configs=[triton.Config({'BM': bm}, pre_hook=blocks) for bm in (16, 64, 32)], key=['d', 'n'])
@triton.jit
def tune(d, n, BM: tl.constexpr):
    pass

def main():
    triton.set_allocator(lambda size, alignment, stream: None)
    d = TensorDescriptor.from_tensor(torch.zeros((128, 64), dtype=torch.float16), [1, 1])
    for n in (5, 5):
        tune[lambda meta: (triton.cdiv(128, meta['BM']),)](d, n)
    print(d.block_shape)
",
    );
    assert_eq!(output, "[64, 64]\n");
    assert_eq!(tuner.asked.len(), 1, "{:?}", tuner.asked);
    assert!(tuner.asked[0].starts_with("tune [d=(128, 64) n=5 float16] [8, 1, 1] BM=16"), "{}", tuner.asked[0]);
    let launch = "tune[2, 1, 1](d=tensordesc<fp16[64,64]>@0 [128, 64] [64, 1] n=5 BM:64) w4 s3";
    assert_eq!(tuner.mock.log, [launch, launch]);
}
