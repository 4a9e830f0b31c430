"""The exceptions under the names that Triton has for them."""

from ..errors import CompilationError, Error as TritonError, OutOfResources, PTXASError

__all__ = ["CompilationError", "OutOfResources", "PTXASError", "TritonError"]
