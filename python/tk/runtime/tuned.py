"""Results of autotuning: those that are kept on the disk, and files of them that go with a program.

The files that go with a program are those of `tk tune --out`: see docs/tuning.md.

A result that is kept on the disk holds for one kernel with its configurations and the values of its key, on one kind of GPU with one driver, for one build of tk. The
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

# What files that go with a program say they are, and the most bytes of one.
_FORMAT, _VERSION = "tk-tunings", 1
_MOST_BYTES_OF_TUNINGS = 64 << 20

# The results that came with the program, and those that were found in this process, by kernel, key and device.
_shipped, _found = [], {}
_is_environment_read = False


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


def use_tunings(path):
    """Takes the results in a file of `tk tune --out` or `write_tunings`: what they have the winner of is not measured.

    A file that holds no such results is a `ValueError`.
    """
    with open(path, "rb") as file:
        text = file.read(_MOST_BYTES_OF_TUNINGS + 1)
    try:
        if len(text) > _MOST_BYTES_OF_TUNINGS:
            raise ValueError("it is too long")
        value = json.loads(text)
        if not isinstance(value, dict) or (value.get("format"), value.get("version")) != (_FORMAT, _VERSION):
            raise ValueError("its format or its version is another one")
        _shipped.extend([_checked(report) for report in value["tunings"]])
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path} holds no results of autotuning: {error}") from None


def write_tunings(path):
    """Writes what was tuned in this process as a file that `use_tunings`, `tk run --tuned` and bundles read."""
    with open(path, "w") as file:
        json.dump({"format": _FORMAT, "version": _VERSION, "tunings": list(_found.values())}, file, indent=2, sort_keys=True)
        file.write("\n")


def _checked(report):
    """A result of a file as it is looked up; an error where it is none."""
    texts = [report["kernel"], report["key"], report["device"], report.get("found_with", "")]
    settings = [[(name, value) for name, value in trial["settings"]] for trial in report["trials"]]
    if not all(isinstance(text, str) for text in (*texts, *(part for row in settings for pair in row for part in pair))):
        raise ValueError("what should be a text is none")
    winner = report["winner"]
    if type(winner) is not int or not 0 <= winner < len(settings) or "Ok" not in report["trials"][winner]["outcome"]:
        raise ValueError(f"the winner of `{report['kernel']}` did not run")
    return (*texts[:3], settings), texts[3], winner


def shipped(kernel, key, configs):
    """The configuration that won by a result that came with the program; None where there is no such result."""
    global _is_environment_read
    if not _is_environment_read:
        _is_environment_read = True
        if os.environ.get("TK_TUNED"):
            use_tunings(os.environ["TK_TUNED"])
    if not _shipped:
        return None
    wanted = (kernel, key, _device(), [_settings(config) for config in configs])
    fitting = [result for result in reversed(_shipped) if result[0] == wanted]
    # One that was found with this driver and this tk goes before others, which are as right and perhaps slower.
    same = [result for result in fitting if result[1] == _found_with()]
    return configs[(same or fitting)[0][2]] if fitting else None


def found(kernel, key, configs, chosen, timings, compiled, decision, seconds):
    """Remembers a result of this process. `timings` is empty where no time says anything, as on the simulator; `compiled` has the kernels,
    or why there is none, in the order of the configurations; None for those that were not tried."""
    winner = next((at for at, config in enumerate(configs) if config == chosen), None)
    if winner is None:
        return
    best = timings[chosen][0] if timings else None
    trials = [
        {"settings": _settings(config), "outcome": _outcome(timings.get(config) if timings else None, best, made)}
        for config, made in zip(configs, compiled)
    ]
    report = {"kernel": kernel, "key": key, "device": _device(), "found_with": _found_with(), "trials": trials}
    report.update(decision=decision, winner=winner, seconds=seconds)
    _found[kernel, key, report["device"]] = report


def _outcome(times, best, made):
    """What is known of one configuration."""
    if isinstance(made, str):
        return {"Err": made}
    if times is not None and not math.isfinite(times[0]):
        return {"Err": "it could not be measured"}
    time = None
    if times is not None:
        # The times are the median and the quantiles of a fifth and four fifths.
        spread = max(0.0, times[2] - times[1]) / times[0] if times[0] > 0 else 0.0
        time = {"ms": times[0], "round": 1, "runs": 1, "spread": spread, "winner_ms": best}
    figures = {"shared_bytes": getattr(made, "shared", 0), "registers": None, "spill_bytes": None}
    if made is not None and not _native.is_simulator():
        words = getattr(made, "n_spills", None)
        figures.update(registers=getattr(made, "n_regs", None), spill_bytes=None if words is None else 4 * words)
    return {"Ok": {"time": time, "work": None, "ctas_per_sm": None, "warps_per_sm": None, "limit": None, **figures}}


def _settings(config):
    """A configuration as such files have it: names and values as texts."""
    rows = [*config.kwargs.items(), ("num_warps", config.num_warps), ("num_stages", config.num_stages)]
    rows += [("num_ctas", config.num_ctas)] if config.num_ctas != 1 else []
    rows += [("maxnreg", config.maxnreg)] if config.maxnreg is not None else []
    return [(str(name), str(value)) for name, value in rows]


def _device():
    return f"{_native.device_properties()['name']} ({_native.target()})"


def _found_with():
    driver = _native.device_properties()["driver_version"]
    return (f"driver for CUDA {driver}, " if driver else "") + f"tk {_native.build_name()}"
