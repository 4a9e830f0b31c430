"""Builds the CUDA driver without a GPU of `stub_driver.c`, and runs programs with it in place of the real one."""

import ctypes
import os
import shutil
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("stub_driver.c")


def build(folder):
    """Compiles the driver into a folder, as the `libcuda.so.1` that programs find there. None where there is no C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    library = Path(folder) / "libcuda.so.1"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(SOURCE)], check=True)
    alias = Path(folder) / "libcuda.so"
    if not alias.exists():
        alias.symlink_to(library.name)
    return library


def environment(library):
    """The environment of programs that are to launch on the driver in `library`."""
    folder = str(Path(library).parent)
    paths = [folder, *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(paths), "TK_DEVICE": "0", "TK_CACHE": "0", "TK_STUB_DRIVER": str(library)}


def exchange_on_gpu(capsule):
    """DLPack's table of C functions in a capsule as another one, by which tensors of the CPU are on a GPU."""
    library, python, name = ctypes.CDLL(os.environ["TK_STUB_DRIVER"]), ctypes.pythonapi, b"dlpack_exchange_api"
    python.PyCapsule_GetPointer.restype, python.PyCapsule_GetPointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    python.PyCapsule_New.restype, python.PyCapsule_New.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    library.stub_exchange.restype, library.stub_exchange.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    # The capsule keeps a pointer to its name.
    exchange_on_gpu.name = name
    return python.PyCapsule_New(library.stub_exchange(python.PyCapsule_GetPointer(capsule, name)), name, None)
