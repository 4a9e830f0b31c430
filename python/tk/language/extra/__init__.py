"""Functions of the language for one kind of GPU."""

__tk_path__ = "triton.language.extra"

from . import cuda, libdevice  # noqa: E402, F401
