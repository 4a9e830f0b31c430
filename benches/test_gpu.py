"""Tests of the parts of benches/gpu.py that need no GPU: what is measured next, what samples say, which bars are met, the tables, and
talking to tk (on the simulator).  python3 -m unittest discover benches; TK names the binary, else target/debug/tk."""
import argparse
import functools
import io
import json
import os
import pathlib
import sys
import tempfile
import time
import types
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import gpu
import gpu_bars
import gpu_compile_ahead
import gpu_contestants
import gpu_cycles
import gpu_report
import gpu_rows
import gpu_schedule
import gpu_statistics
import spills

TK = os.environ.get('TK', str(gpu_contestants.ROOT / 'target' / 'debug' / 'tk'))


def entry(mine, theirs, best=None, group='attention', **arguments):
    """A row whose figures are the same by both rules; one item per turn."""
    pairs = lambda values: [value and [value, value] for value in values]
    return {
        'group': group, 'label': f'{group} row', 'unit': 'TFLOP/s', 'series': None, 'arguments': arguments, 'error': 'kind',
        'turns': {'tk': pairs(mine), 'triton': pairs(theirs), 'library': pairs(best or [])}, 'seconds': 1.0, 'failed': {},
        'kernels': {'tk': {'registers': 128, 'spills': 0}, 'triton': {'registers': 130, 'spills': 2}}}


class Statistics(unittest.TestCase):
    def test_ratios_are_those_of_medians_and_spreads_those_of_turns(self):
        row = entry([100, 110, 90], [100, 100, 100])
        known = gpu_statistics.compare(row, 'alone', 'triton')
        self.assertEqual((known.ratio, known.turns), (1.0, 3))
        self.assertAlmostEqual(known.spread, 0.2)
        self.assertAlmostEqual(known.doubt, 0.1 / 3 ** 0.5, msg='one of three turns may be wrong')
        self.assertAlmostEqual(gpu_statistics.compare(entry([100, 110], [100, 100]), 'alone', 'triton').doubt, 0.1 / 2 ** 0.5)

    def test_what_failed_or_is_missing_is_left_out(self):
        row = entry([100, None, 90], [None, 100, 45])
        self.assertEqual(gpu_statistics.compare(row, 'queued', 'triton').turns, 1)
        self.assertIsNone(gpu_statistics.compare(row, 'queued', 'library'))
        self.assertIsNone(gpu_statistics.figure(entry([None], [1]), 'tk', 'alone'))


class Strays(unittest.TestCase):
    """Figures that stand apart. `entry` has the same figures by both rules; these tests change one."""

    def with_latest(self, row, who, alone, queued):
        row['turns'][who][-1] = [alone, queued]
        return row

    def test_a_first_turn_is_compared_with_the_others(self):
        row = entry([40], [40], [37])
        self.assertFalse(any(gpu_statistics.is_stray(row, who) for who in gpu_statistics.CONTESTANTS))
        # 36 instead of 7 microseconds alone, although as fast as the others back to back.
        self.with_latest(row, 'triton', 7.4, 40)
        self.assertEqual([who for who in gpu_statistics.CONTESTANTS if gpu_statistics.is_stray(row, who)], ['triton'])
        # Who is slower by both rules is slower.
        self.assertFalse(gpu_statistics.is_stray(entry([40], [18], [37]), 'triton'))

    def test_a_later_turn_is_compared_with_the_earlier_ones(self):
        self.assertFalse(gpu_statistics.is_stray(entry([100, 102, 98], [50, 50, 50]), 'tk'))
        self.assertTrue(gpu_statistics.is_stray(entry([100, 102, 90], [50, 50, 50]), 'tk'))
        self.assertTrue(gpu_statistics.is_stray(entry([100, 120], [50, 50]), 'tk'), 'in both directions')
        self.assertFalse(gpu_statistics.is_stray(entry([100, None], [50, 50]), 'tk'))
        self.assertFalse(gpu_statistics.is_stray(entry([], []), 'library'))

    def test_the_better_of_two_tries_counts_by_each_rule(self):
        self.assertEqual(gpu_statistics.better([7.4, 80], [40, 79]), [40, 80])
        self.assertEqual(gpu_statistics.better([7.4, None], [40, 79]), [40, 79])
        self.assertEqual(gpu_statistics.better([7.4, 80], None), [7.4, 80])

    def test_turns_that_contradict_each_other_are_settled_by_a_third(self):
        clear = lambda *theirs: entry([200] * len(theirs), list(theirs))
        self.assertIsNone(gpu_schedule.next_row([clear(100, 101)], 1, 100))
        self.assertEqual(gpu_schedule.next_row([clear(100, 50)], 1, 100), 0)
        self.assertIsNone(gpu_schedule.next_row([clear(100, 50, 100)], 1, 100))


class Schedule(unittest.TestCase):
    def test_everybody_is_first_and_follows_everybody(self):
        orders = [gpu_schedule.order(turn) for turn in range(3)]
        self.assertEqual([order[0] for order in orders], list(gpu_statistics.CONTESTANTS))
        self.assertEqual(gpu_schedule.order(3), orders[0])

    def test_all_rows_have_a_turn_before_any_has_its_second(self):
        rows = [entry([1], [1]), entry([], []), entry([], [])]
        self.assertEqual(gpu_schedule.next_row(rows, 2, 100), 1)
        rows[1] = rows[2] = entry([1], [1])
        self.assertEqual(gpu_schedule.next_row(rows, 2, 100), 0)

    def test_time_goes_to_what_is_close_to_its_bar(self):
        clear, close, far = entry([200], [100]), entry([100], [100]), entry([50], [100])
        self.assertEqual(gpu_schedule.next_row([clear, close, far], 1, 100), 1)
        self.assertIsNone(gpu_schedule.next_row([clear, far], 1, 100))
        # More turns that agree make a ratio certain.
        self.assertIsNone(gpu_schedule.next_row([entry([104] * 8, [100] * 8)], 1, 100))
        self.assertEqual(gpu_schedule.next_row([entry([104], [100])], 1, 100), 0)

    def test_the_budget_is_kept(self):
        slow = dict(entry([100], [100]), seconds=9.0)
        self.assertEqual(gpu_schedule.next_row([slow], 1, 10), 0)
        self.assertIsNone(gpu_schedule.next_row([slow], 1, 8))
        self.assertIsNone(gpu_schedule.next_row([dict(entry([], []), seconds=0.0)], 1, -1))
        self.assertIsNone(gpu_schedule.next_row([entry([100] * 12, [100] * 12)], 1, 100))


class Bars(unittest.TestCase):
    def bar(self, name, rows, errors=None, checks=None):
        data = {'rows': rows, 'errors': errors or {}, 'checks': checks or {}}
        return next(bar for bar in gpu_bars.bars(data) if bar.name.startswith(name))

    def test_every_ratio_of_a_bar_must_reach_it(self):
        good, bad = entry([100], [100]), entry([99], [100])
        self.assertIs(self.bar('4', [good]).met, True)
        known = self.bar('4', [good, bad])
        self.assertIs(known.met, False)
        self.assertEqual((known.detail, len(known.behind)), ('2 of 4 ratios reach it', 2))
        self.assertIn('0.990 of triton, bar 1.00', known.behind[0])
        self.assertIs(self.bar('4', [entry([100], [None])]).met, False)
        level = self.bar('4', [good, entry([99.6], [100])])
        self.assertEqual((level.met, level.detail), (True, '4 of 4 ratios reach it, 2 of them by rounding'))
        self.assertIn('by rounding: attention row, alone: 0.996', level.behind[0])
        self.assertIs(self.bar('4', [entry([99.4], [100])]).met, False)
        self.assertIsNone(self.bar('4', []).met)

    def test_products_are_asked_what_the_issue_asks(self):
        ask = lambda group, **arguments: [
            (demand.rule, demand.other, demand.least) for demand in gpu_bars.demands({'group': group, 'arguments': arguments})]
        square = lambda size, **more: dict(M=size, N=size, K=size, **more)
        self.assertEqual(ask('matmul', **square(512, column_major=True)), [('queued', 'triton', 1.0)])
        self.assertEqual(ask('matmul', **square(4096, column_major=True)), [('alone', 'triton', 1.15), ('queued', 'triton', 1.15)])
        self.assertEqual(ask('matmul', **square(8192, column_major=False))[0], ('alone', 'triton', 1.0))
        for theirs, least in ((519, 1.15), (577, 1.0)):
            row = entry([640], [theirs], group='matmul', **square(4096, column_major=True))
            self.assertEqual([demand.least for demand in gpu_bars.demands(row)], [least] * 2, 'where Triton falls')
        self.assertEqual(ask('tall', M=16, N=4096, K=14336, column_major=True), [('queued', 'triton', 1.0)])
        self.assertEqual(len(ask('descriptors', **square(8192, kind='tma'))), 4)
        self.assertEqual(ask('descriptors', **square(8192, kind='device')), [])
        self.assertEqual(ask('tf32', **square(512)), [('queued', 'library', 0.9)])
        self.assertEqual(ask('int8', **square(4096)), [])
        self.assertEqual(len(ask('memory', n=2**24)), 2)

    def test_spills_count_where_triton_has_no_more(self):
        row = entry([100], [100])
        self.assertIs(self.bar('6a', [row]).met, True)
        row['kernels']['tk']['spills'] = 4
        self.assertIs(self.bar('6a', [row]).met, True, 'Triton spills two words')
        row['kernels']['triton']['spills'] = 1
        self.assertIs(self.bar('6a', [row]).met, False)
        row['kernels'] = {}
        self.assertIsNone(self.bar('6a', [row]).met)

    def test_errors_may_differ_as_much_as_inputs_make_them(self):
        self.assertIs(self.bar('6b', [], {'a': {'tk': [101, 100], 'triton': [100, 102]}}).met, True)
        self.assertIs(self.bar('6b', [], {'a': {'tk': [104, 103], 'triton': [100, 102]}}).met, False)
        self.assertIs(self.bar('6b', [], {'a': {'tk': [100.05], 'triton': [100]}}).met, True)
        self.assertIs(self.bar('6b', [], {'a': {'tk': [100.2], 'triton': [100]}}).met, False)
        self.assertIs(self.bar('3c', [], {'int8 product': {'tk': [0, 0]}}, {'f64 and int8 tests': True}).met, True)
        self.assertIs(self.bar('3c', [], {'int8 product': {'tk': [0, 1]}}, {'f64 and int8 tests': True}).met, False)

    def test_all_rows_of_the_tables_have_their_demands_and_errors(self):
        labels = {row.label for row in gpu_rows.error_rows()}
        for row in gpu_rows.all_rows():
            asked = gpu_bars.demands({'group': row.group, 'arguments': row.arguments})
            exempt = row.group == 'int8' or row.arguments.get('kind') == 'device'
            self.assertEqual(bool(asked), not exempt, row.label)
            self.assertTrue(not row.error or row.error in labels, row.error)
            self.assertTrue((gpu_contestants.ROOT / row.path).exists())


class Tables(unittest.TestCase):
    def test_a_line_has_everything(self):
        row = dict(entry([100, 102], [100, 100], [200, 200]), cycles={'tk': 99, 'triton': 100})
        cells = gpu_report.cells(row, 'alone', {'kind': {'tk': [210.0], 'triton': [211.0]}})
        self.assertEqual(cells, ['attention row', '101.0', '100.0', '200.0', '1.010 ± 0.010', '0.505 ± 0.005', '2', '128, 130',
                                 '0, 2', '210, 211', '0.9900'])
        self.assertEqual(len(cells), len(gpu_report.HEADS))

    def test_cycles_are_read_from_ncus_csv(self):
        text = ('==PROF== Connected\n"ID","Kernel Name","sm__cycles_elapsed.avg"\n"","","cycle"\n'
                '"0","matmul_kernel","331,000.5"\n"1","matmul_kernel","330,000"\n')
        self.assertEqual(gpu_cycles.cycles(text), [331000.5, 330000.0])
        self.assertEqual(gpu_cycles.cycles('==ERROR== no\n'), [])

    def test_figures_are_work_per_time(self):
        row = gpu_rows.Row('matmul', '', '', 'bench_matmul', {'M': 2, 'warmup': 250}, work=4e9)
        self.assertEqual(row.figures([0.5, None]), [8.0, None])
        self.assertEqual((row.launch, row.launch_arguments()), ('launch_matmul', {'M': 2}))
        self.assertEqual(gpu_rows.Row('examples', '', '', 'bench_x').figures(7.0), [7.0, None])


class Fake:
    """A contestant whose runs take these milliseconds, one after the other; a text is a failure."""

    def __init__(self, times, asked=None, name=''):
        """A pair of times is that of the two rules."""
        self.times, self.asked, self.name = list(times), asked if asked is not None else [], name

    def ask(self, _path, function, _arguments):
        self.asked.append(self.name)
        value = self.times.pop(0) if len(self.times) > 1 else self.times[0]
        if isinstance(value, str):
            raise RuntimeError(f'Traceback\n{value}')
        kernel = {'kernel': function, 'registers': 100, 'spills': 0, 'configuration': 'c'}
        result = list(value) if isinstance(value, tuple) else [value, value]
        return {'result': result, 'kernels': [kernel], 'tuned': ['table']}


class Groups(unittest.TestCase):
    def test_named_groups_run_in_their_order(self):
        rows = gpu_rows.all_rows()
        self.assertEqual({row.group for row in rows} - {row.group for row in gpu.in_order(rows, [])}, {'best', 'lengths', 'worklog'})
        named = [row.group for row in gpu.in_order(rows, ['memory', 'fp8'])]
        self.assertEqual(list(dict.fromkeys(named)), ['memory', 'fp8'])
        self.assertEqual(len(named), sum(row.group in ('memory', 'fp8') for row in rows))

    def test_every_group_has_configurations_to_ask_ptxas_about(self):
        # As in a process of its own, where nobody has said where the .tk files find each other.
        elsewhere = [path for path in sys.path if pathlib.Path(path).name != 'gpu']
        with mock.patch.object(sys, 'path', elsewhere), mock.patch.dict(sys.modules):
            sys.modules.pop('alone', None)
            for group in {row.group for row in gpu_rows.all_rows()}:
                self.assertTrue(spills.all_jobs({group}), group)


class TritonTuner:
    """As much of Triton's autotuner as the benchmark changes."""

    @functools.cached_property
    def do_bench(self):
        return lambda call, quantiles: ('as the file asks', call(), quantiles)


class TritonsSide(unittest.TestCase):
    def triton(self, milliseconds):
        """A stand-in whose measurements take `milliseconds`, with the list of what was asked of it."""
        asked, flushed = [], []

        def do_bench(call, warmup, rep, return_mode):
            asked.append((warmup, rep))
            for _ in range(gpu_contestants.ESTIMATES + 1):
                driver.clear_cache('cache')
                call()
            return milliseconds
        driver = types.SimpleNamespace(clear_cache=lambda cache: flushed.append(cache))
        tuner = type('Autotuner', (TritonTuner,), dict(vars(TritonTuner)))
        testing = types.SimpleNamespace(do_bench=do_bench, _summarize_statistics=lambda times, quantiles, mode: (len(times), quantiles))
        runtime = types.SimpleNamespace(Autotuner=tuner, driver=types.SimpleNamespace(active=driver))
        return types.SimpleNamespace(runtime=runtime, testing=testing, flushed=flushed), asked

    def test_launches_have_time_to_be_queued(self):
        triton, asked = self.triton(1.0)
        gpu_contestants.give_launches_time(triton)
        for rep, flushes in ((0, gpu_contestants.FLUSHES), (100, 1), (0, gpu_contestants.FLUSHES)):
            triton.flushed.clear()
            self.assertEqual(triton.testing.do_bench(lambda: None, warmup=5, rep=rep, return_mode='median'), 1.0)
            self.assertEqual((len(triton.flushed), asked.pop()), (gpu_contestants.ESTIMATES + flushes, (5, rep)))

    def test_replays_last_as_long_as_they_are_asked_to(self):
        asked = []

        def do_bench_cudagraph(call, rep, return_mode):
            asked.append(rep)
            return 0.02
        for launch, expected in ((0.05, 75.0), (0.01, 30.0)):
            triton = types.SimpleNamespace(testing=types.SimpleNamespace(do_bench_cudagraph=do_bench_cudagraph))
            gpu_contestants.fill_replays(triton)
            with mock.patch.object(gpu_contestants, 'launched', lambda call: launch):
                self.assertEqual(triton.testing.do_bench_cudagraph(lambda: None, rep=30, return_mode='median'), 0.02)
            self.assertEqual(asked.pop(), expected)
            self.assertEqual(asked.pop(), 1)

    def test_short_runs_are_tuned_one_by_one_and_long_ones_as_the_file_asks(self):
        triton, asked = self.triton(0.01)
        gpu_contestants.tune_one_by_one(triton)
        self.assertEqual(triton.runtime.Autotuner().do_bench(lambda: None, quantiles=(0.5,)), (21, (0.5,)))
        self.assertEqual(asked, [(5, 5)] + [(0, 0)] * 21)
        triton, asked = self.triton(0.2)
        gpu_contestants.tune_one_by_one(triton)
        self.assertEqual(triton.runtime.Autotuner().do_bench(lambda: 7, quantiles=(0.5,)), ('as the file asks', 7, (0.5,)))
        self.assertEqual(asked, [(5, 5)])


class CompileAhead(unittest.TestCase):
    def test_rows_with_the_same_kernels_are_one_job(self):
        rows = [row for row in gpu_rows.all_rows() if row.group in ('matmul', 'memory')]
        lists = gpu_compile_ahead.jobs([*rows, *gpu_rows.error_rows(), gpu_rows.Row('examples', 'a', 'a.tk', 'bench_a')])
        products = [jobs for jobs in lists if jobs[0][1] == 'launch_matmul']
        self.assertEqual([len(jobs) for jobs in products], [len(gpu_rows.SQUARES)] * 4, 'by type and order of B')
        self.assertEqual(sum(map(len, lists)), len(rows) + len(list(gpu_rows.error_rows())))
        self.assertEqual(products[0][0][2], {'launches': 1, 'M': 512, 'N': 512, 'K': 512, 'dtype': 'float16', 'column_major': False})

    def test_a_job_that_fails_does_not_end_the_others(self):
        asked = []

        class StandIn:
            def tune_by(self, measure):
                asked.append(measure(lambda: None, (0.5, 0.2, 0.8)))

            def ask(self, path, function, arguments):
                asked.append((path, function, arguments))
                raise RuntimeError('out of resources')

        jobs = io.StringIO('[["a.tk", "launch_a", {"n": 1}], ["b.tk", "launch_b", {}]]')
        with mock.patch.object(gpu_contestants, 'Triton', StandIn), mock.patch.object(sys, 'stdin', jobs):
            gpu_compile_ahead.main()
        self.assertEqual(asked, [[1.0] * 3, ('a.tk', 'launch_a', {'n': 1}), ('b.tk', 'launch_b', {})])

    def test_workers_that_stop_or_hang_are_left_behind(self):
        for command in ('exit 3', 'sleep 60'):
            started = time.time()
            with mock.patch.object(sys, 'executable', '/bin/sh'), tempfile.NamedTemporaryFile('w', suffix='.py') as script:
                script.write(command)
                script.flush()
                with mock.patch.object(gpu_compile_ahead, '__file__', script.name):
                    gpu_compile_ahead.compile_ahead(list(gpu_rows.error_rows()), limit=0.5)
            self.assertLess(time.time() - started, 30)


class Runs(unittest.TestCase):
    def run_of(self, rows, least_turns, **fakes):
        args = argparse.Namespace(tk=TK, turns=least_turns, budget=1000, fixed_clock=None, without=[])
        bench = gpu.Bench(args, fakes)
        for row in rows:
            bench.add(row)
        with mock.patch('builtins.print'):
            bench.measure()
        return bench

    def row(self):
        return gpu_rows.Row('attention', 'one', 'examples/attention.tk', 'bench_attention', {}, work=1e9, library='attention',
                            series=('plot', 512))

    def test_turns_rotate_until_nothing_is_doubtful(self):
        asked = []
        fakes = {name: Fake([1.0 if name == 'tk' else 1.5], asked, name) for name in gpu_statistics.CONTESTANTS}
        bench = self.run_of([self.row()], 2, **fakes)
        self.assertEqual(asked, ['tk', 'triton'] + ['tk', 'triton', 'library', 'triton', 'library', 'tk'], 'tuning, then turns')
        self.assertIs(next(bar for bar in gpu_bars.bars(bench.data) if bar.name.startswith('4')).met, True)
        close = {name: Fake([1.0]) for name in gpu_statistics.CONTESTANTS}
        turns = self.run_of([self.row()], 1, **close).data['rows'][0]['turns']
        self.assertEqual(len(turns['tk']), gpu_schedule.MOST_TURNS)

    def test_who_stands_apart_is_asked_again(self):
        asked = []
        times = {'tk': [1.0], 'triton': [2.0, (9.0, 2.0), 2.0], 'library': [1.5]}
        fakes = {name: Fake(times[name], asked, name) for name in gpu_statistics.CONTESTANTS}
        row = self.run_of([self.row()], 1, **fakes).data['rows'][0]
        self.assertEqual(asked, ['tk', 'triton'] + ['tk', 'triton', 'library', 'triton'])
        self.assertEqual((row['turns']['triton'], row['again']), ([[0.5, 0.5]], {'triton': 1}))

    def test_examples_measure_themselves_and_have_nothing_to_tune_before(self):
        asked = []
        fakes = {name: Fake([1.0], asked, name) for name in gpu_statistics.CONTESTANTS}
        self.run_of([gpu_rows.Row('examples', 'a.tk bench_one', 'examples/a.tk', 'bench_one')], 1, **fakes)
        self.assertEqual(asked, ['tk', 'triton'])

    def test_a_contestant_that_fails_is_left_out_and_told(self):
        bench = self.run_of([self.row()], 2, tk=Fake([1.0]), triton=Fake(['no such kernel']), library=Fake([0.5]))
        entry = bench.data['rows'][0]
        self.assertEqual(entry['turns']['triton'], [None, None])
        self.assertEqual(entry['failed'], {'triton': 'RuntimeError: no such kernel'})
        with tempfile.TemporaryDirectory() as folder:
            bench.write(pathlib.Path(folder))
            names = {path.name for path in pathlib.Path(folder).iterdir()}
            self.assertLessEqual({'gpu.md', 'gpu.json', 'tuned.txt', 'matmul-plot-alone.svg'}, names)
            data = json.loads((pathlib.Path(folder) / 'gpu.json').read_text())
            self.assertEqual(gpu_bars.text(data), gpu_bars.text(bench.data))
            self.assertIn('no such kernel', (pathlib.Path(folder) / 'gpu.md').read_text())

    def test_the_whole_program_holds_together(self):
        """main() with stand-ins for everybody, torch included: tables, cycles and bars come out."""
        torch = types.ModuleType('torch')
        torch.__version__, torch.version = '2', types.SimpleNamespace(cuda='13')
        torch.cuda = types.SimpleNamespace(get_device_name=lambda: 'a GPU')

        class StandIn(Fake):
            version = '3'

            def __init__(self, *_):
                super().__init__([1.0])

            def ask(self, path, function, arguments):
                answer = super().ask(path, function, arguments)
                return dict(answer, result=0.0) if function.startswith('measure') else answer

            def module(self, _path):
                return types.SimpleNamespace(bench_one=None)

            def close(self):
                pass

        names = dict(Tk=StandIn, Triton=StandIn, Library=StandIn)
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(sys.modules, torch=torch), \
                mock.patch.multiple(gpu_contestants, **names), mock.patch('builtins.print') as printed, \
                mock.patch.object(gpu_compile_ahead, 'compile_ahead') as compiled_ahead, \
                mock.patch.multiple(gpu_cycles, find_ncu=lambda: 'ncu', profile=lambda *_: 100.0):
            asked = ['gpu.py', '--tk', 'true', '--out', folder, '--quick', '--turns', '2', '--fixed-clock', '4096']
            with mock.patch.object(sys, 'argv', asked):
                gpu.main()
            compiled_ahead.assert_called_once()
            table = (pathlib.Path(folder) / 'gpu.md').read_text()
            self.assertIn('| 1.0000 |', table)
            self.assertIn('met     3c int8 and f64 right', table)
            self.assertNotIn('Failures', table)
            printed.reset_mock()
            with mock.patch.object(sys, 'argv', ['gpu.py', '--bars', '--out', folder]):
                gpu.main()
            self.assertIn('met     4 attention: 16 of 16 ratios reach it', printed.call_args.args[0])

    def test_tk_answers_on_the_simulator(self):
        tk = gpu_contestants.Tk(TK, 'sim')
        self.addCleanup(tk.close)
        arguments = {'M': 32, 'N': 32, 'K': 64, 'dtype': 'int8', 'column_major': True}
        answer = tk.ask('benches/gpu/matmul.tk', 'measure_error', arguments)
        self.assertEqual((answer['result'], answer['kernels'][-1]['kernel']), (0, 'matmul_kernel'))
        row = next(row for row in gpu_rows.all_rows() if row.group == 'memory')
        tk.ask(row.path, row.launch, {'launches': 2, **row.launch_arguments(), 'n': 100})
        with self.assertRaises(RuntimeError):
            tk.ask('benches/gpu/matmul.tk', 'no_such_function', {})


if __name__ == '__main__':
    unittest.main()
