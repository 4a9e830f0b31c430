"""What a warm launch costs: `launch.py [--stub] [--calls N] [--no-triton]` prints microseconds per launch, of tk and of Triton where both are.

On a GPU it launches on tensors of torch. `--stub objects` needs none: the driver of `stub_driver.c` takes the launches, and the tensors are
objects that only say where their memory would be, so that what is measured is what happens before the driver. `--stub torch` does the same
with torch's own tensors, of the CPU. With `--instructions` it counts instructions per launch under valgrind or `perf stat` instead, as the
difference of two runs.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import stub_driver

KERNELS = '''
@jit
def ten(a, b, c, d, n0, n1, n2, n3, f, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(a + at, tl.load(b + at) + tl.load(c + at) + tl.load(d + at) + n0 + n1 + n2 + n3 + f)


@jit
def two(a, n, BLOCK: tl.constexpr):
    tl.store(a + tl.arange(0, BLOCK), n)
'''


class Memory:
    """A tensor as launches see one, without memory."""

    __slots__ = ("address", "dtype", "is_cuda")

    def __init__(self, address, dtype):
        self.address, self.dtype, self.is_cuda = address, dtype, True

    def data_ptr(self):
        return self.address


def tensors(stub, language):
    """Four tensors of 4096 floats."""
    if stub == "objects":
        return [Memory((at + 1) << 16, language.float32) for at in range(4)]
    import torch

    return [torch.empty(4096, device="cpu" if stub else "cuda") for _ in range(4)]


def pretend_torch_has_a_gpu():
    """Lets tensors of a torch that finds no GPU pass for tensors of one; the stream is then asked of Python functions, which cost more."""
    import torch

    torch.Tensor.is_cuda = True
    torch.cuda.is_available = lambda: True
    torch.cuda.init = lambda: None
    torch._C._cuda_getDevice = lambda: 0
    torch._C._cuda_getCurrentRawStream = lambda device: 0
    table = getattr(torch.Tensor, "__dlpack_c_exchange_api__", None)
    if table is not None:
        torch.Tensor.__dlpack_c_exchange_api__ = stub_driver.exchange_on_gpu(table)


def cases(compiler, stub):
    """The launches that are measured, by name."""
    import importlib.util

    language = compiler.language
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write("from " + compiler.__name__ + " import jit\nimport " + compiler.__name__ + ".language as tl\n" + KERNELS)
        file.flush()
        spec = importlib.util.spec_from_file_location("kernels_of_" + compiler.__name__, file.name)
        kernels = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(kernels)
        a, b, c, d = tensors(stub, language)
        ten, two = kernels.ten, kernels.two

        def asked():
            """A launch of a kernel that is asked for its resources first, as in Triton's tutorial of softmax."""
            kernel = ten.warmup(a, b, c, d, 5, 17, 33, 4096, 2.5, BLOCK=128, num_warps=8, grid=(1,))
            kernel._init_handles()
            programs = min(4, 65536 // (kernel.n_regs * 256), 232448 // max(kernel.metadata.shared, 1))
            kernel[(programs, 1, 1)](a, b, c, d, 5, 17, 33, 4096, 2.5, 128)

        found = {
            "ten arguments": lambda: ten[(1,)](a, b, c, d, 5, 17, 33, 4096, 2.5, BLOCK=128),
            "ten arguments, options": lambda: ten[(1,)](a, b, c, d, 5, 17, 33, 4096, 2.5, BLOCK=128, num_warps=8, num_stages=2),
            "ten arguments, grid function": lambda: ten[lambda meta: (meta["n3"] // 4096,)](a, b, c, d, 5, 17, 33, 4096, 2.5, BLOCK=128),
            "three arguments": lambda: two[(1,)](a, 7, BLOCK=128),
            "ten arguments, asked for resources": asked,
        }
        for call in found.values():
            call()
    return found


def microseconds(call, calls, synchronise):
    """The least and the middle time of one call, over twenty series."""
    series = []
    for _ in range(20):
        synchronise()
        start = time.perf_counter()
        for _ in range(calls):
            call()
        series.append((time.perf_counter() - start) / calls * 1e6)
    synchronise()
    return min(series), sorted(series)[10]


def instructions(arguments):
    """Instructions of one launch: a run of many launches less a run of few."""
    few, many = 2_000, 42_000

    def count(case, calls):
        command = [sys.executable, __file__, "--stub", arguments.stub, "--only", case, "--calls", str(calls)]
        environment = {**stub_driver.environment(arguments.library), "PYTHONHASHSEED": "0"}
        if shutil.which("valgrind"):
            tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
            output = subprocess.run(tool + command, env=environment, capture_output=True, text=True, check=True).stderr
            return int(re.search(r"Collected : (\d+)", output).group(1))
        output = subprocess.run(["perf", "stat", "-e", "instructions:u", *command], env=environment, capture_output=True, text=True, check=True)
        return int(re.search(r"([\d,.]+)\s+instructions", output.stderr).group(1).replace(",", "").replace(".", ""))

    for case in ["ten arguments", "three arguments", "ten arguments, asked for resources"]:
        print(f"tk\t{case}\t{(count(case, many) - count(case, few)) / (many - few):.0f} instructions")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stub", choices=["objects", "torch"], help="the driver without a GPU, on plain objects or on torch's CPU tensors")
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--only", help="one case, whose calls are made once and not timed")
    parser.add_argument("--instructions", action="store_true", help="count instructions (with --stub)")
    parser.add_argument("--no-triton", action="store_true")
    arguments = parser.parse_args()
    if arguments.stub and "TK_STUB_DRIVER" not in os.environ:
        with tempfile.TemporaryDirectory() as folder:
            arguments.library = stub_driver.build(folder)
            if arguments.library is None:
                sys.exit("there is no C compiler for the driver without a GPU")
            if arguments.instructions:
                return instructions(arguments)
            return subprocess.run([sys.executable, __file__, *sys.argv[1:]], env=stub_driver.environment(arguments.library)).returncode
    if arguments.stub == "torch":
        pretend_torch_has_a_gpu()
    import tk

    compilers = [tk]
    if not arguments.stub and not arguments.no_triton:
        import triton

        compilers.append(triton)
    synchronise = (lambda: None) if arguments.stub else __import__("torch").cuda.synchronize
    for compiler in compilers:
        for name, call in cases(compiler, arguments.stub).items():
            if arguments.only is not None:
                if name == arguments.only:
                    for _ in range(arguments.calls):
                        call()
                continue
            least, middle = microseconds(call, arguments.calls, synchronise)
            print(f"{compiler.__name__}\t{name}\t{least:.2f} us least\t{middle:.2f} us middle", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
