# A thin face of tools/ and meson. `make help` lists what there is.
#
#   make demo                        set up, build, and see it work
#   make test                        set up, build, run all tests (FULL=1: the long ones too)
#   CC=clang make                    with another compiler
#   make install PREFIX=/usr DESTDIR=/tmp/x

PREFIX ?= /usr/local
DESTDIR ?=
SECONDS ?= 60
VERSION := $(shell sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)

# make's own default for CC is not a wish.
ifeq ($(origin CC),default)
unexport CC
else
export CC
endif

SANITIZE := -Db_sanitize=address,undefined
RUN := tests/run

.DEFAULT_GOAL := all
.PHONY: help all demo test asan bench fuzz coverage lint format install uninstall dist deb clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.* ## /  make \1\t/p' Makefile | expand -t 18

all: ## build into build/
	@tools/setup build
	@tools/build build

demo: ## set up, build, verify the embedded bugs and show a scoreboard
	@tools/setup demo
	@tools/build build
	build/lacewing demo

test: ## set up, build, run all tests, then again with sanitizers (FULL=1: long ones too)
	@tools/setup test
	@tools/build build -Dtests=enabled
	@tools/build build-asan -Dtests=enabled $(SANITIZE)
	@$(if $(FULL),LW_FULL=1) $(RUN)

asan: ## build into build-asan/ with ASan and UBSan
	@tools/setup test
	@tools/build build-asan -Dtests=enabled $(SANITIZE)

bench: ## measure against peers (BENCH=area/name for one)
	@tools/setup test
	@tools/build build -Dtests=enabled
	@bench/run $(BENCH)

fuzz: ## fuzz each target for a while (FUZZ=name, SECONDS=60)
	@tools/setup develop
	@CC=clang tools/build build-fuzz -Dtests=enabled -Dfuzz=true -Db_lundef=false $(SANITIZE)
	@tools/fuzz build-fuzz $(SECONDS) $(FUZZ)

coverage: ## lines of src/ that the tests reach, by folder
	@tools/setup develop
	@tools/build build-coverage -Dtests=enabled -Db_coverage=true
	@tools/coverage build-coverage

lint: ## clang-tidy, cppcheck, layers and banned functions
	@tools/setup develop
	@CC=clang tools/build build-lint -Dtests=enabled
	@tools/lint build-lint

format: ## clang-format over all C
	@tools/setup develop
	git ls-files '*.c' '*.h' | xargs clang-format -i

install: ## install below PREFIX (default /usr/local) and DESTDIR
	@tools/setup build
	@tools/build build -Dprefix=$(PREFIX)
	DESTDIR=$(DESTDIR) meson install -C build --no-rebuild

uninstall: ## remove what the last `make install` installed
	ninja -C build uninstall

dist: ## a source tarball in dist/
	@tools/dist $(VERSION)

deb: ## a Debian package in dist/
	@tools/setup build
	@tools/build build-deb -Dprefix=/usr -Dtests=disabled -Dbuildtype=release
	@packaging/make-deb build-deb $(VERSION)

clean: ## remove all build folders and dist/
	rm -rf build build-asan build-fuzz build-coverage build-lint build-deb dist
