#!/usr/bin/env python3
"""Counts which names of Triton's modules the Python files of folders use: `surface.py FOLDER…` prints a table.

A name is counted once for each file that imports it or reads it as an attribute of a module that the file imports, by the path that it has
in Triton (`triton.language.exp`). Names inside kernels count as all others. Files that do not parse are left out.
"""

import ast
import sys
from collections import Counter
from pathlib import Path

ROOT = "triton"


class Uses(ast.NodeVisitor):
    """The paths under `triton` that one file uses."""

    def __init__(self):
        self.modules = {}
        self.paths = set()

    def visit_Import(self, node):
        for alias in node.names:
            if alias.name.split(".")[0] == ROOT:
                self.paths.add(alias.name)
                self.modules[alias.asname or ROOT] = alias.name if alias.asname else ROOT

    def visit_ImportFrom(self, node):
        if node.level == 0 and (node.module or "").split(".")[0] == ROOT:
            for alias in node.names:
                path = f"{node.module}.{alias.name}"
                self.paths.add(path)
                self.modules[alias.asname or alias.name] = path

    def visit_Attribute(self, node):
        names = []
        at = node
        while isinstance(at, ast.Attribute):
            names.append(at.attr)
            at = at.value
        if isinstance(at, ast.Name) and at.id in self.modules:
            self.paths.add(".".join([self.modules[at.id], *reversed(names)]))
        else:
            self.generic_visit(node)


def uses(text):
    """The paths that a file's text uses."""
    tree = ast.parse(text)
    found = Uses()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.visit(node)
    found.visit(tree)
    return found.paths


def main():
    counts, files = Counter(), 0
    for folder in sys.argv[1:]:
        for path in sorted(Path(folder).rglob("*.py")):
            try:
                text = path.read_text()
                if ROOT not in text:
                    continue
                paths = uses(text)
            except (SyntaxError, UnicodeDecodeError, ValueError):
                continue
            files += bool(paths)
            counts.update(paths)
    print(f"# Names of Triton's modules by the files that use them: {files} files. Written by scripts/python/surface.py.")
    for path, count in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
        print(f"{count}\t{path}")


if __name__ == "__main__":
    main()
