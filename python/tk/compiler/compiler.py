"""Compiled kernels, under the path that Triton has for them."""

from . import CompiledKernel

__all__ = ["CompiledKernel"]
