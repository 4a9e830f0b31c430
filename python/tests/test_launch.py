"""Launches on a GPU up to the driver: a driver without a GPU takes them, and says what it got."""

import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "bench"))
import stub_driver  # noqa: E402

PROGRAM = '''
import ctypes
import os
import struct
import sys

import tk
import tk.language as tl

sys.path.insert(0, os.environ["BENCH"])
from launch import Memory

driver = ctypes.CDLL(os.environ["TK_STUB_DRIVER"])
driver.stub_word.restype = driver.stub_launches.restype = driver.stub_stream.restype = ctypes.c_uint64


def words(count, call):
    driver.stub_watch(count)
    before = driver.stub_launches()
    result = call()
    assert driver.stub_launches() == before + 1, "one launch"
    return result, [driver.stub_word(at) for at in range(count)]


@tk.jit
def kernel(a, b, n, f, flag, BLOCK: tl.constexpr, MODE: tl.constexpr = "none"):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(a + at, tl.load(b + at) * f + n + flag, mask=at < n)


def bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


a, b = Memory(1 << 20, tl.float32), Memory(2 << 20, tl.float32)
for n, f, flag in ((5, 1.5, True), (7, -2.0, False), (-9, 0.25, True)) * 2:
    first, got = words(5, lambda: kernel[(3,)](a, b, n, f, flag, BLOCK=128))
    assert [got[0], got[1]] == [1 << 20, 2 << 20], got
    assert got[2] & 0xFFFFFFFF == n & 0xFFFFFFFF and got[3] & 0xFFFFFFFF == bits(f) and got[4] & 1 == flag, (got, n, f, flag)
    assert driver.stub_grid(0) == 3
# What a kernel is compiled for tells launches apart; what it is not compiled for does not. Some have fewer words than are watched above.
driver.stub_watch(0)
same = lambda *args, **kwargs: kernel[(1,)](*args, **kwargs).hash
base = same(a, b, 5, 1.5, True, BLOCK=128)
assert base == same(a, b, 6, 2.5, False, BLOCK=128) == same(a, b, flag=True, f=1.0, n=9, BLOCK=128)
different = [
    same(a, b, 16, 1.5, True, BLOCK=128),
    same(a, b, 1, 1.5, True, BLOCK=128),
    same(a, b, 1 << 40, 1.5, True, BLOCK=128),
    same(a, b, 5, 1.5, True, BLOCK=64),
    same(a, b, 5, 1.5, True, BLOCK=128, num_warps=8),
    same(Memory((1 << 20) + 4, tl.float32), b, 5, 1.5, True, BLOCK=128),
    same(Memory(1 << 20, tl.float16), b, 5, 1.5, True, BLOCK=128),
]
assert len({base, *different}) == 8, different
# A kernel that a launch has made is found by those that only ask for it, and says what it is from memory; it passes the same words.
launched = kernel[(1,)](a, b, 5, 1.5, True, BLOCK=128)
asked = kernel.warmup(a, b, 5, 1.5, True, BLOCK=128, grid=(1,))
assert asked is launched and asked.metadata is launched.metadata and asked.metadata.num_warps == 4
asked._init_handles()
for n, f, flag in ((5, 1.5, True), (-9, 0.25, False)):
    _, got = words(5, lambda: asked[(3, 2)](a, b, n, f, flag, 128, "none"))
    assert [got[0], got[1], driver.stub_grid(0), driver.stub_grid(1)] == [1 << 20, 2 << 20, 3, 2], got
    assert got[2] & 0xFFFFFFFF == n & 0xFFFFFFFF and got[3] & 0xFFFFFFFF == bits(f) and got[4] & 1 == flag, got
driver.stub_watch(0)
assert kernel.warmup(a, b, 16, 1.5, True, BLOCK=128, grid=(1,)) is not asked
# The other ways to the same kernel.
_, got = words(2, lambda: kernel.run(a, b, 5, 1.5, True, BLOCK=128, grid=lambda meta: (meta["n"], meta["BLOCK"]), warmup=False))
assert (driver.stub_grid(0), driver.stub_grid(1), driver.stub_grid(2)) == (5, 128, 1)
seen = []
tk.knobs.runtime.launch_enter_hook.add(lambda data: seen.append(data.get()["grid"]))
kernel[(2,)](a, b, 5, 1.5, True, BLOCK=128)
tk.knobs.runtime.launch_enter_hook = None
assert seen == [(2, 1, 1)], seen
hooked = []
kernel.add_pre_run_hook(lambda *args, **kwargs: hooked.append(args[2]))
kernel[(2,)](a, b, 5, 1.5, True, BLOCK=128)
assert hooked == [5]
for call, text in (
    (lambda: kernel[(1,)](a, b, 5, 1.5, True), "needs an argument for `BLOCK`"),
    (lambda: kernel[(1,)](a, b, 5, 1.5, True, BLOCK=128, n=3), "is given `n` twice"),
    (lambda: kernel[(1,)](a, b, 5, 1.5, True, BLOCK=128, blok=3), "no parameter `blok`"),
    (lambda: kernel[(1, 2, 3, 4)](a, b, 5, 1.5, True, BLOCK=128), "one to three axes"),
    (lambda: kernel[(1,)](a, b, 5, 1.5, True, BLOCK=128, num_warps=3), "num_warps is 3"),
):
    try:
        call()
    except (TypeError, ValueError) as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)
# Each GPU of a process has its own: a kernel that was compiled on one is loaded on the other where it is launched there.
driver.stub_context.restype = ctypes.c_uint64
compiled = kernel.warmup(a, b, 5, 1.5, True, BLOCK=128, grid=(1,))
for device in (1, 0, 1):
    tk.runtime.driver.active.set_current_device(device)
    compiled[(2,)](a, b, 5, 1.5, True, 128, "none")
    assert driver.stub_context() == device + 1, (device, driver.stub_context())
    compiled.run(1, 1, 1, 0, None, None, None, None, None, a, b, 5, 1.5, True, 128, "none")
    assert driver.stub_context() == device + 1, (device, driver.stub_context())
    kernel[(1,)](a, b, 5, 1.5, True, BLOCK=128)
    assert driver.stub_context() == device + 1, (device, driver.stub_context())
tk.runtime.driver.active.set_current_device(0)
# A tensor of the CPU is refused, also by a kernel that is known.
host = Memory(1 << 20, tl.float32)
host.is_cuda = False
try:
    kernel[(1,)](host, b, 5, 1.5, True, BLOCK=128)
except ValueError as error:
    assert "on the CPU" in str(error), error
else:
    raise AssertionError("it is not on the GPU")
print("launched", driver.stub_launches())
'''

# What DLPack says of a tensor (`DLTensor`), for the two programs below.
DESCRIBED = '''
class Described(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    ]
'''

TABLES = '''
import ctypes
import os
import sys
import types

import tk
import tk.language as tl

driver = ctypes.CDLL(os.environ["TK_STUB_DRIVER"])
driver.stub_word.restype = driver.stub_launches.restype = driver.stub_stream.restype = ctypes.c_uint64


''' + DESCRIBED + '''

class Table(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("older", ctypes.c_void_p),
        *[(name, ctypes.c_void_p) for name in ("allocate", "export", "import_", "describe", "stream")],
    ]


class Tensor:
    """A tensor that says what it is by DLPack's table alone."""

    def __init__(self, address, code=2, bits=32, device=2, offset=0):
        self.told = address, code, bits, device, offset

    def data_ptr(self):
        raise RuntimeError("data_ptr is asked")


class Parameter(Tensor):
    pass


class Traced(Tensor):
    """Not where the table says, as subclasses of torch's tensors may be."""

    dtype, is_cuda = tl.float32, True

    def data_ptr(self):
        return 3 << 20


@ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Described))
def describe(tensor, out):
    told = out.contents
    told.data, told.code, told.bits, told.device_type, told.byte_offset = tensor.told
    told.lanes = 1
    return 0


@ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p))
def stream(device, ordinal, out):
    assert device == 2
    out[0] = 4096 + ordinal
    return 0


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


new = ctypes.pythonapi.PyCapsule_New
new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
NAME = b"dlpack_exchange_api"
table = Table(1, 3, None, None, None, None, address(describe), address(stream))
newer = Table(2, 0, ctypes.addressof(table), None, None, None, None, None)
Tensor.__dlpack_c_exchange_api__ = new(ctypes.addressof(newer), NAME, None)

# The GPU is the second of two, and its stream is asked of the table.
gpu = [1]
torch = types.ModuleType("torch")
torch.Tensor = Tensor
torch.cuda = types.SimpleNamespace(is_available=lambda: True, init=lambda: None)
torch._C = types.SimpleNamespace(_cuda_getDevice=lambda: gpu[0], _cuda_getCurrentRawStream=None)
sys.modules["torch"] = torch


@tk.jit
def copy(a, b):
    tl.store(a, tl.load(b))


def words(*args):
    driver.stub_watch(2)
    kernel = copy[(1,)](*args)
    return kernel, [driver.stub_word(0), driver.stub_word(1)]


for _ in range(2):
    kernel, got = words(Tensor(1 << 20), Parameter(2 << 20, offset=64))
    assert got == [1 << 20, (2 << 20) + 64], got
    assert kernel.signature == "a: *fp32:16, b: *fp32:16", kernel.signature
    assert driver.stub_stream() == 4097
    kernel, got = words(Tensor(1 << 20, 10, 8), Traced(1 << 20))
    assert got == [1 << 20, 3 << 20], got
    assert kernel.signature == "a: *fp8e4nv:16, b: *fp32:16", kernel.signature
# A kernel is compiled once and loaded for each GPU.
first, _ = words(Tensor(1 << 20), Tensor(2 << 20))
gpu[0] = 0
second, _ = words(Tensor(1 << 20), Tensor(2 << 20))
assert driver.stub_stream() == 4096 and first.hash == second.hash
for wrong, text in ((Tensor(1 << 20, device=1), "on the CPU"), (Tensor(1 << 20, 5, 64), "data_ptr is asked")):
    try:
        copy[(1,)](wrong, Tensor(1 << 20))
    except (ValueError, RuntimeError, TypeError) as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)
print("launched", driver.stub_launches())
'''

PRODUCERS = '''
import ctypes
import os

import tk
import tk.language as tl

driver = ctypes.CDLL(os.environ["TK_STUB_DRIVER"])
for function in (driver.stub_word, driver.stub_launches, driver.stub_stream, driver.stub_waits, driver.stub_waiting, driver.stub_waited):
    function.restype = ctypes.c_uint64


class Interface:
    """Memory of a library with streams of its own, by __cuda_array_interface__."""

    def __init__(self, address, **more):
        self.told = {"shape": (128,), "typestr": "<f4", "data": (address, False), "version": 3, **more}

    @property
    def __cuda_array_interface__(self):
        return self.told


''' + DESCRIBED + '''

class Managed(Described):
    _fields_ = [("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


new = ctypes.pythonapi.PyCapsule_New
new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
NAME, SHAPE = b"dltensor", (ctypes.c_int64 * 1)(128)


class Dlpack:
    """The same by DLPack; it writes down which streams it is told."""

    def __init__(self, address, moves=False):
        self.told, self.moves = [], moves
        self.managed = Managed(address, 2, 0, 1, 2, 32, 1, ctypes.addressof(SHAPE), None, 0, None, None)

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, *, stream=None):
        self.told.append(stream)
        self.managed.data += 512 if self.moves else 0
        return new(ctypes.addressof(self.managed), NAME, None)


@tk.jit
def copy(a, b):
    at = tl.arange(0, 128)
    tl.store(a + at, tl.load(b + at))


@tk.jit
def copy_pair(pair):
    at = tl.arange(0, 128)
    tl.store(pair[0] + at, tl.load(pair[1] + at))


def waits(call):
    """Pairs of streams of which one waited for the other in a launch: the last pair, and how many there were."""
    before, launched = driver.stub_waits(), driver.stub_launches()
    call()
    assert driver.stub_launches() == launched + 1
    count = driver.stub_waits() - before
    return (count, driver.stub_waiting(), driver.stub_waited()) if count else None


plain, own, other = Interface(1 << 20), Interface(2 << 20, stream=0x70), Interface(3 << 20, stream=0x70)
for _ in range(2):
    assert waits(lambda: copy[(1,)](plain, plain)) is None
    assert waits(lambda: copy[(1,)](plain, Interface(1 << 20, stream=None))) is None
    # The launch is on the default stream, which the protocol calls 1.
    assert waits(lambda: copy[(1,)](plain, Interface(1 << 20, stream=1))) is None
    assert waits(lambda: copy[(1,)](plain, own)) == (1, 0, 0x70)
    # Once for each stream.
    assert waits(lambda: copy[(1,)](own, other)) == (1, 0, 0x70)
    assert waits(lambda: copy[(1,)](own, Interface(1 << 20, stream=0x71)))[0] == 2
    assert waits(lambda: copy_pair[(1,)]((plain, own))) == (1, 0, 0x70)
compiled = copy.warmup(plain, own, grid=(1,))
on = lambda stream, *args: waits(lambda: compiled.run(1, 1, 1, stream, None, None, None, None, None, *args))
assert on(0x50, plain, own) == (1, 0x50, 0x70) and driver.stub_stream() == 0x50
assert on(0x70, plain, own) is None
try:
    copy[(1,)](plain, Interface(1 << 20, stream=0))
except ValueError as error:
    assert "stream 0 is ambiguous" in str(error), error
else:
    raise AssertionError("stream 0 has no meaning")

# What is asked for the address alone waits for nothing; the producer is told the stream of each launch.
producer = Dlpack(4 << 20)
driver.stub_watch(2)
assert waits(lambda: copy[(1,)](plain, producer)) is None
assert [driver.stub_word(0), driver.stub_word(1)] == [1 << 20, 4 << 20]
assert producer.told[-1] == 1 and set(producer.told[:-1]) <= {-1}, producer.told
assert on(0x50, plain, producer) is None and producer.told[-1] == 0x50 and set(producer.told) == {-1, 1, 0x50}
copy_pair[(1,)]((plain, producer))
assert producer.told[-1] == 1 and driver.stub_word(1) == 4 << 20
try:
    copy[(1,)](plain, Dlpack(5 << 20, moves=True))
except ValueError as error:
    assert "another address" in str(error), error
else:
    raise AssertionError("the launch has an address of which nobody holds the memory")
print("launched", driver.stub_launches())
'''


TUNING = '''
import ctypes
import os
import sys
import threading

import tk
import tk.language as tl

sys.path.insert(0, os.environ["BENCH"])
from launch import Memory

driver = ctypes.CDLL(os.environ["TK_STUB_DRIVER"])
driver.stub_launches.restype = ctypes.c_uint64
compiled, hooked = [], []
compile_for = tk.runtime.jit.JITFunction.compile_for


def told(self, types, options, **named):
    compiled.append((threading.current_thread() is threading.main_thread(), options["num_warps"]))
    return compile_for(self, types, options, **named)


tk.runtime.jit.JITFunction.compile_for = told
sizes = [(16, 1), (32, 2), (64, 4), (64, 3)]


@tk.autotune([tk.Config({"BLOCK": size}, num_warps=warps, pre_hook=hooked.append) for size, warps in sizes], key=["n"])
@tk.jit
def kernel(a, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(a + at, n, mask=at < n)


try:
    kernel[(1,)](Memory(1 << 20, tl.float32), 5)
except ValueError as error:
    # Three warps are an error of the program, before any thread compiles.
    assert "num_warps is 3" in str(error), error
    kernel.configs.pop()
made = kernel[(1,)](Memory(1 << 20, tl.float32), 7)
# Each is compiled once, in another thread, after its hook has seen the arguments.
assert sorted(compiled) == [(False, 1), (False, 2), (False, 4)], compiled
assert [seen["BLOCK"] for seen in hooked[:3]] == [16, 32, 64] and len(kernel.configs_timings) == 3
assert made.hash in {one.hash for one in kernel.fn.kept()} and len(kernel.fn.kept()) == 3
assert not tk.runtime._async_compile.active_mode.get()
print("launched", driver.stub_launches())
'''


class Launch(unittest.TestCase):
    def test_configurations_are_compiled_by_threads(self):
        self.runs(TUNING)

    def test_what_the_driver_gets(self):
        self.runs(PROGRAM)

    def test_what_tables_of_dlpack_say(self):
        self.runs(TABLES)

    def test_streams_of_producers(self):
        self.runs(PRODUCERS)

    def runs(self, program):
        with tempfile.TemporaryDirectory() as folder:
            library = stub_driver.build(folder)
            if library is None:
                self.skipTest("there is no C compiler")
            path = os.path.join(folder, "program.py")
            with open(path, "w") as file:
                file.write(program)
            environment = {**stub_driver.environment(library), "BENCH": os.path.dirname(stub_driver.__file__)}
            result = subprocess.run([sys.executable, path], env=environment, capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertRegex(result.stdout, "launched [1-9]")

    def test_the_benchmark_runs(self):
        path = os.path.join(os.path.dirname(stub_driver.__file__), "launch.py")
        result = subprocess.run([sys.executable, path, "--stub", "objects", "--calls", "3"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"tk\tten arguments\t[\d.]+ us least")


if __name__ == "__main__":
    unittest.main()
