"""Builds the CUDA driver without a GPU of `stub_driver.c`, and runs programs with it in place of the real one."""

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
