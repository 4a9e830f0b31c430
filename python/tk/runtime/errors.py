"""The exceptions under the names that Triton has for them."""

from ..errors import AutotunerError, CompilationError, Error as TritonError, OutOfResources, PTXASError

# What Triton's interpreter raises is what the simulator finds.
from ..errors import SimulationError as InterpreterError

__all__ = ["AutotunerError", "CompilationError", "InterpreterError", "OutOfResources", "PTXASError", "TritonError"]
