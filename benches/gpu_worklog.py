"""Products of the worklog fast.cu (github.com/pranjalssh/fast.cu), written in CUDA by hand, as contestants of benches/gpu.py.

FAST_CU names a checkout of it; nvcc builds the kernels into a library of the machine's temporary folder, once. Both operands have their
rows along K, as products with columns of B have, and the result is stored by columns."""
import ctypes
import functools
import os
import pathlib
import subprocess
import tempfile

# The kernels of the worklog that are asked, by number; a row counts the fastest.
KERNELS = (8, 11)

# What the kernels expect around them, as their own program has it, and a launch that a graph can capture.
SOURCE = '''
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda/barrier>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
typedef __nv_bfloat16 bf16;
#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
static void cudaCheck(cudaError_t error) { if (error) { printf("%s\\n", cudaGetErrorString(error)); exit(1); } }
static cudaStream_t the_stream;
'''


@functools.cache
def library():
    folder = os.environ.get('FAST_CU')
    if not folder:
        raise RuntimeError('FAST_CU has to name a checkout of github.com/pranjalssh/fast.cu')
    place = pathlib.Path(tempfile.mkdtemp(prefix='fast-cu-'))
    text = SOURCE
    for number in KERNELS:
        kernel = (pathlib.Path(folder) / f'examples/matmul/matmul_{number}.cuh').read_text()
        text += kernel.replace('sMemSize>>>', 'sMemSize, the_stream>>>')
        # The program launches each kernel for one size only, whose maps of memory are kept.
        text += f'extern "C" void worklog_{number}(int m, int n, int k, void *a, void *b, void *c, cudaStream_t stream) {{\n' \
                f'  the_stream = stream;\n  runKernel{number}(m, n, k, (bf16 *)a, (bf16 *)b, (bf16 *)c, nullptr);\n}}\n' \
                f'extern "C" void worklog_{number}_forget() {{ M{number}::_prev_m = 0; }}\n'
    (place / 'worklog.cu').write_text(text)
    command = ['nvcc', '-std=c++17', '-O3', '-DNDEBUG', '-w', '--expt-relaxed-constexpr', '--expt-extended-lambda', '--use_fast_math',
               '-gencode', 'arch=compute_90a,code=sm_90a', '-Xcompiler=-fPIC', '-shared', str(place / 'worklog.cu'),
               '-o', str(place / 'worklog.so')]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        raise RuntimeError('nvcc does not build the worklog: ' + built.stderr[:400])
    # The driver is named by the process, since not every machine has a library to link with.
    ctypes.CDLL('libcuda.so.1', ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(str(place / 'worklog.so'))


def run_of(number, a, b, c):
    """A call that multiplies the tensors on the current stream. Its maps are of these tensors, whatever was multiplied before."""
    import torch
    launch = getattr(library(), f'worklog_{number}')
    m, n, k = a.shape[0], b.shape[0], a.shape[1]
    getattr(library(), f'worklog_{number}_forget')()

    def run():
        pointers = [ctypes.c_void_p(tensor.data_ptr()) for tensor in (a, b, c)]
        launch(m, n, k, *pointers, ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))
    return run
