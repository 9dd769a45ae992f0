#!/usr/bin/env bash
# Trains a store's word vectors anew on its own texts: scripts/reentrenar_ppmi.sh [store]
# Without a store it takes the one that BIORAG_PATH names, else the user's own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ $# -gt 0 ]; then
    export BIORAG_PATH="$1"
fi
if [ -x .venv/bin/biorag ]; then
    exec .venv/bin/biorag reentrenar
fi
exec biorag reentrenar
