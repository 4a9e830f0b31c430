"""What projects keep beside their kernels: much of it asks for packages that are not there."""
import functools
import logging
import os
from typing import Callable, Optional

import numpy as np
import torch
import triton
from packaging import version

logger = logging.getLogger(__name__)
NEW_TORCH = version.parse(torch.__version__) >= version.parse("2.4")
TABLE = np.load(os.path.join(os.path.dirname(__file__), "table.npy"))
Hook = Callable[..., Optional[int]]

try:
    import cupy
    HAS_CUPY = True
except ImportError:
    HAS_CUPY = False

if torch.cuda.is_available():
    torch.ops.load_library("//project:cpu_ops")


def contiguous(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        logger.debug("called")
        args = [arg.contiguous() if isinstance(arg, torch.Tensor) else arg for arg in args]
        return fn(*args, **kwargs)

    return wrapper


def own_tuner(configs, key, cache_file):
    return triton.autotune(configs=configs, key=key)


def configs_of_file(name):
    return [triton.Config(row) for row in np.load(name)]
