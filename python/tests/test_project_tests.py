"""What `scripts/python/project_tests.py` chooses of a project's tests, which needs neither pytest nor the project."""

import argparse
import importlib.util
import os
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/python/project_tests.py"


def load():
    spec = importlib.util.spec_from_file_location("project_tests", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@unittest.skipUnless(SCRIPT.is_file(), "the scripts are not there")
class Choice(unittest.TestCase):
    NAMES = [f"test_many[{at}]" for at in range(300)] + [f"test_few[{at}]" for at in range(4)] + ["test_one"]

    def chosen(self, names=NAMES, **changed):
        """The tests that a process runs, in order, and for how many each stands."""
        given = dict(all=False, only=frozenset(), new_to=frozenset(), sample=3, seed=0, shuffle=False, shard=0, processes=1, done=0)
        with tempfile.TemporaryDirectory() as folder:
            plugin = load().Plugin(argparse.Namespace(**{**given, **changed}, out=os.path.join(folder, "out.tsv")))
            items = [SimpleNamespace(nodeid=name) for name in names]
            plugin.pytest_collection_modifyitems(items)
            plugin.file.close()
        return [item.nodeid for item in items], plugin.weights

    def test_a_sample_has_one_of_every_test_first(self):
        names, weights = self.chosen()
        self.assertEqual(len(names), 7)
        self.assertEqual({name.split("[")[0] for name in names[:3]}, {"test_many", "test_few", "test_one"})
        self.assertAlmostEqual(sum(weights.values()), len(self.NAMES))

    def test_all_are_a_fair_draw_from_the_beginning_on(self):
        names, weights = self.chosen(all=True)
        self.assertEqual(sorted(names), sorted(self.NAMES))
        self.assertEqual(weights, {}, "each stands for itself")
        # Half of the order has about half of the large test, whatever the order in which they were collected.
        half = sum(name.startswith("test_many") for name in names[: len(names) // 2])
        self.assertTrue(130 < half < 170, half)
        self.assertEqual(self.chosen(self.NAMES[::-1], all=True)[0], names)
        self.assertNotEqual(self.chosen(all=True, seed=1)[0], names)
        # A test that one side does not have moves no other.
        self.assertEqual(self.chosen(self.NAMES[1:], all=True)[0], [name for name in names if name != self.NAMES[0]])

    def test_processes_share_all(self):
        parts = [self.chosen(all=True, shard=shard, processes=3)[0] for shard in range(3)]
        self.assertEqual(sorted(sum(parts, [])), sorted(self.NAMES))
        self.assertEqual(self.chosen(all=True, shard=1, processes=3, done=5)[0], parts[1][5:])
        only = frozenset(self.NAMES[10:20])
        self.assertEqual(sorted(self.chosen(all=True, only=only)[0]), sorted(only))


if __name__ == "__main__":
    unittest.main()
