"""Looks for a launch of every kernel of folders of Python files that tk compiles, in the files as they are; prints the table.

usage: alone.py TK DIR…      Needs nothing but tk; what no launch was found for is listed with the error that came furthest.
"""
import ast
import collections
import hashlib
import pathlib
import re
import subprocess
import sys

import compare
import guess

ATTEMPTS = 16


def kernels(tree):
    """Jit functions of a file that no other one calls."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any("jit" in ast.unparse(d) for d in node.decorator_list):
            found[node.name] = node
    called = set()
    for node in found.values():
        called |= {c.func.id for c in ast.walk(node) if isinstance(c, ast.Call) and isinstance(c.func, ast.Name)}
    return {name: node for name, node in found.items() if name not in called and node.args.args}


def attempt(tk, file, plan, name):
    """Nothing when tk compiles the guess, else the line and the text of the first error."""
    values = plan.values()
    types = [v for v in values.values() if not isinstance(v, guess.Constant)]
    command = [tk, "compile", str(file), "--kernel", name, "--target", "sm_90a", "--signature", ",".join(types),
               "--num-warps", str(plan.warps)]
    for key, value in values.items():
        command += ["--constexpr", f"{key}={value.text}"] if isinstance(value, guess.Constant) else []
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=compare.SECONDS, errors="replace")
    except subprocess.TimeoutExpired:
        return 0, "takes too long"
    if done.returncode == 0:
        return None
    first = next((l for l in done.stderr.splitlines() if l.startswith(("error", "bug"))), "nothing said")
    place = re.search(r"--> .*?:(\d+):\d+", done.stderr)
    return int(place[1]) if place else 0, first


def main(tk, folders):
    total, reasons = collections.Counter(), collections.Counter()
    print(f"{'folder':42} kernels      tk")
    for folder in map(pathlib.Path, folders):
        counts = collections.Counter()
        for file in sorted(folder.rglob("*.py")):
            try:
                text = file.read_text()
                tree = ast.parse(text)
            except (SyntaxError, UnicodeDecodeError, ValueError):
                continue
            for name in kernels(tree) if "jit" in text else ():
                counts["kernels"] += 1
                row = {"kernel": name, "key": hashlib.sha256(f"{file}{name}".encode()).hexdigest()}
                try:
                    plan = guess.Guess(text, row)
                except StopIteration:
                    continue
                furthest = (-1, "")
                for number in range(ATTEMPTS):
                    error = attempt(tk, file, plan, name)
                    if error is None:
                        counts["tk"] += 1
                        break
                    furthest = max(furthest, error)
                    plan.change(number, error[0])
                else:
                    reasons[compare.shape(furthest[1])] += 1
        total += counts
        print(f"{folder.name:42} {counts['kernels']:7} {counts['tk']:7}", flush=True)
    print(f"{'all':42} {total['kernels']:7} {total['tk']:7}")
    for reason, count in reasons.most_common():
        print(f"{count:4} {reason}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
