"""Where compiled kernels are kept, and the name of this build of tk in caches of others."""

import hashlib
import os

from .jit import _BUILD


def triton_key():
    """A digest that no other compiler and no other build of tk has."""
    return hashlib.sha256(f"tk-{_BUILD}".encode()).hexdigest()


def default_cache_dir():
    """The folder of the cache."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.environ.get("TK_CACHE_DIR") or os.path.join(home, "tk")


def __getattr__(name):
    raise AttributeError(f"tk.runtime.cache has no `{name}`")
