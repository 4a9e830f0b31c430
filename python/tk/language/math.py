"""The part `math` of the language."""

from .. import _native
from .core import Known, functions

__tk_path__ = "triton.language.math"
_FUNCTIONS = functions | frozenset(_native.libdevice_functions())


def __getattr__(name):
    if name in _FUNCTIONS:
        return Known(f"triton.language.math.{name}")
    raise AttributeError(f"tk.language.math has no `{name}`")
