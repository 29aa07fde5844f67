# The front door. CMakePresets.json has the details.
.PHONY: all mpi python test demo bench results pictures sanitize fuzz deb tidy format clean packages

JOBS ?= $(shell nproc)

all: packages
	@scripts/build release idne_program

packages:
	@scripts/install-packages build

mpi: packages
	@scripts/install-packages mpi
	@scripts/build release idne_program idne_mpi_program

# The module in build/python, tested.
python: packages
	@scripts/install-packages python
	@scripts/build release idne_program idne_python
	@ctest --preset release -R '^python_' --parallel $(JOBS)

test: packages
	@scripts/install-packages test mpi python
	@scripts/build release idne_program idne_mpi_program idne_python idne_manual_files idne_tests
	@ctest --preset release --parallel $(JOBS)

demo: packages
	@scripts/install-packages demo
	@scripts/build release idne_program
	@build/idne demo

bench: packages
	@scripts/install-packages test python bench
	@scripts/build release
	@scripts/benchmarks

results: packages
	@scripts/build release idne_program
	@scripts/results --figures

pictures: packages
	@scripts/install-packages pictures
	@scripts/build release idne_program
	@scripts/pictures

sanitize: packages
	@scripts/install-packages test mpi python
	@scripts/build sanitize
	@ctest --preset sanitize --parallel $(JOBS)
	@scripts/build sanitize-thread
	@ctest --preset sanitize-thread --parallel $(JOBS)

# make fuzz [MINUTES=1] [TARGET=model]: each target, or one, for so long.
fuzz: packages
	@scripts/install-packages test fuzz
	@scripts/build fuzz idne_fuzz
	@scripts/fuzz "$(or $(MINUTES),1)" $(TARGET)

# Debian packages, in build-deb; then `scripts/try-deb` installs them in a system of their own.
deb: packages
	@scripts/install-packages mpi python deb
	@scripts/deb

# clang-tidy with the checks of .clang-tidy: docs/reliability.md says why these.
tidy: packages
	@scripts/install-packages test mpi python tidy
	@scripts/tidy

format:
	@scripts/install-packages format
	@git ls-files '*.cc' '*.h' | xargs clang-format -i

clean:
	rm -rf build build-debug build-sanitize build-sanitize-thread build-fuzz build-deb build-tidy demo
