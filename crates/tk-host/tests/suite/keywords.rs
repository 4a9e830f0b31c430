//! Keyword arguments that nothing takes are errors: a misspelt one would be without effect.

use crate::{failure, value};

/// Calls with the keyword `wrong`.
const CALLS: [&str; 80] = [
    "torch.zeros(3, wrong=1)",
    "torch.ones(3, wrong=1)",
    "torch.empty(3, wrong=1)",
    "torch.full((3,), 1, wrong=1)",
    "torch.randn(3, wrong=1)",
    "torch.rand(3, wrong=1)",
    "torch.randint(0, 3, (2,), wrong=1)",
    "torch.randperm(3, wrong=1)",
    "torch.arange(3, wrong=1)",
    "torch.linspace(0, 1, 3, wrong=1)",
    "torch.eye(3, wrong=1)",
    "torch.tensor([1], wrong=1)",
    "torch.zeros_like(a, wrong=1)",
    "torch.randn_like(a, wrong=1)",
    "torch.empty_strided((2,), (1,), wrong=1)",
    "torch.cat([a, a], wrong=0)",
    "torch.stack([a, a], wrong=0)",
    "torch.einsum('ij->i', a, wrong=1)",
    "torch.finfo(torch.float16, wrong=1)",
    "torch.iinfo(torch.int8, wrong=1)",
    "torch.where(a > 2, wrong=1)",
    "torch.broadcast_tensors(a, a, wrong=1)",
    "torch.device('cuda', wrong=1)",
    "torch.testing.assert_close(a, a, wrong=1)",
    "torch.allclose(a, a, wrong=1)",
    "torch.matmul(a, a.t(), wrong=1)",
    "F.pad(a, (1, 1), wrong=0)",
    "F.one_hot(torch.tensor([1]), wrong=3)",
    "F.softmax(a, wrong=1)",
    "F.layer_norm(a, (3,), wrong=1)",
    "a.new_empty(2, wrong=1)",
    "a.new_zeros(2, wrong=1)",
    "a.new_full((2,), 1.0, wrong=1)",
    "a.repeat_interleave(2, wrong=0)",
    "a.index_add_(0, torch.tensor([0]), a[:1], wrong=2)",
    "a.to(torch.half, wrong=1)",
    "a.half(wrong=1)",
    "a.cuda(wrong=1)",
    "a.sum(wrong=0)",
    "a.norm(wrong=0)",
    "a.exp(wrong=0)",
    "a.add(1, wrong=0)",
    "a.add_(1, wrong=0)",
    "a.reshape(3, 2, wrong=0)",
    "a.view(3, 2, wrong=0)",
    "a.expand(2, 3, wrong=0)",
    "a.permute(1, 0, wrong=0)",
    "a.transpose(1, 0, wrong=0)",
    "a.unsqueeze(0, wrong=0)",
    "a.repeat(2, 1, wrong=0)",
    "a.flip(0, wrong=0)",
    "a.size(wrong=0)",
    "a.chunk(2, wrong=0)",
    "a.masked_fill(a > 1, 0, wrong=0)",
    "max([1], wrong=1)",
    "sorted([1], wrong=1)",
    "range(3, wrong=1)",
    "zip([1], wrong=1)",
    "map(abs, [1], wrong=1)",
    "slice(1, wrong=1)",
    "enumerate([1], wrong=1)",
    "int('3', wrong=1)",
    "print(1, wrong=1)",
    "math.sqrt(4, wrong=1)",
    "torch.cuda.is_available(wrong=1)",
    "torch.cuda.device_count(wrong=1)",
    "torch.cuda.synchronize(wrong=1)",
    "torch.cuda.set_device(0, wrong=1)",
    "torch.cuda.get_device_properties(0, wrong=1)",
    "torch.cuda.Event(wrong=1)",
    "torch.cuda.Stream(wrong=1)",
    "torch.cuda.device(0, wrong=1)",
    "torch.cuda.device_of(a, wrong=1)",
    "torch.get_float32_matmul_precision(wrong=1)",
    "torch.no_grad(wrong=1)",
    "torch.inference_mode(wrong=1)",
    "torch.set_printoptions(wrong=1)",
    "torch.set_float32_matmul_precision('high', wrong=1)",
    "triton.cdiv(4, 2, wrong=1)",
    "triton.Config({}, wrong=4)",
];

#[test]
fn keywords_that_nothing_takes_are_errors() {
    for call in CALLS {
        let diagnostic = failure(&format!("a = torch.arange(6).reshape(2, 3).float()\n{call}"));
        assert!(diagnostic.message.contains("`wrong`"), "{call}: {}", diagnostic.message);
        // The same call without it is fine.
        let right = call.replace(", wrong=0", "").replace(", wrong=1", "");
        let right = right.replace(", wrong=2", "").replace(", wrong=3", "").replace(", wrong=4", "");
        let right = right.replace("(wrong=0)", "()").replace("(wrong=1)", "()");
        crate::script(&format!("a = torch.arange(6).reshape(2, 3).float()\n{right}"));
    }
}

#[test]
fn keywords_that_functions_take_have_their_effect() {
    for (expr, expected) in [
        ("torch.tensor([[1, 2]]).flip(dims=[1]).tolist()", "[[2, 1]]"),
        ("torch.flip(torch.tensor([1, 2]), dims=(0,)).tolist()", "[2, 1]"),
        ("torch.tensor([1, 2]).repeat(repeats=2).tolist()", "[1, 2, 1, 2]"),
        (
            "torch.ones(2, 3).reshape(shape=(3, 2)).shape, torch.ones(2, 3).permute(dims=(1, 0)).shape",
            "((3, 2), (3, 2))",
        ),
        ("torch.tensor([3., 4.]).norm(p=2), torch.tensor([[3., 4.]]).norm(2, dim=1).tolist()", "(tensor(5.), [5.0])"),
        ("torch.ones(2).to(other=torch.ones(1, dtype=torch.int32)).dtype", "torch.int32"),
    ] {
        assert_eq!(value(expr), expected, "{expr}");
    }
    assert!(failure("torch.tensor([3., -4.]).norm(1)").message.contains("`norm` with p=1"));
    assert!(failure("print(3j)").message.contains("no complex numbers"));
}
