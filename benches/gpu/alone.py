"""How long a launch takes alone: one rule for the kernels of this folder under every compiler, and for the libraries."""
import triton

# Milliseconds above which 0.6 microseconds more or less do not matter.
LONG = 0.1

# Measurements of one launch each that do not count, and those that do (docs/measurements.md says why).
SETTLING = 200
COUNTED = 151


# Milliseconds of one launch after the L2 cache was overwritten. Long launches come after `warmup` milliseconds of launches, at the
# clocks that the power allows. Short ones are waited for, because those that queue up behind each other meet one of two states 0.6
# microseconds apart; and they come after measurements of the same kind, because the clocks are still rising after anything that draws
# more power, and a faster host would meet lower ones. Their figure is the mean of the middle half: launches of one kernel meet one of two
# times 2 % apart, and a median jumps from one to the other when their shares change a little.
def alone(run, warmup):
    about = triton.testing.do_bench(run, warmup=1, rep=10, return_mode='median')
    if about > LONG:
        return triton.testing.do_bench(run, warmup=warmup, rep=100, return_mode='median')
    for turn in range(SETTLING):
        triton.testing.do_bench(run, warmup=0, rep=0, return_mode='median')
    times = sorted([triton.testing.do_bench(run, warmup=0, rep=0, return_mode='median') for turn in range(COUNTED)])
    middle = times[COUNTED // 4:COUNTED - COUNTED // 4]
    return sum(middle) / len(middle)
