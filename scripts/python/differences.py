#!/usr/bin/env python3
"""Says why tests that pass under Triton do not pass under tk: `differences.py RESULTS OTHER` prints a table for docs/python.md.

RESULTS and OTHER are what `project_tests.py` wrote under tk and under Triton. `differences.tsv` has the reasons: a kind, a pattern of
tests, a pattern of results, what the tests ask, and why tk differs. The first row of which both patterns fit a test is its reason; a test
without one is listed with its result. With `--write PAGE` the table replaces the one between the page's two comments.

Kinds: `hardware` is what only a GPU can do and counts for nothing on the simulator; `finds` is a fault of the test that tk reports;
`differs` is meant to be so; `missing` is still to be built.
"""

import argparse
import csv
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import project_tests

REASONS = Path(__file__).resolve().with_name("differences.tsv")
BEGIN, END = "<!-- differences.py -->", "<!-- end of differences.py -->"
KINDS = ("hardware", "finds", "differs", "missing")


@dataclass(frozen=True)
class Reason:
    """Why tests are not passed."""

    kind: str
    tests: str
    results: str
    asked: str
    why: str

    def fits(self, name, result):
        return bool(re.search(self.tests, name) and re.search(self.results, result))


def reasons():
    """The rows of `differences.tsv`."""
    with open(REASONS, newline="") as file:
        found = [Reason(*row) for row in list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]]
    wrong = [reason.kind for reason in found if reason.kind not in KINDS]
    if wrong:
        raise ValueError(f"{REASONS.name} has the kind {wrong[0]}, and there are only {', '.join(KINDS)}")
    return found


def failures(here, there):
    """The tests that pass there, and the result of each that does not pass here."""
    collected = {name.split("[")[0] for name in here}
    both = [name for name, (outcome, _) in there.items() if outcome == "passed" and project_tests.is_comparable(name, here, collected)]
    absent = ("failed", "its file is not imported")
    results = {name: here.get(name, absent) for name in both}
    return both, {name: text or outcome for name, (outcome, text) in results.items() if outcome != "passed"}


def short(name):
    """A test without its folder and parameters."""
    return re.sub(r"^\w+/(test_\w+)\.py::(\w+)(\[.*)?$", r"\1::\2", name)


def names(tests):
    """Tests as a cell: each with the number of its parametrisations."""
    counts = defaultdict(int)
    for test in tests:
        counts[short(test)] += 1
    return ", ".join(name if count == 1 else f"{name} ({count})" for name, count in sorted(counts.items()))


def table(here, there, weight):
    """The lines of the table with what is counted above it; `weight` says for how many parametrisations a result stands."""
    both, failed = failures(here, there)
    groups = defaultdict(list)
    for name, result in failed.items():
        fitting = (reason for reason in reasons() if reason.fits(name, result))
        groups[next(fitting, Reason("missing", name, "", result.replace("|", "¦"), "no reason is known"))].append(name)
    uncounted = {test for reason, tests in groups.items() if reason.kind == "hardware" for test in tests}
    passed, counted = set(both) - set(failed), set(both) - uncounted
    yield f"{project_tests.shares(passed, counted, weight)}; {len(uncounted)} others need a GPU."
    yield ""
    yield "| kind | tests | what they ask | why they are not passed |"
    yield "|---|---|---|---|"
    for reason, tests in sorted(groups.items(), key=lambda group: (KINDS.index(group[0].kind), -len(group[1]), group[0].asked)):
        yield f"| {reason.kind} | {names(tests)} | {reason.asked} | {reason.why} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("other", type=Path)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    options = parser.parse_args()
    here, there = project_tests.outcomes(options.results), project_tests.outcomes(options.other)
    text = "\n".join(table(here, there, project_tests.weights(options.other)))
    if options.write is None:
        print(text)
        return
    page = options.write.read_text()
    if BEGIN not in page or END not in page:
        sys.exit(f"{options.write} has not the comments {BEGIN} and {END}")
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    options.write.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
