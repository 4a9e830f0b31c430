"""Times of launches on the GPU, by name: the part of Triton's profiler that times kernels by events.

`start` begins a session, `finalize` writes `NAME.hatchet`, a JSON file that `tk.profiler.viewer` reads. Kernels are timed by their launches,
everything else by `scope`. What launches say of themselves (`launch_metadata` of `tk.jit`: floating-point operations, bytes) is added up.
"""

import json
import sys
import time
from contextlib import contextmanager

from .. import _native, knobs

_sessions = []


class _Session:
    def __init__(self, name, launches):
        self.name = name
        self.launches = launches
        self.active = True
        self.rows = {}
        self.open = []

    def begin(self, name, metrics):
        self.open.append((name, metrics, _now()) if self.active else None)

    def end(self):
        begun = self.open.pop() if self.open else None
        if begun is not None:
            name, metrics, start = begun
            row = self.rows.setdefault(name, {"spans": [], "metrics": {}})
            row["spans"].append((start, _now()))
            for metric, value in (metrics or {}).items():
                row["metrics"][metric] = row["metrics"].get(metric, 0) + value

    def table(self):
        """Milliseconds, count and metrics of each name."""
        return [
            {
                "name": name,
                "count": len(row["spans"]),
                "milliseconds": sum(_between(*span) for span in row["spans"]),
                "metrics": row["metrics"],
            }
            for name, row in self.rows.items()
        ]


def _cuda():
    torch = sys.modules.get("torch")
    return torch.cuda if torch is not None and torch.cuda.is_available() and not _native.is_simulator() else None


def _now():
    cuda = _cuda()
    if cuda is None:
        return time.perf_counter()
    event = cuda.Event(enable_timing=True)
    event.record()
    return event


def _between(start, end):
    return (end - start) * 1e3 if isinstance(start, float) else start.elapsed_time(end)


def _enter(metadata):
    data = metadata.get()
    metrics = {name: value for name, value in data.items() if name.startswith("flops") or name == "bytes"}
    for session in _sessions:
        if session is not None and session.launches:
            session.begin(data["name"], metrics)


def _exit(metadata):
    for session in _sessions:
        if session is not None and session.launches:
            session.end()


def start(name="proton", *, hook=None):
    """Begins a session and gives its number; with `hook="triton"` it times the launches of kernels."""
    if hook not in (None, "triton"):
        raise ValueError(f"tk.profiler has no hook {hook!r}")
    _sessions.append(_Session(name, hook == "triton"))
    knobs.runtime.launch_enter_hook.add(_enter)
    knobs.runtime.launch_exit_hook.add(_exit)
    return len(_sessions) - 1


def _chosen(session):
    return [one for at, one in enumerate(_sessions) if one is not None and session in (None, at)]


def activate(session=None):
    """Goes on with a session, or with all."""
    for one in _chosen(session):
        one.active = True


def deactivate(session=None):
    """Pauses a session, or all."""
    for one in _chosen(session):
        one.active = False


@contextmanager
def scope(name, metrics=None):
    """Times what runs inside, under a name."""
    for session in _chosen(None):
        session.begin(name, metrics)
    try:
        yield
    finally:
        for session in _chosen(None):
            session.end()


def finalize(session=None):
    """Ends a session, or all, and writes what they measured."""
    cuda = _cuda()
    if cuda is not None:
        cuda.synchronize()
    for one in _chosen(session):
        with open(f"{one.name}.hatchet", "w") as file:
            json.dump(one.table(), file, indent=1)
        _sessions[_sessions.index(one)] = None
    if not _chosen(None):
        knobs.runtime.launch_enter_hook.remove(_enter)
        knobs.runtime.launch_exit_hook.remove(_exit)


def __getattr__(name):
    raise AttributeError(f"tk.profiler has no `{name}`")
