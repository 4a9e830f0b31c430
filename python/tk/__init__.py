"""tk: Triton's kernels, compiled and launched by tk, on GPUs and on the simulator (`TK_DEVICE=sim`)."""

__version__ = "0.1.0"
tk_version = __version__
__tk_path__ = "triton"

from . import knobs
from . import language
from .errors import (
    CompilationError,
    Error,
    InternalError,
    LaunchError,
    OutOfResources,
    PTXASError,
    SimulationError,
)
from .errors import Error as TritonError
from .language.core import constexpr
from .runtime import (
    AsyncCompileMode,
    Autotuner,
    Config,
    JITFunction,
    KernelInterface,
    MockTensor,
    TensorWrapper,
    autotune,
    heuristics,
    reinterpret,
    set_allocator,
)
from .runtime.jit import aggregate, constexpr_function, jit, must_use_result
from . import _hooks, compiler, errors, runtime, testing, tools
from .compiler import CompilationError, compile
from ._functions import cdiv, next_power_of_2
from ._native import simulator_report
from ._as_triton import as_triton, is_asked_for as _is_asked_for


if _is_asked_for():
    as_triton()


def __getattr__(name):
    raise AttributeError(f"tk has no `{name}`")
