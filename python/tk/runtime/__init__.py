"""Launches, tuning and the device."""

from . import autotuner as autotuner, cache as cache, errors as errors, jit as jit
from ._async_compile import AsyncCompileMode
from .autotuner import Autotuner, Config, Heuristics, autotune, heuristics
from .driver import driver
from .errors import OutOfResources
from .jit import JITCallable, JITFunction, KernelInterface, MockTensor, TensorWrapper, reinterpret
from .tuned import use_tunings, write_tunings

_allocator = None


def set_allocator(allocator):
    """Kept for programs that set one: tk allocates the scratch memory of its kernels itself."""
    global _allocator
    _allocator = allocator


def __getattr__(name):
    raise AttributeError(f"tk.runtime has no `{name}`")
