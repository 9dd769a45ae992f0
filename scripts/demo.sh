#!/usr/bin/env bash
# From a fresh clone to a guided minute: builds biorag into .venv and runs its demo.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/environment.sh

find_python
check_toolchain
echo "Building biorag into .venv; the first time this takes about two minutes."
enter_environment
python -m pip install --quiet --disable-pip-version-check .
exec biorag demo
