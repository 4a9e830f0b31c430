#!/usr/bin/env python3
"""Launches the kernels of one access each on a GPU, for ncu to watch: `ncu … python3 launch.py [probes | engines]`."""
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'nvidia'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import engines
import kernels
from driver import CudaError, Gpu


def lane_parameters(kernel, memory):
    """The parameters of a kernel whose lanes access memory."""
    return [struct.pack('<Q', memory), struct.pack('<32i', *kernel.offsets), struct.pack('<I', kernel.active),
            struct.pack('<I', kernels.MAGIC)]


def engine_parameters(kernel, memory, gpu):
    """The parameters of a kernel with an access of an engine."""
    tensor = gpu.tensor_map(memory, (engines.ROWS, engines.COLUMNS), kernel.box, kernel.swizzle)
    return [tensor, struct.pack('<Q', memory), struct.pack('<I', engines.MAGIC)]


def main():
    gpu = Gpu()
    size = max(kernels.SPAN * kernels.CTAS * kernels.WARPS, 2 * engines.ROWS * engines.COLUMNS)
    memory = gpu.allocate(size)
    gpu.write(memory, bytes(size))
    if 'engines' in sys.argv[1:]:
        rows = [(kernel, engines.CTAS, kernel.threads, lambda kernel: engine_parameters(kernel, memory, gpu))
                for kernel in engines.engines()]
    else:
        made = kernels.probes() if 'probes' in sys.argv[1:] else kernels.kernels()
        rows = [(kernel, kernels.CTAS, kernels.LANES * kernels.WARPS, lambda kernel: lane_parameters(kernel, memory))
                for kernel in made]
    for kernel, ctas, threads, parameters in rows:
        try:
            function = gpu.function(gpu.load(kernel.ptx()), kernel.name)
            gpu.launch(function, (ctas, 1, 1), (threads, 1, 1), parameters(kernel))
        except CudaError as error:
            print(f'{kernel.name}: {error}')
            if error.is_lasting:
                return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
