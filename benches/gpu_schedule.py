"""Which row of benches/gpu.py has its next turn, and who goes first in it. Nothing here needs a GPU."""
import gpu_bars
import gpu_statistics

MOST_TURNS = 12

# A ratio further from its bar than this many times its doubt needs no more turns.
CERTAIN = 3.0


def order(turn):
    """The contestants in rotating order: nobody is always the first on a cool GPU, and nobody always follows the same one."""
    names = gpu_statistics.CONTESTANTS
    at = turn % len(names)
    return names[at:] + names[:at]


def certainty(entry):
    """How many times its doubt the most doubtful demand on a row is away from its bar; infinite without demands or figures."""
    out = float('inf')
    for demand in gpu_bars.demands(entry):
        known = gpu_statistics.compare(entry, demand.rule, demand.other)
        if known:
            out = min(out, abs(known.ratio - demand.least) / known.doubt)
    return out


def turns_of(entry):
    return max((len(turns) for turns in entry['turns'].values()), default=0)


def next_row(rows, least_turns, left):
    """The place of the row that has the next turn, or None. `left` is the seconds that remain; a row's `seconds` is what its last
    turn took. Every row has its least turns first, one turn of all before the next of any; then the rows with doubtful ratios, the
    one with the fewest turns first, then the most doubtful."""
    affordable = [at for at, entry in enumerate(rows) if entry.get('seconds', 0.0) <= left]
    waiting = [at for at in affordable if turns_of(rows[at]) < least_turns]
    if waiting:
        return min(waiting, key=lambda at: turns_of(rows[at]))
    doubtful = [at for at in affordable if turns_of(rows[at]) < MOST_TURNS and certainty(rows[at]) < CERTAIN]
    return min(doubtful, key=lambda at: (turns_of(rows[at]), certainty(rows[at])), default=None)
