"""The functions of libdevice, under the path that older programs have for them."""

from ..libdevice import __dir__, __getattr__

__tk_path__ = "triton.language.extra.libdevice"
__all__ = ["__dir__", "__getattr__"]
