"""Functions that the tests' kernels call from other files."""
