"""Runs `tk check` on files that have Triton kernels, as they are, and prints what it says of each, in a table by code.

usage: check_files.py TK OUT.jsonl DIR… [--count N] [--seconds S] [--again]
Where there are more than N files (440), the N with the smallest hash of their path are taken.  OUT.jsonl has a line for each
file: exit status, seconds, kernels and functions that tk counts and jit functions that Python's ast finds, and the first line and place of
every error.  --again only runs files with errors, with no end or with unseen kernels in OUT.jsonl.  Needs tk alone.
"""
import argparse
import ast
import collections
import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import time


def is_jit(node):
    """Whether an expression is `triton.jit`, `jit`, or a call of it or of something applied to it."""
    if isinstance(node, ast.Call):
        return is_jit(node.func) or any(is_jit(argument) for argument in node.args)
    return isinstance(node, (ast.Name, ast.Attribute)) and ast.unparse(node) in ("triton.jit", "jit", "tl.jit")


def jit_functions(tree):
    """Names of the jit functions of a file: decorated ones at any depth, and those that `k = triton.jit(f)` makes."""
    found, functions = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            functions.add(node.name)
            if any(is_jit(decorator) for decorator in node.decorator_list):
                found.add(node.name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "triton.jit" and node.args:
            if isinstance(node.args[0], ast.Name) and node.args[0].id in functions:
                found.add(node.args[0].id)
    return sorted(found)


def called(tree, names):
    """Jit functions that another jit function calls; alone they have no launch."""
    inside = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in names:
            inside |= {c.id for c in ast.walk(node) if isinstance(c, ast.Name) and c.id in names and c.id != node.name}
    return inside


def candidates(folders, count):
    """The files with kernels that Python reads; texts that are the same are one."""
    found = {}
    for folder in map(pathlib.Path, folders):
        for file in sorted(folder.rglob("*.py")):
            text = file.read_text(errors="replace")
            if "triton.jit" not in text:
                continue
            try:
                names = jit_functions(ast.parse(text))
            except (SyntaxError, ValueError):
                continue
            if names:
                found.setdefault(hashlib.sha256(text.encode()).hexdigest(), file)
    by_path = lambda file: hashlib.sha256(str(pathlib.Path(*file.parts[-4:])).encode()).hexdigest()
    return sorted(found.values(), key=by_path)[:count]


def check(tk, file, seconds):
    tree = ast.parse(file.read_text(errors="replace"))
    names = jit_functions(tree)
    result = {"file": str(file), "jit": names, "launched": sorted(set(names) - called(tree, names))}
    before = time.monotonic()
    try:
        done = subprocess.run([tk, "check", str(file)], capture_output=True, text=True, timeout=seconds, errors="replace")
    except subprocess.TimeoutExpired:
        return {**result, "exit": "slow", "seconds": seconds, "errors": [], "kernels": None, "unchecked": ""}
    verdict = re.search(r": (\d+) kernels?,(?: (\d+) functions? that nothing here calls,)? ", done.stdout)
    unchecked = re.search(r"; not checked[^:]*: (.*)", done.stdout)
    errors = re.findall(r"^(?:error|bug)\[([^\]]*)\]: (.*)\n\s*(?:--> .*?:(\d+):\d+)?", done.stderr, re.M)
    return {**result, "exit": done.returncode, "seconds": round(time.monotonic() - before, 2),
            "kernels": int(verdict[1]) + int(verdict[2] or 0) if verdict else None, "unchecked": unchecked[1] if unchecked else "",
            "errors": [{"code": code, "text": text, "line": line} for code, text, line in errors],
            "warnings": re.findall(r"^warning\[([^\]]*)\]", done.stderr, re.M)}


def is_unseen(result):
    """Fewer were looked at than there are jit functions that no other one calls."""
    return result["kernels"] is not None and result["kernels"] < len(result["launched"])


def table(results):
    codes = collections.Counter(code for one in results for code in {error["code"] for error in one["errors"]})
    warnings = collections.Counter(code for one in results for code in set(one.get("warnings", [])))
    print(f"files                         {len(results):5}")
    print(f"exit 0                        {sum(one['exit'] == 0 for one in results):5}")
    print(f"with errors                   {sum(bool(one['errors']) for one in results):5}")
    print(f"over the time                 {sum(one['exit'] == 'slow' for one in results):5}")
    print(f"some kernel unseen            {sum(map(is_unseen, results)):5}")
    print(f"some kernel not checked       {sum(bool(one['unchecked']) for one in results):5}")
    for title, counts in (("error", codes), ("warning", warnings)):
        for code, count in counts.most_common():
            print(f"  {title + ' ' + code:28}{count:5}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tk")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--count", type=int, default=440)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    kept = []
    files = candidates(options.folders, options.count)
    if options.again:
        old = {one["file"]: one for one in map(json.loads, options.out.read_text().splitlines())}
        bad = lambda one: one is None or one["errors"] or one["exit"] != 0 or is_unseen(one)
        kept = [old[str(file)] for file in files if not bad(old.get(str(file)))]
        files = [file for file in files if bad(old.get(str(file)))]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = kept + list(pool.map(lambda file: check(options.tk, file, options.seconds), files))
    options.out.write_text("".join(json.dumps(one) + "\n" for one in results))
    table(results)


if __name__ == "__main__":
    main()
