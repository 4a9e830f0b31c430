"""The CUDA driver by ctypes: loads PTX, moves memory, launches kernels. Nothing but the driver is needed.

CUDA_DRIVER names another library, such as the stand-in of the tests (tests/fake-driver).
"""
import ctypes
import os

ERROR_LOG = 5
ERROR_LOG_BYTES = 6
LOG_BYTES = 4096
# CU_TENSOR_MAP_DATA_TYPE_FLOAT16
ELEMENT_F16 = 6
# CUtensorMapSwizzle by bytes.
SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}
# CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
DYNAMIC_SHARED = 8
# Shared memory that needs no attribute.
PLAIN_SHARED = 48 << 10


class CudaError(Exception):
    """A call of the driver that failed; `code` is its CUresult."""

    def __init__(self, call, code, log=''):
        super().__init__(f'{call} gives error {code}{": " + log if log else ""}')
        self.code = code

    @property
    def is_lasting(self):
        """Whether the context is lost, so that the process can do nothing more on the GPU."""
        return self.code >= 700


class Gpu:
    """The first GPU, with its primary context current on this thread."""

    def __init__(self):
        self.library = ctypes.CDLL(os.environ.get('CUDA_DRIVER', 'libcuda.so.1'))
        self.call('cuInit', ctypes.c_uint(0))
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call('cuDeviceGet', ctypes.byref(device), ctypes.c_int(0))
        self.call('cuDevicePrimaryCtxRetain', ctypes.byref(context), device)
        self.call('cuCtxSetCurrent', context)

    def call(self, name, *arguments, log=None):
        """Calls a function of the driver."""
        code = getattr(self.library, name)(*arguments)
        if code:
            raise CudaError(name, code, log.value.decode(errors='replace').strip() if log else '')

    def load(self, image):
        """A module of a text of PTX, or of the bytes of an assembled one."""
        module, log = ctypes.c_void_p(), ctypes.create_string_buffer(LOG_BYTES)
        options = (ctypes.c_int * 2)(ERROR_LOG, ERROR_LOG_BYTES)
        values = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p), LOG_BYTES)
        data = ctypes.c_char_p(image if isinstance(image, bytes) else image.encode())
        self.call('cuModuleLoadDataEx', ctypes.byref(module), data, ctypes.c_uint(2), options, values, log=log)
        return module

    def unload(self, module):
        """Frees a module."""
        self.call('cuModuleUnload', module)

    def function(self, module, name):
        """A kernel of a module."""
        function = ctypes.c_void_p()
        self.call('cuModuleGetFunction', ctypes.byref(function), module, ctypes.c_char_p(name.encode()))
        return function

    def allocate(self, size):
        """The address of so many bytes."""
        address = ctypes.c_uint64()
        self.call('cuMemAlloc_v2', ctypes.byref(address), ctypes.c_size_t(max(size, 1)))
        return address.value

    def free(self, address):
        """Frees memory of `allocate`."""
        self.call('cuMemFree_v2', ctypes.c_uint64(address))

    def write(self, address, data):
        """Copies bytes to the GPU."""
        self.call('cuMemcpyHtoD_v2', ctypes.c_uint64(address), ctypes.c_char_p(data), ctypes.c_size_t(len(data)))

    def read(self, address, size):
        """Bytes of the GPU."""
        data = ctypes.create_string_buffer(max(size, 1))
        self.call('cuMemcpyDtoH_v2', data, ctypes.c_uint64(address), ctypes.c_size_t(size))
        return data.raw[:size]

    def tensor_map(self, address, sizes, block, swizzle_bytes):
        """The 128 bytes of the map of a contiguous tensor of f16 and the box that a copy moves, the last dimension contiguous."""
        held, place = aligned(bytes(128))
        rank, strides, stride = len(sizes), [], 2
        for size in sizes[:0:-1]:
            stride *= size
            strides.append(stride)
        numbers = [(ctypes.c_uint64 * rank)(*sizes[::-1]), (ctypes.c_uint64 * max(rank - 1, 1))(*strides),
                   (ctypes.c_uint32 * rank)(*block[::-1]), (ctypes.c_uint32 * rank)(*[1] * rank)]
        modes = [ctypes.c_int(n) for n in (0, SWIZZLES[swizzle_bytes], 0, 0)]
        self.call('cuTensorMapEncodeTiled', place, ctypes.c_int(ELEMENT_F16), ctypes.c_uint32(rank), ctypes.c_void_p(address),
                  *numbers, *modes)
        return bytes(place)

    def launch(self, function, grid, block, parameters, shared=0):
        """Runs a kernel to its end. Parameters are bytes, each aligned as the kernel wants it."""
        if shared > PLAIN_SHARED:
            self.call('cuFuncSetAttribute', function, ctypes.c_int(DYNAMIC_SHARED), ctypes.c_int(shared))
        held = [aligned(data) for data in parameters]
        pointers = (ctypes.c_void_p * max(len(held), 1))(*[ctypes.addressof(place) for _, place in held])
        sizes = [ctypes.c_uint(n) for n in (*grid, *block, shared)]
        self.call('cuLaunchKernel', function, *sizes, ctypes.c_void_p(), pointers, ctypes.c_void_p())
        self.call('cuCtxSynchronize')


def aligned(data, to=64):
    """A copy of bytes at a multiple of `to`: the memory to hold on to, and the place in it."""
    memory = ctypes.create_string_buffer(len(data) + to)
    start = -ctypes.addressof(memory) % to
    place = (ctypes.c_char * len(data)).from_buffer(memory, start)
    place[:] = data
    return memory, place
