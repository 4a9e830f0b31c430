"""Which row of benches/gpu.py has its next turn, and who goes first in it. Nothing here needs a GPU."""
import gpu_bars
import gpu_statistics

# What five turns leave open stays open: from the fifth to the eighth or twelfth turn no ratio of 18 moved by more than 0.006.
MOST_TURNS = 5

# A row whose turns contradict each other has at least so many, so that the median leaves out the one that is wrong.
SETTLING_TURNS = 3

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


def is_doubtful(entry):
    """Whether more turns would say more about a row."""
    turns = turns_of(entry)
    unsettled = turns < SETTLING_TURNS and any(gpu_statistics.scattered(entry, who) for who in gpu_statistics.CONTESTANTS)
    return turns < MOST_TURNS and (unsettled or certainty(entry) < CERTAIN)


def next_row(rows, least_turns, left):
    """The place of the row that has the next turn, or None. `left` is the seconds that remain; a row's `seconds` is what its last
    turn took. Every row has its least turns first, one turn of all before the next of any; then the rows with doubtful ratios or turns
    that contradict each other, the one with the fewest turns first, then the most doubtful."""
    affordable = [at for at, entry in enumerate(rows) if entry.get('seconds', 0.0) <= left]
    waiting = [at for at in affordable if turns_of(rows[at]) < least_turns]
    if waiting:
        return min(waiting, key=lambda at: turns_of(rows[at]))
    doubtful = [at for at in affordable if is_doubtful(rows[at])]
    return min(doubtful, key=lambda at: (turns_of(rows[at]), certainty(rows[at])), default=None)
