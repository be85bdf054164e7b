# Sourced by the scripts beside it: makes a virtual environment, on a bare machine too.
# Speaks on stderr; stdout belongs to the script that sources it.

# Where this is set, each of the many processes that the tests start compiles all modules again.
unset PYTHONDONTWRITEBYTECODE

say() { printf '%s\n' "$*" >&2; }

# The first Python of 3.11 or newer. PYTHON names another one.
find_python() {
    local candidate
    for candidate in ${PYTHON:-} python3 python3.11 python3.12 python3.13 python3.14; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    say "smelt needs Python 3.11 or newer, and none was found. On Debian: apt-get install python3 python3-venv"
    exit 2
}

# make_venv DIR: a virtual environment with pip. Debian splits venv from Python; then take what there is.
make_venv() {
    local dir=$1 python bootstrap=.cache/virtualenv
    if [ -x "$dir/bin/python" ]; then
        if "$dir/bin/python" -m pip --version >/dev/null 2>&1; then return; fi
        if "$dir/bin/python" -m ensurepip -q >&2; then return; fi
        say "$dir is there but holds no pip; remove it, or put pip into it"
        exit 2
    fi
    python=$(find_python) || exit 2
    say "making $dir with $("$python" --version)"
    if "$python" -c 'import ensurepip' 2>/dev/null && "$python" -m venv "$dir" >&2; then return; fi
    rm -rf "$dir"
    if "$python" -m virtualenv --version >/dev/null 2>&1 && "$python" -m virtualenv -q "$dir" >&2; then return; fi
    if command -v uv >/dev/null && uv venv -q --seed --python "$python" "$dir" >&2; then return; fi
    if "$python" -m pip --version >/dev/null 2>&1 && "$python" -m pip install -q --target "$bootstrap" virtualenv >&2 &&
        PYTHONPATH=$bootstrap "$python" -m virtualenv -q "$dir" >&2; then return; fi
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "installing python3-venv"
        if { apt-get update -qq && apt-get install -y -qq python3-venv; } >&2 && "$python" -m venv "$dir" >&2; then return; fi
    fi
    rm -rf "$dir"
    say "$python can make no virtual environment: it has neither ensurepip nor virtualenv nor pip, and uv is not there."
    say "On Debian: apt-get install python3-venv"
    exit 2
}

# install DIR WHAT…: pip install WHAT, unless the same was installed there and pyproject.toml has not changed since.
install() {
    local dir=$1 stamp wanted
    shift
    stamp="$dir/.installed"
    wanted="$(cksum <pyproject.toml) $*"
    if grep -qxF "$wanted" "$stamp" 2>/dev/null; then return; fi
    say "installing $* into $dir"
    "$dir/bin/python" -m pip install -qq --disable-pip-version-check --no-input "$@" >&2
    printf '%s\n' "$wanted" >>"$stamp"
}
