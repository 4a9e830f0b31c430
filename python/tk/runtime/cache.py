"""Where compiled kernels are kept, and the name of this build of tk in caches of others."""

import hashlib
import json
import os

from .. import knobs
from .jit import _BUILD


def triton_key():
    """A digest that no other compiler and no other build of tk has."""
    return hashlib.sha256(f"tk-{_BUILD}".encode()).hexdigest()


def default_cache_dir():
    """The folder of the cache."""
    return knobs.cache.dir


class CacheManager:
    """Keeps the files of one key."""

    def __init__(self, key, override=False, dump=False):
        self.key = key

    def get_file(self, filename):
        """The path of a file that is kept; None where it is not."""
        raise NotImplementedError

    def put(self, data, filename, binary=True):
        """Keeps a file, and says where."""
        raise NotImplementedError


class FileCacheManager(CacheManager):
    """Keeps them in a folder of tk's cache. tk's own kernels are kept otherwise."""

    def __init__(self, key, override=False, dump=False):
        super().__init__(key, override, dump)
        self.cache_dir = os.path.join(knobs.cache.dir, "files", key)

    def _make_path(self, filename):
        return os.path.join(self.cache_dir, filename)

    def has_file(self, filename):
        return os.path.exists(self._make_path(filename))

    def get_file(self, filename):
        return self._make_path(filename) if self.has_file(filename) else None

    def put(self, data, filename, binary=True):
        import tempfile  # Importing this takes as long as the rest of this module.

        os.makedirs(self.cache_dir, exist_ok=True)
        data = data if isinstance(data, bytes) else str(data).encode()
        # Under a name of its own first: other processes see the whole file or none.
        handle, partial = tempfile.mkstemp(dir=self.cache_dir)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(partial, self._make_path(filename))
        return self._make_path(filename)

    def get_group(self, filename):
        """The paths of a group of files by name; None where none is kept."""
        path = self.get_file(f"__grp__{filename}")
        if path is None:
            return None
        with open(path) as file:
            names = json.load(file)["child_paths"]
        return {name: self._make_path(name) for name in names if self.has_file(name)}

    def put_group(self, filename, group):
        return self.put(json.dumps({"child_paths": sorted(group)}), f"__grp__{filename}", binary=False)


def get_cache_manager(key):
    """What keeps the files of a key: `tk.knobs.cache.manager_class`, or [`FileCacheManager`]."""
    return (knobs.cache.manager_class or FileCacheManager)(key)


def __getattr__(name):
    raise AttributeError(f"tk.runtime.cache has no `{name}`")
