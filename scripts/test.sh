#!/usr/bin/env bash
# Everything that CI runs, in the order of what fails fastest; stops at the first failure.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/environment.sh

find_python
check_toolchain

section "environment"
enter_environment
python -m pip install --quiet --disable-pip-version-check --group dev
python --version
cargo --version

section "ruff: lint and format"
ruff check .
ruff format --check .

section "cargo fmt"
cargo fmt --check

section "clippy: the kernels as plain Rust"
cargo clippy --quiet --locked --all-targets -- -D warnings

section "clippy: with the Python bindings"
cargo clippy --quiet --locked --all-targets --features python -- -D warnings

section "cargo test"
cargo test --quiet --locked

section "build and install"
python -m pip install --quiet --disable-pip-version-check '.[bench]'
python -c 'import biorag; print("imported", biorag.__file__)'

section "mypy --strict"
mypy

section "stubtest: the stub against the native module"
python -m mypy.stubtest biorag._native

if [ -f scripts/generate_reference.py ]; then
    section "reference pages are up to date"
    python scripts/generate_reference.py --check
fi

section "pytest"
exec python -m pytest
