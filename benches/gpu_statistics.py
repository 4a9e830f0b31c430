"""What the samples of a row say. A row is a dict as gpu.json has it; `turns` holds, for each contestant, one pair of figures per turn,
by the two timing rules, or None where it failed or did not run. Nothing here needs a GPU."""
import statistics
from dataclasses import dataclass

CONTESTANTS = ('tk', 'triton', 'library')
RULES = ('alone', 'queued')


def samples(entry, who, rule):
    """The figures of a contestant by one rule, one per turn; None where there is none."""
    return [pair[RULES.index(rule)] if pair else None for pair in entry['turns'].get(who, [])]


def figure(entry, who, rule):
    """The median of the turns, or None."""
    known = [value for value in samples(entry, who, rule) if value]
    return statistics.median(known) if known else None


@dataclass
class Comparison:
    ratio: float  # of the medians
    spread: float  # greatest less least ratio of a turn
    turns: int

    @property
    def doubt(self):
        """How far the ratio may be off. Single rows moved by 2-3 % from run to run when they had one turn."""
        return max(self.spread, 0.02) / self.turns ** 0.5


def compare(entry, rule, other):
    """tk against another contestant; None where either has no figure. Ratios are taken turn by turn, because what power and clocks
    do is shared within a turn."""
    pairs = zip(samples(entry, 'tk', rule), samples(entry, other, rule))
    ratios = [mine / theirs for mine, theirs in pairs if mine and theirs]
    if not ratios:
        return None
    return Comparison(figure(entry, 'tk', rule) / figure(entry, other, rule), max(ratios) - min(ratios), len(ratios))
