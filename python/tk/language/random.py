"""The part `random` of the language."""

from .core import Known, functions

__tk_path__ = "triton.language.random"


def __getattr__(name):
    if name in functions:
        return Known(f"triton.language.random.{name}")
    raise AttributeError(f"tk.language.random has no `{name}`")
