"""The part `standard` of the language."""

from .core import Known, functions

__tk_path__ = "triton.language.standard"


def __getattr__(name):
    if name in functions:
        return Known(f"triton.language.standard.{name}")
    raise AttributeError(f"tk.language.standard has no `{name}`")
