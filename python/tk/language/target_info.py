"""Questions about the GPU that a kernel is compiled for."""

from .core import Known

__tk_path__ = "triton.language.target_info"
is_cuda = Known("triton.language.target_info.is_cuda")
is_hip = Known("triton.language.target_info.is_hip")
is_hip_cdna3 = Known("triton.language.target_info.is_hip_cdna3")
is_hip_cdna4 = Known("triton.language.target_info.is_hip_cdna4")
cuda_capability_geq = Known("triton.language.target_info.cuda_capability_geq")
