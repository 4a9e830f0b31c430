"""Functions of the language for NVIDIA's GPUs."""

from ...core import Known

__tk_path__ = "triton.language.extra.cuda"

from . import libdevice  # noqa: E402, F401

globaltimer = Known("triton.language.extra.cuda.globaltimer")
smid = Known("triton.language.extra.cuda.smid")
num_threads = Known("triton.language.extra.cuda.num_threads")
num_warps = Known("triton.language.extra.cuda.num_warps")
gdc_wait = Known("triton.language.extra.cuda.gdc_wait")
gdc_launch_dependents = Known("triton.language.extra.cuda.gdc_launch_dependents")


def __getattr__(name):
    raise AttributeError(f"tk.language.extra.cuda has no `{name}`")
