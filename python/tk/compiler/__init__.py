"""Compiled kernels, and compilations for types instead of arguments."""

import subprocess
import tempfile
from collections import namedtuple
from collections.abc import Mapping

from .. import _native, knobs
from ..backends.compiler import GPUTarget
from ..errors import CompilationError

CompiledKernel = _native.CompiledKernel
_FORMS = ("source", "ttir", "ttgir", "llir", "ptx", "cubin")


class Forms(Mapping):
    """The forms of a kernel on its way to machine code, each made when it is asked for; beside them `sass`, the machine code as text."""

    def __init__(self, kernel):
        self._kernel = kernel

    def __getitem__(self, name):
        return disassembled(self["cubin"]) if name == "sass" else self._kernel.form(name)

    def __iter__(self):
        return iter(_FORMS)

    def __len__(self):
        return len(_FORMS)


def disassembled(cubin):
    """Machine code as text, by nvdisasm."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        return subprocess.run([knobs.nvidia.nvdisasm.path, "-c", file.name], capture_output=True, text=True, check=True).stdout


def metadata(kernel):
    """Options and resources of a kernel."""
    figures = kernel.figures()
    figures["target"] = GPUTarget("cuda", figures.pop("arch"), 32)
    figures["cluster_dims"] = (figures["num_ctas"], 1, 1)
    names = sorted(figures)
    return namedtuple("KernelMetadata", names)(**figures)


from . import compiler, errors  # noqa: E402, F401
from .compiler import ASTSource, compile, make_backend  # noqa: E402, F401


def __getattr__(name):
    raise AttributeError(f"tk.compiler has no `{name}`")
