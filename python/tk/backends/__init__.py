"""What kernels are compiled for."""
