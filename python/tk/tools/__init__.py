"""Tools of the host."""

from . import tensor_descriptor as tensor_descriptor
