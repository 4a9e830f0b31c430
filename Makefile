# tk: the commands a person needs. Each works on a fresh Debian 12 machine with Rust; scripts/setup installs the rest.
.PHONY: demo run-demo test test-web fuzz bench bench-gpu dist wheel lint fmt doctor setup packages

CARGO ?= cargo
TK = target/debug/tk

packages:
	@scripts/setup

# The packages, and where LLVM is in cargo's home, for crates in other folders that depend on those of tk.
setup: packages
	@scripts/setup --cargo-home

# Builds tk and runs the grouped matmul of Triton's tutorial, checked, with its IR after every pass and its memory report.
demo: packages
	$(CARGO) build -p tk-cli
	@$(MAKE) --no-print-directory run-demo

# The same with the tk that is there. A build of tk alone has other features of shared crates than one with all tests, so CI, which has
# just run the tests, would build everything again.
run-demo:
	$(TK) run examples/matmul.tk --dump-dir tk-dumps

# All tests that CI runs, the examples of the documentation of crates included; the examples of crates are tools. Both commands are for
# the whole workspace: a command for one package would build the crates that it shares with others again, with other features.
# Twice as many of them at once as there are cores: some wait, for a browser, an editor, a server or cargo.
test: export RUST_TEST_THREADS ?= $(shell expr 2 '*' $$(nproc))
test: packages
	$(CARGO) test --workspace --tests
	$(CARGO) test --workspace --doc

# The remote cache over S3 and HTTP, whose TLS takes some minutes to build; not part of CI.
test-web: packages
	$(CARGO) test -p tk-remote --features web

# Five minutes of mutated input for every reader of tk (FUZZ_SECONDS says how long), and kernels with random loops (FUZZ_LOOPS of each kind).
FUZZ_SECONDS ?= 300
FUZZ_LOOPS ?= 50
fuzz: packages
	$(CARGO) run -p tk-fuzz -- --seconds $(FUZZ_SECONDS)
	$(CARGO) build -p tk-cli
	$(CARGO) build -p tk-random-loops
	for bias in $$(target/debug/random-loops --list); do target/debug/random-loops --bias $$bias --count $(FUZZ_LOOPS) || exit 1; done

lint: packages
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

fmt:
	$(CARGO) fmt --all

# Compile time, launch and simulator benchmarks on this machine.
bench: packages
	$(CARGO) build --release -p tk-cli
	benches/compile_time.sh

# tk beside Triton, cuBLAS and cuDNN: tables, JSON and plots in gpu-results/; needs a GPU and Python with torch and triton.
bench-gpu: packages
	$(CARGO) build --release -p tk-cli
	python3 benches/gpu.py --out gpu-results

# A self-contained bundle: static tk and the examples, in dist/.
dist: packages
	scripts/dist

# The Python package as one wheel in dist/, tried in a fresh environment. WHEEL_PROFILE=dev builds it as the tests do.
WHEEL_PROFILE ?= release
wheel: packages
	$(CARGO) build --profile $(WHEEL_PROFILE) -p tk-python
	scripts/python/try-wheel $$(scripts/python/wheel target/$(patsubst dev,debug,$(WHEEL_PROFILE))/libtk_python.so dist)

doctor: packages
	$(CARGO) run -q -p tk-cli -- doctor
