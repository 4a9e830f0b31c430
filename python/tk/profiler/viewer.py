"""Shows what `tk.profiler` measured."""

import json
import re

_SCALES = {"": 1, "g": 1e9, "t": 1e12}


def _value(row, metric):
    """`time/ms`, `tflop16/s`, `gbyte/s` and the like of one row; None where the row does not have it."""
    seconds = row["milliseconds"] / 1e3
    if metric.startswith("time/"):
        return seconds * {"s": 1, "ms": 1e3, "us": 1e6, "ns": 1e9}[metric.removeprefix("time/")]
    rate = re.fullmatch(r"([gt]?)(flop|byte)(\d*)/s", metric)
    if rate is None:
        raise ValueError(f"tk.profiler.viewer has no metric {metric!r}")
    scale, kind, bits = rate.groups()
    amount = row["metrics"].get(f"flops{bits}" if kind == "flop" else "bytes")
    return None if amount is None or not seconds else amount / seconds / _SCALES[scale]


def parse(metrics, filename):
    """The rows of a file and the metrics that some of them have."""
    with open(filename) as file:
        rows = json.load(file)
    known = [metric for metric in metrics if any(_value(row, metric) is not None for row in rows)]
    return rows, known


def print_tree(tree, metrics):
    """Prints the rows by their first metric."""
    def shown(row, metric):
        value = _value(row, metric)
        return "-" if value is None else f"{value:.3f}"

    print("  ".join([*(metric.rjust(12) for metric in metrics), "count", "name"]))
    for row in sorted(tree, key=lambda row: -(_value(row, metrics[0]) or 0) if metrics else 0):
        print("  ".join([*(shown(row, metric).rjust(12) for metric in metrics), str(row["count"]).rjust(5), row["name"]]), flush=True)


def __getattr__(name):
    raise AttributeError(f"tk.profiler.viewer has no `{name}`")
