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

.PHONY: native all help $(LEVELS)

native:
	$(call build,native,$(TARGET_DIR),$(NAME))

# A folder of Cargo for each level, so that one build does not undo another.
$(LEVELS):
	$(call build,$@,$(TARGET_DIR)/$@,$(NAME)-$@)

all: $(LEVELS)

help:
	@echo "make [EXE=name] [PROFILE=dev] [target...]"
	@echo
	@echo "  native      the program for this machine's processor, as EXE (the default)"
	@echo "  x86-64-v2   EXE-x86-64-v2: SSE4.2 and POPCNT (Nehalem 2008, Bulldozer 2011)"
	@echo "  x86-64-v3   EXE-x86-64-v3: AVX2 and BMI2 (Haswell 2013, Zen 2017)"
	@echo "  x86-64-v4   EXE-x86-64-v4: AVX-512 (Skylake-X 2017, Zen 4 2022)"
	@echo "  all         all three levels"
	@echo
	@echo "EXE is a name or a path; $(EXE) if it is not given."
