"""What kernels are compiled for: NVIDIA's GPUs, and the simulator of their code."""

import hashlib
from dataclasses import dataclass, field

from .. import _native
from .compiler import GPUTarget


@dataclass
class Options:
    """The options of a compilation with their defaults."""

    num_warps: int = 4
    num_stages: int = 3
    num_ctas: int = 1
    maxnreg: int = None
    enable_fp_fusion: bool = True
    debug: bool = False
    warp_size: int = 32
    backend_name: str = "cuda"
    arch: str = None
    cluster_dims: tuple = (1, 1, 1)
    sanitize_overflow: bool = False
    supported_fp8_dtypes: tuple = ("fp8e5", "fp8e4b15", "fp8e4nv")
    allowed_dot_input_precisions: tuple = ("tf32", "tf32x3", "ieee")
    default_dot_input_precision: str = "tf32"
    extern_libs: dict = field(default_factory=dict)


class Compiler:
    """Says what a target's compiler is."""

    binary_ext = "cubin"

    def __init__(self, target):
        self.target = target

    @staticmethod
    def supports_target(target):
        return target.backend == "cuda" or target.backend == "cpu" and _native.is_simulator()

    def hash(self):
        """A digest of the compiler and its target."""
        from ..runtime.cache import triton_key

        return hashlib.sha256(f"{triton_key()}-{self.target}".encode()).hexdigest()

    def parse_options(self, given):
        """The options of a launch, where nothing is given as they are by default."""
        known = {name: value for name, value in given.items() if name in Options.__dataclass_fields__}
        return Options(**{"arch": f"sm{self.target.arch}", **known})


def make_backend(target):
    """The compiler of a target."""
    if not Compiler.supports_target(target):
        raise RuntimeError(f"tk compiles for cuda, not for {target.backend}")
    return Compiler(target)


@dataclass(frozen=True)
class Backend:
    """A compiler with its driver."""

    compiler: type
    driver: type


def __getattr__(name):
    if name == "backends":
        from ..runtime.driver import Driver

        backend = Backend(Compiler, Driver)
        return {"nvidia": backend, "cpu": backend} if _native.is_simulator() else {"nvidia": backend}
    raise AttributeError(f"tk.backends has no `{name}`")
