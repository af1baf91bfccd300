# What .ci/run, .ci/night and .ci/release share: they source it.
#
# It makes a fresh copy of the checkout, fetches in the background what is to be installed, and has
# functions that run steps, each with its seconds. Real game records in ../shared/corpus (or in
# $SGF_LARK_CORPUS) are read if they are there.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
chmod 755 "$work" # one step has another user
clone=$work/clone wheels=$work/wheels tools=$work/tools
python=$tools/bin/python # it has the extra test-all

unset PYTHONDONTWRITEBYTECODE # nobody who follows the README has it; without kept bytecode all starts are slow

section() { printf '\n==== %s (at %d s)\n' "$1" "$SECONDS"; }

failed=()

# Runs the rest of the line and goes on if it fails: a run names all that is wrong, and fails at its end.
attempt() {
    local what=$1 start=$SECONDS code
    shift
    set +e # and not "||", which would let a step go on after a command that fails
    (
        set -e
        "$@"
    )
    code=$?
    set -e
    printf -- '---- %s: %d s\n' "$what" $((SECONDS - start))
    ((code == 0)) || failed+=("$what: exit code $code")
}

# As attempt, but a failure ends the run at once.
require() {
    attempt "$@"
    ((${#failed[@]} == 0)) || finish
}

# Says what failed, and exits.
finish() {
    if ((${#failed[@]})); then
        section 'Failed'
        printf '%s\n' "${failed[@]}"
        exit 1
    fi
    section 'Everything passed'
    exit 0
}

# Runs lines of shell beside each other, one a core; what each one prints is shown when it ends.
beside() {
    local line log
    names=() starts=() logs=()
    for line in "$@"; do
        ((${#names[@]} < $(nproc))) || _wait_for_one
        log=$(mktemp "$work/log.XXXXXX")
        (
            set -e
            eval "$line"
        ) >"$log" 2>&1 &
        names[$!]=$line starts[$!]=$SECONDS logs[$!]=$log
    done
    while ((${#names[@]})); do _wait_for_one; done
}

_wait_for_one() {
    local pid code=0
    while true; do # "wait -n" does not know those that have ended already
        for pid in "${!names[@]}"; do
            kill -0 "$pid" 2>/dev/null || break 2
        done
        sleep 0.2
    done
    wait "$pid" || code=$?
    section "${names[$pid]}"
    cat "${logs[$pid]}"
    printf -- '---- %s: %d s\n' "${names[$pid]}" $((SECONDS - starts[pid]))
    ((code == 0)) || failed+=("${names[$pid]}: exit code $code")
    unset "names[$pid]"
}

# Runs the rest of the line; fails unless it exits with the first argument.
expect() {
    local code=0 wanted=$1
    shift
    "$@" || code=$?
    if [[ $code -ne $wanted ]]; then
        printf 'exit code %d instead of %d: %s\n' "$code" "$wanted" "$*" >&2
        return 1
    fi
}

# The one line of the README that ends so.
command_of_readme() {
    local found
    found=$(grep -E "^python3 -m venv .* && $1\$" "$root/README.md")
    [[ -n $found && $(wc -l <<<"$found") -eq 1 ]]
    printf '%s\n' "$found"
}

# Prints "VERSION PATH", such as "3.13 /usr/bin/python3.13", of each CPython 3 that pyenv or the PATH has.
pythons() {
    local candidate
    for candidate in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3 $(compgen -c python3. | sort -u); do
        # Those that pyenv puts on the PATH for versions that are not there fail here.
        "$candidate" -c '
import sys
if sys.implementation.name == "cpython" and sys.version_info.releaselevel == "final":
    print("%d.%d" % sys.version_info[:2], sys.executable)
' 2>/dev/null || true
    done | grep -E "^3\.[0-9]+ /" | sort -t . -k 2n -u -k 1,1 || true
}

copy() { # FROM TO: the files of a checkout, without what it derives
    mkdir -p "$2"
    tar -C "$1" --exclude=./.git --exclude=./.venv --exclude=__pycache__ --exclude-vcs-ignores -cf - . |
        tar -C "$2" -xf -
}

# ---- what is fetched, in the background ----

# Programs that read what is written: those that cannot be installed are skipped by name.
fetch_programs() {
    local program missing=()
    for program in gnugo gnubg sgf2dg chromium firefox-esr bison; do
        [[ -x /usr/games/$program ]] || command -v "$program" >/dev/null || missing+=("$program")
    done
    command -v nvim >/dev/null || missing+=(neovim)
    command -v emacs >/dev/null || missing+=(emacs-nox elpa-eglot)
    ldconfig -p | grep -q 'libcairo\.so\.2' || missing+=(libcairo2) # CairoSVG loads it
    if ((${#missing[@]})) && [[ $(id -u) -eq 0 ]] && command -v apt-get >/dev/null; then
        { timeout 120 apt-get update -qq &&
            timeout 400 apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$work/apt.log" 2>&1 ||
            printf 'not installed: %s\n' "${missing[*]}"
    fi
    if command -v npm >/dev/null; then
        timeout 120 npm install --silent --prefix "$work/node" @sabaki/sgf@3 axe-core@4 \
            vscode-textmate@9.3.2 vscode-oniguruma@2.0.1 \
            vscode-languageclient@11.0.0 esbuild@0.28.2 @vscode/vsce@3.9.2 >"$work/npm.log" 2>&1 ||
            printf 'not installed: packages of Node: %s\n' "$(tail -n 1 "$work/npm.log")"
    fi
}

# All packages, into one folder; what is installed later comes from there.
fetch_wheels() {
    python3 -m venv "$work/pip"
    "$work/pip/bin/pip" download -q --dest "$wheels" "$clone[test-all]" editables
}

begin() {
    copy "$root" "$clone"
    cd "$clone"
    ls -A
    export NODE_PATH=$work/node/node_modules${NODE_PATH:+:$NODE_PATH}
    local corpus=${SGF_LARK_CORPUS:-$root/../shared/corpus}
    if [[ -d $corpus ]]; then
        SGF_LARK_CORPUS=$(cd "$corpus" && pwd)
        export SGF_LARK_CORPUS
        printf 'real records: %s\n' "$SGF_LARK_CORPUS"
    else
        unset SGF_LARK_CORPUS
        printf 'real records: none, there is no %s\n' "$corpus"
    fi
    fetch_programs >"$work/programs.log" 2>&1 &
    programs=$!
    fetch_wheels >"$work/packages.log" 2>&1 &
    packages=$!
}

# Installs the package with the extra test-all, as a developer has it.
install_tools() {
    export PIP_NO_INDEX=1 PIP_FIND_LINKS=$wheels
    du -sh "$wheels"
    python3 -m venv "$tools"
    "$tools/bin/pip" install -q --no-compile -e "$clone[test-all]"
}

# Waits for what begin has begun: its number and its log.
wait_for() {
    local code=0 start=$SECONDS
    wait "$1" || code=$?
    cat "$2"
    printf -- '---- waited for %s: %d s\n' "$(basename "$2" .log)" $((SECONDS - start))
    ((code == 0)) || { failed+=("$2: exit code $code") && finish; }
}
