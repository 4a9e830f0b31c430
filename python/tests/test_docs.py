"""The page about Python: its programs run, and so do its commands."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "python.md")
# What scripts/python/try-wheel runs.
INSTALLATION = {"make wheel", "pip install dist/tk-*.whl"}


class Page(unittest.TestCase):
    def test_programs_and_commands(self):
        with open(PAGE) as file:
            blocks = re.findall(r"```(python|sh)\n(.*?)```", file.read(), re.DOTALL)
        commands = 0
        with tempfile.TemporaryDirectory() as folder:
            for language, text in blocks:
                if language == "python":
                    name = re.match(r"# (\w+\.py)\n", text).group(1)
                    with open(os.path.join(folder, name), "w") as file:
                        file.write(text)
                    continue
                for command in text.strip().splitlines():
                    if command in INSTALLATION:
                        continue
                    commands += 1
                    command = re.sub(r"\bpython\b", sys.executable, command, count=1)
                    result = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
                    self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}{result.stderr}")
        self.assertGreater(commands, 4)


if __name__ == "__main__":
    unittest.main()
