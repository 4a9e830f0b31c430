"""The library's side of benches/gpu.py: cuBLAS and cuDNN through torch, by the same two timing rules as the kernels."""
import torch
import triton
from alone import alone
from torch.nn.attention import SDPBackend, sdpa_kernel

DEVICE = 'cuda'


def times(run, warmup=25, replay=4):
    run()
    return [alone(run, warmup),
            triton.testing.do_bench_cudagraph(run, rep=replay, return_mode='median')]


def matmul(M, N, K, dtype, column_major, warmup, replay):
    if dtype == torch.int8:
        a = torch.randint(-100, 100, (M, K), device=DEVICE, dtype=torch.int8)
        b = torch.randint(-100, 100, (N, K), device=DEVICE, dtype=torch.int8).T
        return times(lambda: torch._int_mm(a, b), warmup, replay)
    if dtype in (torch.float8_e5m2, torch.float8_e4m3fn):
        # cuBLAS takes e5m2 with e4m3 only, so its column is e4m3 in both cases.
        a = torch.randn((M, K), device=DEVICE, dtype=torch.float16).to(torch.float8_e4m3fn)
        b = torch.randn((N, K), device=DEVICE, dtype=torch.float16).to(torch.float8_e4m3fn).T
        one = torch.ones((), device=DEVICE)
        return times(lambda: torch._scaled_mm(a, b, scale_a=one, scale_b=one, out_dtype=torch.float16, use_fast_accum=True), warmup, replay)
    torch.backends.cuda.matmul.allow_tf32 = True
    a = torch.randn((M, K), device=DEVICE, dtype=dtype)
    b = torch.randn((N, K), device=DEVICE, dtype=dtype).T if column_major else torch.randn((K, N), device=DEVICE, dtype=dtype)
    c = torch.empty((M, N), device=DEVICE, dtype=dtype)
    return times(lambda: torch.matmul(a, b, out=c), warmup, replay)


# The better of cuBLAS and cuBLASLt by each rule.
def best_matmul(M, N, K, dtype, warmup, replay, column_major=True):
    found = []
    for library in ('cublaslt', 'cublas'):
        torch.backends.cuda.preferred_blas_library(library)
        found.append(matmul(M, N, K, dtype, column_major, warmup, replay))
    return [min(each) for each in zip(*found)]


# The fastest kernel of a worklog in CUDA by each rule; each is compared with the product of torch first.
def worklog_matmul(M, N, K, dtype, warmup, replay, column_major=True):
    import gpu_worklog
    a, b = torch.randn((M, K), device=DEVICE, dtype=dtype), torch.randn((N, K), device=DEVICE, dtype=dtype)
    wanted, found = torch.matmul(a, b.T), []
    for number in gpu_worklog.KERNELS:
        c = torch.zeros((N, M), device=DEVICE, dtype=dtype)
        run = gpu_worklog.run_of(number, a, b, c)
        run()
        torch.testing.assert_close(c.T, wanted, rtol=0.02, atol=0.5)
        found.append(times(run, warmup, replay))
    return [min(each) for each in zip(*found)]


def matmul_descriptors(kind, M, N, K, dtype, warmup, replay):
    return matmul(M, N, K, dtype, True, warmup, replay)


def attention(head_dim, causal, warmup, replay, heads=128, shared_by=1, n_ctx=4096, dtype=torch.float16):
    q = torch.randn((1, heads, n_ctx, head_dim), device=DEVICE, dtype=dtype)
    k, v = (torch.randn((1, heads // shared_by, n_ctx, head_dim), device=DEVICE, dtype=dtype) for _ in range(2))
    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        return times(lambda: torch.nn.functional.scaled_dot_product_attention(
            q, k, v, is_causal=causal, enable_gqa=shared_by > 1), warmup, replay)


def vector_add(n):
    x, y = (torch.rand((n,), device=DEVICE) for _ in range(2))
    output = torch.empty_like(x)
    return times(lambda: torch.add(x, y, out=output))


def softmax(rows, columns):
    x = torch.randn((rows, columns), device=DEVICE)
    return times(lambda: torch.softmax(x, dim=1))


def layer_norm(rows, columns):
    x = torch.randn((rows, columns), device=DEVICE, dtype=torch.float16)
    weight, bias = (torch.rand((columns,), device=DEVICE, dtype=torch.float16) for _ in range(2))
    return times(lambda: torch.nn.functional.layer_norm(x, (columns,), weight, bias, 1e-5))
