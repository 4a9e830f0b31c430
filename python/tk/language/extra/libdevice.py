"""The functions of libdevice."""

from ... import _native
from ..core import Known

__tk_path__ = "triton.language.extra.libdevice"
_FUNCTIONS = frozenset(_native.libdevice_functions())


def __getattr__(name):
    if name in _FUNCTIONS:
        return Known(f"triton.language.extra.libdevice.{name}")
    raise AttributeError(f"tk.language.extra.libdevice has no `{name}`")


def __dir__():
    return sorted(_FUNCTIONS)
