import torch
import triton
import triton.language as tl

from .tools import HAS_CUPY, contiguous, configs_of_file, own_tuner


class Sizes:
    BLOCK = 64
    CONFIGS = [triton.Config({"BLOCK": BLOCK}, num_warps=2), triton.Config({"BLOCK": 128}, num_warps=4)]

    @staticmethod
    def blocks(n):
        return triton.cdiv(n, Sizes.BLOCK)


@own_tuner(configs=Sizes.CONFIGS, key=["n"], cache_file="scale.json")
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def scale_kernel(x_ptr, y_ptr, n, factor, EVEN: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i) if EVEN else tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x * factor, mask=i < n)


@own_tuner(configs=configs_of_file("add.yaml"), key=["n"], cache_file="add.json")
@triton.jit
def add_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) + tl.load(y_ptr + i, mask=i < n), mask=i < n)


def shift(x_ptr, n, by, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x_ptr + i, tl.load(x_ptr + i, mask=i < n) + by, mask=i < n)


shift_kernel = triton.jit(shift)


def power_kernel_of(exponent):
    @triton.jit
    def squared(v):
        return v * v

    @triton.jit
    def power_kernel(x_ptr, n, BLOCK: tl.constexpr):
        i = tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n)
        tl.store(x_ptr + i, squared(x) if exponent == 2 else squared(x) * x, mask=i < n)

    return power_kernel


class Scale(torch.autograd.Function):
    @staticmethod
    @contiguous
    def forward(ctx, x, factor):
        from .tools import NEW_TORCH

        y = torch.empty_like(x)
        with (torch.cuda.device(0) as device, torch.no_grad() as nothing):
            scale_kernel[lambda META: (triton.cdiv(x.numel(), META["BLOCK"]),)](x, y, x.numel(), factor)
        ctx.save_for_backward(x)
        ctx.factor = factor if NEW_TORCH else None
        return y

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.factor, 3j


result_of_a_test = Scale.apply(torch.ones(4, device="cuda"), missing_package.value())
