"""Kernels that torch.compile writes, compiled by tk: on CPU tensors, on the simulator. Needs torch."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = '''
import json
import sys
import time

import tk

tk.as_triton()
import torch
import torch._inductor.config as config
import tk.compiler.compiler as compiler
import triton
import triton.language as tl

config.cpu_backend = "triton"
config.compile_threads = 1
config.force_disable_caches = True
counts = {"kernels": 0, "seconds": 0.0}
inner = compiler.compile
compile_text = __builtins__.compile if hasattr(__builtins__, "compile") else __builtins__["compile"]


def compile(*args, **kwargs):
    counts["kernels"] += 1
    start = time.perf_counter()
    try:
        return inner(*args, **kwargs)
    finally:
        counts["seconds"] += time.perf_counter() - start


tk.compile = compile
torch.manual_seed(0)
F = torch.nn.functional


def rows(*shape):
    return torch.randn(*shape)


def attention(q, k, v):
    scores = q @ k.transpose(-1, -2) / 8
    mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), -1) @ v


def rope(x):
    half = x.shape[-1] // 2
    angle = torch.arange(x.shape[-2])[:, None] / 10000 ** (torch.arange(half) / half)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], -1)


def block(x, ln1, wqkv, wo, ln2, w1, w2, w3):
    """A block of a transformer: RMS norm, rotary embedding, causal attention, and a gated MLP."""
    b, t, d = x.shape
    norm = lambda x, w: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w
    q, k, v = (norm(x, ln1) @ wqkv).view(b, t, 3, 2, d // 2).permute(2, 0, 3, 1, 4)
    x = x + attention(rope(q), rope(k), v).transpose(1, 2).reshape(b, t, d) @ wo
    y = norm(x, ln2)
    return x + (F.silu(y @ w1) * (y @ w2)) @ w3


def routed(x, gate, w1, w2):
    """Experts as in Mixtral: each token goes to the two that its gate prefers."""
    weights, chosen = torch.topk(torch.softmax(x @ gate, -1), 2, dim=-1)
    weights = weights / weights.sum(-1, keepdim=True)
    out = torch.zeros_like(x)
    for expert in range(gate.shape[1]):
        share = (weights * (chosen == expert)).sum(-1, keepdim=True)
        out = out + share * (F.gelu(x @ w1[expert]) @ w2[expert])
    return out


def ordered(x, gate):
    """The tokens in the order of their experts, and where each expert begins."""
    expert = (x @ gate).argmax(-1)
    order = torch.argsort(expert, stable=True)
    counts = torch.zeros(gate.shape[1], dtype=torch.int64).index_add(0, expert, torch.ones_like(expert))
    return x[order] * 2, order, counts.cumsum(0)


@triton.jit
def own_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=at < n) * 3, mask=at < n)


def with_own_kernel(x):
    out = torch.empty_like(x)
    own_kernel[(triton.cdiv(x.numel(), 64),)](x + 1, out, x.numel(), BLOCK=64)
    return out.relu()


CASES = {
    "transformer block": (block, [rows(2, 12, 32), rows(32), rows(32, 96) / 6, rows(32, 32) / 6, rows(32), rows(32, 48) / 6, rows(32, 48) / 6, rows(48, 32) / 6]),
    "routing": (routed, [rows(20, 16), rows(16, 4), rows(4, 16, 24) / 4, rows(4, 24, 16) / 4]),
    "routing by sort": (ordered, [rows(40, 16), rows(16, 4)]),
    "kernel of the program": (with_own_kernel, [rows(100)]),
    "topk": (lambda x: torch.topk(x * 2 + 1, 5, dim=-1), [rows(6, 40)]),
    "sort of pairs": (lambda x: torch.sort(x, dim=0, descending=True, stable=True), [torch.randint(0, 9, (60, 3)).float()]),
    "argsort": (lambda x: x.gather(-1, torch.argsort(x, dim=-1, stable=True)), [rows(5, 30)]),
    "median and quantile": (lambda x: (x.median(-1).values * 2, torch.sort(x, -1).values[..., 3]), [rows(7, 33)]),
    "diff and roll": (lambda x: x.diff(dim=-1)[:, :20] + torch.roll(x, 3, -1)[:, :20] + x.flip(-1)[:, :20], [rows(5, 21)]),
    "one hot": (lambda i: F.one_hot(i, 12).float().cumsum(0) * 2, [torch.randint(0, 12, (30,))]),
    "long norms": (lambda x, w, b: F.layer_norm(x, (5000,), w, b), [rows(3, 5000), rows(5000), rows(5000)]),
    "gated norm": (lambda x, g, w: F.rms_norm(x, (64,), w) * torch.sigmoid(g), [rows(9, 64), rows(9, 64), rows(64)]),
    "weighted loss": (lambda x, y, w: F.cross_entropy(x, y, weight=w.detach(), label_smoothing=0.1) + F.kl_div(F.log_softmax(x, -1), torch.softmax(x * 2, -1), reduction="batchmean"), [rows(9, 30), torch.randint(0, 30, (9,)), rows(30).abs()]),
    "embedding of words": (lambda w, p, i: F.embedding(i, w) + p[: i.shape[1]], [rows(50, 16), rows(20, 16), torch.randint(0, 50, (4, 7))]),
    "dropout with a mask": (lambda x, m: x * m / 0.9 + F.dropout(x, 0.0), [rows(80), (rows(80) > 0).float()]),
    "scan of states": (lambda a, x: torch.cumsum(torch.exp(-a.cumsum(0)) * x, 0) * torch.exp(a.cumsum(0)), [rows(40, 6).abs() / 10, rows(40, 6)]),
    "pointwise": (lambda x, y: torch.tanh(x) * F.gelu(y) + torch.where(x > y, x.exp(), y.abs().sqrt()), [rows(37, 19), rows(37, 19)]),
    "special functions": (lambda x: torch.erf(x) + torch.log1p(x.abs()) + torch.expm1(x) + torch.lgamma(x.abs() + 1) + torch.atan2(x, x + 2), [rows(50)]),
    "integers": (lambda x: (x // 3) * 2 + x % 5 - (x >> 1) + (x & 7), [torch.randint(-100, 100, (77,))]),
    "broadcast": (lambda x, y: x[:, None] * y[None, :] + 1, [rows(20), rows(33)]),
    "transposed": (lambda x, y: (x.t() + y).contiguous() * 2, [rows(17, 40), rows(40, 17)]),
    "bool": (lambda x: (x > 0) & (x < 1) | x.isnan(), [rows(100)]),
    "half": (lambda x: F.silu(x.half()).float() + F.softplus(x.bfloat16()).float(), [rows(100)]),
    "sum": (lambda x: x.sum(-1), [rows(9, 300)]),
    "long sum": (lambda x: x.sum(), [rows(20000)]),
    "outer sum": (lambda x: x.sum(0), [rows(300, 9)]),
    "mean and variance": (lambda x: torch.var_mean(x, -1), [rows(9, 300)]),
    "long variance": (lambda x: torch.var_mean(x, -1), [rows(3, 5000)]),
    "prod": (lambda x: (1 + x / 10).prod(-1), [rows(9, 30)]),
    "amax and argmax": (lambda x: (x.amax(-1), x.argmax(-1), x.argmin(-1), x.amin(-1)), [rows(9, 300)]),
    "long argmax": (lambda x: (x.argmax(-1), x.max(-1).values), [rows(3, 5000)]),
    "any and all": (lambda x: ((x > 3).any(-1), (x > -9).all(-1)), [rows(9, 300)]),
    "softmax": (lambda x: torch.softmax(x, -1), [rows(9, 300)]),
    "long softmax": (lambda x: torch.softmax(x, -1), [rows(3, 5000)]),
    "log softmax": (lambda x: F.log_softmax(x, -1), [rows(9, 300)]),
    "cross entropy": (lambda x, y: F.cross_entropy(x, y), [rows(9, 300), torch.randint(0, 300, (9,))]),
    "layer norm": (lambda x, w: F.layer_norm(x, (300,), w), [rows(9, 300), rows(300)]),
    "long layer norm": (lambda x: F.layer_norm(x, (5000,)), [rows(3, 5000)]),
    "rms norm": (lambda x, w: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w, [rows(9, 300), rows(300)]),
    "batch norm": (lambda x: F.batch_norm(x, None, None, training=True), [rows(4, 3, 9, 9)]),
    "group norm": (lambda x: F.group_norm(x, 2), [rows(2, 4, 9, 9)]),
    "cumsum": (lambda x: x.cumsum(-1), [rows(9, 300)]),
    "cumprod": (lambda x: (1 + x / 100).cumprod(-1), [rows(9, 100)]),
    "cummax": (lambda x: torch.cummax(x, -1), [rows(5, 100)]),
    "logcumsumexp": (lambda x: torch.logcumsumexp(x, -1), [rows(5, 100)]),
    "long cumsum": (lambda x: x.cumsum(0), [rows(3000)]),
    "sort": (lambda x: torch.sort(x, dim=-1, stable=True), [rows(5, 60)]),
    "gather": (lambda x, i: x[i] * 2, [rows(50, 8), torch.randint(0, 50, (20,))]),
    "scatter": (lambda x, i: torch.zeros(50).index_add(0, i, x), [rows(20), torch.randint(0, 50, (20,))]),
    "embedding": (lambda w, i: F.embedding(i, w).sum(1), [rows(50, 16), torch.randint(0, 50, (4, 7))]),
    "dropout": (lambda x: F.dropout(x, 0.0, training=True) + 1, [rows(100)]),
    "concatenation": (lambda x, y: torch.cat([x.relu(), y.sigmoid()], 1), [rows(9, 20), rows(9, 11)]),
    "pooling": (lambda x: F.max_pool2d(x, 2) + F.avg_pool2d(x, 2), [rows(2, 3, 8, 8)]),
    "upsample": (lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), [rows(1, 2, 5, 5)]),
    "attention": (attention, [rows(2, 2, 16, 64), rows(2, 2, 16, 64), rows(2, 2, 16, 64)]),
    "rotation": (rope, [rows(2, 12, 32)]),
    "clamp and round": (lambda x: x.clamp(-1, 1).round() + x.floor() - x.ceil() + x.trunc() + x.frac(), [rows(100) * 3]),
    "fmod": (lambda x: torch.fmod(x, 0.7) + torch.remainder(x, 0.7), [rows(100)]),
    "adam": (lambda p, g, m, v: (m.lerp(g, 0.1), v.mul(0.99).addcmul(g, g, value=0.01), p - 0.1 * m / (v.abs().sqrt() + 1e-8)), [rows(99)] * 4),
}


WITH_GRADIENTS = (
    "softmax", "layer norm", "rms norm", "cross entropy", "attention", "rotation", "pointwise", "transformer block", "routing", "long norms",
    "gated norm", "weighted loss", "embedding of words", "dropout with a mask", "batch norm", "group norm", "concatenation",
    "argsort", "cumsum",
)


def backward(f):
    def both(*args):
        args = [a.detach().clone().requires_grad_(a.is_floating_point()) for a in args]
        result = f(*args)
        if not torch.is_tensor(result):
            result = result[0]
        result.square().sum().backward()
        return [a.grad for a in args if a.grad is not None]

    return both


def with_products(f):
    """Compiles with the templates of products, whose configurations are all tried."""
    return lambda: torch.compile(f, options={"max_autotune_gemm": True, "max_autotune_gemm_backends": "TRITON"})


def let_flex_attention_take_its_template():
    """On tensors of the CPU, too, where it is C++ otherwise."""
    import inspect
    import torch._inductor.kernel.flex.flex_attention as module
    from torch._inductor.select_algorithm import TritonTemplate

    text = inspect.getsource(module)
    assert 'query.get_device().type == "cpu"' in text
    for name in [name for name in TritonTemplate.all_templates if "flex" in name]:
        del TritonTemplate.all_templates[name]
    exec(compile_text(text.replace('query.get_device().type == "cpu"', "False"), module.__file__, "exec"), vars(module))


def flex(q, k, v):
    score = lambda score, b, h, i, j: torch.where(i >= j, score + (i - j) * 0.01, float("-inf"))
    return torch.nn.attention.flex_attention.flex_attention(q, k, v, score_mod=score, kernel_options={"BLOCK_M": 32, "BLOCK_N": 32})


import torch.nn.attention.flex_attention

CASES["addmm template"] = (lambda b, x, y: torch.addmm(b, x, y), [rows(24), rows(32, 16), rows(16, 24)])
CASES["bmm template"] = (lambda x, y: torch.bmm(x, y), [rows(2, 16, 32), rows(2, 32, 16)])
CASES["flex attention"] = (flex, [rows(1, 2, 128, 32)] * 3)
found = {}
wanted = sys.argv[1:]
let_flex_attention_take_its_template()
for name, (f, args) in CASES.items():
    if wanted and name not in wanted:
        continue
    counts["kernels"] = 0
    torch._dynamo.reset()
    try:
        compiled = with_products(f)() if "template" in name else torch.compile(f)
        torch.testing.assert_close(compiled(*args), f(*args), atol=1e-2 if name == "half" else 1e-4, rtol=1e-4, equal_nan=True)
        if name in WITH_GRADIENTS:
            for got, want in zip(backward(compiled)(*args), backward(f)(*args)):
                torch.testing.assert_close(got, want, atol=1e-3, rtol=1e-3)
        found[name] = {"kernels": counts["kernels"], "failure": None}
    except Exception as error:
        found[name] = {"kernels": counts["kernels"], "failure": (str(error).strip() or repr(error))[-1500:]}
print("RESULT" + json.dumps({"cases": found, "seconds": counts["seconds"]}))
'''


@unittest.skipUnless(importlib.util.find_spec("torch"), "torch is not installed")
class Inductor(unittest.TestCase):
    def test_kernels_of_torch_compile_agree_with_eager(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w") as file:
                file.write(PROGRAM)
            wanted = [name for name in os.environ.get("TK_INDUCTOR_CASES", "").split(",") if name]
            result = subprocess.run([sys.executable, "-W", "ignore", path, *wanted], env={**os.environ, "TK_DEVICE": "sim"}, capture_output=True, text=True)
            self.assertIn("RESULT", result.stdout, result.stderr[-4000:])
            report = json.loads(result.stdout.rpartition("RESULT")[2])
            failures = {name: case["failure"] for name, case in report["cases"].items() if case["failure"]}
            self.assertEqual(failures, {}, "\n\n".join(f"{name}: {text}" for name, text in failures.items()))
            for name, case in report["cases"].items():
                self.assertGreater(case["kernels"], 0, f"{name}: no kernel went through tk")
            kernels = sum(case["kernels"] for case in report["cases"].values())
            print(f"{len(report['cases'])} functions, {kernels} kernels, {report['seconds']:.1f} s in tk", file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
