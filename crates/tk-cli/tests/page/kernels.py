"""Programs that the tests of the page make: a long kernel, and one whose text is an attack."""

HEAD = "import torch\nimport triton\nimport triton.language as tl\n\n\n"

STEPS = [
    "y = y * {a}.25 + x",
    "x = tl.where(y > {b}.0, x - y, x + {c}.5)",
    "y = tl.maximum(y, x * 0.{a})",
    "y = y - x * y",
    "x = tl.exp2(x * 0.001) + y",
]


def long_kernel(lines):
    """A kernel whose body has this many lines, with a load in every fiftieth."""
    body = ["offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)", "mask = offsets < n", "x = tl.load(x_ptr + offsets, mask=mask, other=0.0)", "y = x * 0.5"]
    for step in range(lines - len(body) - 1):
        text = STEPS[step % len(STEPS)].format(a=step % 7 + 1, b=step % 11, c=step % 3)
        body.append(f"y += tl.load(x_ptr + (offsets * {step % 4 + 1}) % n, mask=mask, other=0.0)" if step % 50 == 49 else text)
    body.append("tl.store(y_ptr + offsets, y, mask=mask)")
    kernel = "@triton.jit\ndef long_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):\n" + "".join(f"    {line}\n" for line in body)
    main = "    x = torch.randn((n,), device='cuda')\n    y = torch.zeros_like(x)\n    long_kernel[(triton.cdiv(n, 512),)](x, y, n, BLOCK=512)\n"
    return f"{HEAD}{kernel}\n\ndef main(n=2048):\n{main}"


ATTACK = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'><!-- <script> @data@ @script@"


def hostile_kernel():
    """A kernel with markup wherever text can stand: in comments, in strings, in the name of an assertion."""
    kernel = f"@triton.jit\ndef k(x, y):\n    # {ATTACK}\n    at = tl.arange(0, 128)\n    tl.device_assert(at >= 0, \"{ATTACK}\")\n    tl.store(y + at, tl.load(x + at))\n"
    main = "    x = torch.randn((128,), device='cuda')\n    y = torch.zeros_like(x)\n    k[(1,)](x, y)\n"
    return f"{HEAD}# {ATTACK}\n{kernel}\n\ndef main():\n{main}"


SLOW = f"""{HEAD}@triton.jit
def normalise(x_ptr, y_ptr, stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    inside = columns < n_cols
    x = tl.load(x_ptr + row * stride + columns, mask=inside, other=0.0)
    mean = tl.sum(x, axis=0) / n_cols
    centred = tl.where(inside, x - mean, 0.0)
    variance = tl.sum(centred * centred, axis=0) / n_cols
    y = centred / tl.sqrt(variance + 1e-5)
    tl.store(y_ptr + columns * 512 + row, y, mask=inside)


def main():
    x = torch.randn((512, 999), device="cuda")
    y = torch.empty((999, 512), device="cuda")
    normalise[(512,)](x, y, x.stride(0), x.shape[1], BLOCK=1024)
"""

OPERATIONS = """import triton
import triton.language as tl


@triton.jit
def twice(x):
    y = x * 2.0
    return tl.exp2(y) + y
"""

CALLER = f"""{HEAD}from ops import twice


@triton.jit
def k(x_ptr, y_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    tl.store(y_ptr + at, twice(x))


def main():
    x = torch.randn((512,), device="cuda")
    y = torch.empty((512,), device="cuda")
    k[(2,)](x, y, BLOCK=256)
"""
