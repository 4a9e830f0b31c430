#!/usr/bin/env python3
"""Launches the one-access kernels on a GPU, for ncu to watch: `ncu … python3 launch.py [probes]`."""
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'nvidia'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import kernels
from driver import CudaError, Gpu


def main():
    made = kernels.probes() if 'probes' in sys.argv[1:] else kernels.kernels()
    gpu = Gpu()
    memory = gpu.allocate(kernels.SPAN * kernels.CTAS * kernels.WARPS)
    gpu.write(memory, bytes(kernels.SPAN * kernels.CTAS * kernels.WARPS))
    for kernel in made:
        parameters = [struct.pack('<Q', memory), struct.pack('<32i', *kernel.offsets),
                      struct.pack('<I', kernel.active), struct.pack('<I', kernels.MAGIC)]
        try:
            module = gpu.load(kernel.ptx())
            gpu.launch(gpu.function(module, kernel.name), (kernels.CTAS, 1, 1),
                       (kernels.LANES * kernels.WARPS, 1, 1), parameters)
        except CudaError as error:
            print(f'{kernel.name}: {error}')
            if error.is_lasting:
                return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
