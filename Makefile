# Builds of epode under a name and for a processor of your choice. `make help` lists them.
# Everyday work needs Cargo alone.

# The program to write, as OpenBench asks for it: make EXE=some-name
EXE ?= epode
CARGO ?= cargo
# Cargo's profile: `make PROFILE=dev` builds sooner, with assertions.
PROFILE ?= release

TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
PROFILE_DIR := $(if $(filter dev,$(PROFILE)),debug,$(PROFILE))
ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif
NAME := $(patsubst %.exe,%,$(EXE))
LEVELS := x86-64-v2 x86-64-v3 x86-64-v4

# build PROCESSOR,FOLDER OF CARGO,FILE TO WRITE
define build
RUSTFLAGS="-C target-cpu=$(1)" $(CARGO) build --locked --package epode --profile $(PROFILE) --target-dir "$(2)"
cp -f "$(2)/$(PROFILE_DIR)/epode$(SUFFIX)" "$(3)$(SUFFIX)"
endef

# What reads the profiles of rustc's LLVM: that of `rustup component add llvm-tools`, else one of the system.
HOST := $(shell rustc --print host-tuple)
PROFDATA ?= $(firstword $(wildcard $(shell rustc --print sysroot)/lib/rustlib/$(HOST)/bin/llvm-profdata) \
    $(shell ls /usr/bin/llvm-profdata-* 2> /dev/null | sort -t- -k3 -n -r) $(shell command -v llvm-profdata))
PGO := $(abspath $(TARGET_DIR))/pgo

# For the program alone: build scripts are not profiled.
# pgo_build RUSTFLAGS
define pgo_build
RUSTFLAGS="-C target-cpu=native $(1)" $(CARGO) build --locked --package epode --profile $(PROFILE) --target-dir "$(PGO)" --target $(HOST)
endef

.PHONY: native pgo all help $(LEVELS)

native:
	$(call build,native,$(TARGET_DIR),$(NAME))

# Built with counters, run on the positions of the benchmark, built again for what they counted.
pgo:
	@test -n "$(PROFDATA)" || { echo "make pgo needs llvm-profdata: rustup component add llvm-tools, or LLVM 19 or later of your system" >&2; exit 2; }
	rm -rf "$(PGO)/profiles"
	$(call pgo_build,-C profile-generate=$(PGO)/profiles)
	"$(PGO)/$(HOST)/$(PROFILE_DIR)/epode$(SUFFIX)" bench
	"$(PROFDATA)" merge -o "$(PGO)/epode.profdata" "$(PGO)/profiles"
	$(call pgo_build,-C profile-use=$(PGO)/epode.profdata)
	cp -f "$(PGO)/$(HOST)/$(PROFILE_DIR)/epode$(SUFFIX)" "$(NAME)$(SUFFIX)"

# A folder of Cargo for each level, so that one build does not undo another.
$(LEVELS):
	$(call build,$@,$(TARGET_DIR)/$@,$(NAME)-$@)

all: $(LEVELS)

help:
	@echo "make [EXE=name] [PROFILE=dev] [target...]"
	@echo
	@echo "  native      the program for this machine's processor, as EXE (the default)"
	@echo "  pgo         the same, optimised for what a profile of the benchmark shows; needs llvm-profdata"
	@echo "  x86-64-v2   EXE-x86-64-v2: SSE4.2 and POPCNT (Nehalem 2008, Bulldozer 2011)"
	@echo "  x86-64-v3   EXE-x86-64-v3: AVX2 and BMI2 (Haswell 2013, Zen 2017)"
	@echo "  x86-64-v4   EXE-x86-64-v4: AVX-512 (Skylake-X 2017, Zen 4 2022)"
	@echo "  all         all three levels"
	@echo
	@echo "EXE is a name or a path; $(EXE) if it is not given."
