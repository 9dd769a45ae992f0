# Sourced by the scripts beside it: checks what must be installed, and makes the environment.

section() {
    printf '\n== %s\n' "$*"
}

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# Sets PYTHON to an interpreter that is new enough.
find_python() {
    for PYTHON in "${PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11; do
        if "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            return
        fi
    done
    fail "Python 3.11 or newer is needed and was not found. On Debian or Ubuntu: \
sudo apt install python3 python3-venv; elsewhere: https://www.python.org/downloads/. \
If you have one under another name, set PYTHON to its path."
}

check_toolchain() {
    "$PYTHON" -c 'import ensurepip, venv' 2>/dev/null || fail "Python's venv module is missing. \
On Debian or Ubuntu: sudo apt install python3-venv."
    command -v cargo >/dev/null || fail "cargo, Rust's build tool, was not found. Install Rust \
1.89 or newer from https://rustup.rs: it needs no administrator."
    command -v cc >/dev/null || fail "A C compiler is needed to link the native module. \
On Debian or Ubuntu: sudo apt install build-essential; on macOS: xcode-select --install."
}

# Makes .venv once and puts it first on the path.
enter_environment() {
    if [ ! -x .venv/bin/python ]; then
        "$PYTHON" -m venv .venv
    fi
    export VIRTUAL_ENV="$PWD/.venv" PATH="$PWD/.venv/bin:$PATH"
    unset PYTHONHOME PYTHONPATH
    # Dependency groups need pip 25.1.
    python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
}
