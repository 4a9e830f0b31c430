"""The language of kernels. Its functions exist inside kernels alone; here they have their names."""

from .. import _native
from . import core as core
from .core import (
    Known as _Known,
    PropagateNan,
    block_type,
    const,
    constexpr,
    constexpr_type,
    dtype,
    pointer_type,
    tensor,
    tensor_descriptor,
    tensor_descriptor_base,
)
from .core import dtypes as _dtypes

__tk_path__ = "triton.language"

for _type in _dtypes:
    globals()[_type.python_name] = _type
for _name in core.functions:
    globals().setdefault(_name, _Known(f"triton.language.{_name}"))
pi32_t = pointer_type(globals()["int32"])
str_to_ty = core.str_to_ty
TRITON_MAX_TENSOR_NUMEL = 1 << 20
tuple = core.Known("builtins.tuple")
range = core.Known("triton.language.range")
static_range = core.Known("triton.language.static_range")

from . import extra, math, random, standard, target_info  # noqa: E402
from .extra import libdevice  # noqa: E402


def __getattr__(name):
    raise AttributeError(f"tk.language has no `{name}`")
