"""Results of autotuning that are kept on the disk.

A result holds for one kernel with its configurations and the values of its key, on one kind of GPU with one driver, for one build of tk. The
files are untrusted: one that does not read as a result is none. One that cannot be written costs a measurement later.
"""

import hashlib
import json
import math
import os
import tempfile

from .. import _native
from .cache import default_cache_dir, triton_key

# Bytes of a file, at most.
_MOST_BYTES = 1 << 20


def _path(tuner, key):
    device = _native.device_properties()
    parts = [
        triton_key(),
        device["name"],
        device["driver_version"],
        tuner.base_fn.cache_key,
        repr(key),
        [str(config) for config in tuner.configs],
    ]
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    return os.path.join(default_cache_dir(), "tuning", f"{digest}.json")


def _is_kept():
    return os.environ.get("TK_CACHE") != "0"


def load(tuner, key):
    """The times of the configurations, as they were measured; None where they were not."""
    if not _is_kept():
        return None
    try:
        with open(_path(tuner, key), "rb") as file:
            text = file.read(_MOST_BYTES + 1)
        if len(text) > _MOST_BYTES:
            return None
        stored = json.loads(text)
        by_name = {str(config): config for config in tuner.configs}
        timings = {}
        for name, times in stored["timings"]:
            if name not in by_name or len(times) != 3 or not all(isinstance(time, (int, float)) for time in times):
                return None
            timings[by_name[name]] = [math.inf if time < 0 else float(time) for time in times]
        return timings if timings and any(math.isfinite(times[0]) for times in timings.values()) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def store(tuner, key, timings):
    """Keeps the times of the configurations."""
    if not _is_kept():
        return
    rows = [[str(config), [time if math.isfinite(time) else -1 for time in times]] for config, times in timings.items()]
    try:
        path = _path(tuner, key)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=os.path.dirname(path), suffix=".part")
        try:
            with os.fdopen(handle, "w") as file:
                json.dump({"kernel": tuner.base_fn.__name__, "key": repr(key), "timings": rows}, file)
            os.replace(beside, path)
        except OSError:
            os.unlink(beside)
    except OSError:
        return
