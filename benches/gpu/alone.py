"""How long a launch takes alone: one rule for the kernels of this folder under every compiler, and for the libraries."""
import triton

# Milliseconds above which 0.6 microseconds more or less do not matter.
LONG = 0.1


# Launches that queue up behind each other meet one of two states 0.6 microseconds apart, which lasts for a whole measurement
# (docs/performance.md), so short ones are waited for: the median of measurements of one launch each. All times are in milliseconds.
def alone(run, warmup):
    about = triton.testing.do_bench(run, warmup=warmup, rep=10, return_mode='median')
    if about > LONG:
        return triton.testing.do_bench(run, warmup=1, rep=100, return_mode='median')
    times = sorted([triton.testing.do_bench(run, warmup=0, rep=0, return_mode='median') for turn in range(51)])
    return times[25]
