"""What the samples of a row say. A row is a dict as gpu.json has it; `turns` holds, for each contestant, one pair of figures per turn,
by the two timing rules, or None where it failed or did not run. Nothing here needs a GPU."""
import statistics
from dataclasses import dataclass

CONTESTANTS = ('tk', 'triton', 'library')
RULES = ('alone', 'queued')

# Turns of one contestant differ by a few percent. One that is further than this from its others met something else, such as a host that
# was too late with a launch.
STRAY = 0.08

# In a first turn there is nothing to compare with but the others: a contestant loses about as much by one rule as by the other. One
# whose share of the best figure by one rule is below this part of its share by the other is asked again.
LOPSIDED = 0.7


def samples(entry, who, rule):
    """The figures of a contestant by one rule, one per turn; None where there is none."""
    return [pair[RULES.index(rule)] if pair else None for pair in entry['turns'].get(who, [])]


def figure(entry, who, rule):
    """The median of the turns, or None."""
    known = [value for value in samples(entry, who, rule) if value]
    return statistics.median(known) if known else None


def scattered(entry, who):
    """Whether the turns of a contestant say different things, by either rule."""
    for rule in RULES:
        known = [value for value in samples(entry, who, rule) if value]
        if len(known) > 1 and max(known) - min(known) > STRAY * statistics.median(known):
            return True
    return False


def is_stray(entry, who):
    """Whether the latest figures of a contestant must be taken again: because its other turns say something else, or, in a first turn,
    because it stands much worse among the others by one rule than by the other."""
    shares = []
    for rule in RULES:
        *before, latest = samples(entry, who, rule) or [None]
        before = [value for value in before if value]
        if latest and before:
            usual = statistics.median(before)
            if abs(latest - usual) > STRAY * usual:
                return True
        elif latest:
            best = max(turns[-1] for turns in (samples(entry, name, rule) for name in CONTESTANTS) if turns and turns[-1])
            shares.append(latest / best)
    return len(shares) == len(RULES) and min(shares) < LOPSIDED * max(shares)


def better(first, second):
    """The higher figure by each rule: what disturbs a measurement only makes it slower."""
    if not (first and second):
        return first or second
    return [max(pair) if all(pair) else pair[0] or pair[1] for pair in zip(first, second)]


@dataclass
class Comparison:
    ratio: float  # of the medians
    spread: float  # greatest less least ratio of a turn
    turns: int
    usual_spread: float  # the same, from three turns on without the turn that is furthest from the median, which hides it

    @property
    def doubt(self):
        """How far the ratio may be off. Single rows moved by 2-3 % from run to run when they had one turn."""
        return max(self.usual_spread, 0.02) / self.turns ** 0.5


def compare(entry, rule, other):
    """tk against another contestant; None where either has no figure. Ratios are taken turn by turn, because what power and clocks
    do is shared within a turn."""
    pairs = zip(samples(entry, 'tk', rule), samples(entry, other, rule))
    ratios = [mine / theirs for mine, theirs in pairs if mine and theirs]
    if not ratios:
        return None
    middle = statistics.median(ratios)
    usual = sorted(ratios, key=lambda ratio: abs(ratio - middle))[:max(2, len(ratios) - 1)]
    ratio = figure(entry, 'tk', rule) / figure(entry, other, rule)
    return Comparison(ratio, max(ratios) - min(ratios), len(ratios), max(usual) - min(usual))
