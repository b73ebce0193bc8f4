#!/usr/bin/env bash
# Proves the two commands of the README in a bare Debian 12: made by mmdebstrap from this machine's own apt sources,
# with nothing in it but Python, and entered by chroot. Needs root, and a Debian whose sources know bookworm.
#
#   tests/fresh/run.sh                  ./run build and ./run test, as root and as a user who may not install anything
#   tests/fresh/run.sh -- COMMAND...    only this command, as root (for instance: -- ./run lint)
#
# What is committed is tested: the tree is HEAD's. pip's settings here are pip's settings there, and so are apt's.
# Every mount lives in a mount namespace of its own and is gone with it, so removing the folder removes nothing else.
set -euo pipefail

suite=bookworm
root=$(git -C "$(dirname "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)

say() { printf 'fresh: %s\n' "$*"; }
die() { say "FAILED: $*" >&2; exit 1; }
now() { date +%s; }
size() { du -sh --one-file-system "$1" | cut -f1; }

[ "$(id -u)" = 0 ] || die "mmdebstrap, chroot and mount need root"
if ! command -v mmdebstrap >/dev/null; then
    { apt-get -qq update && apt-get -qq install --yes --no-install-recommends mmdebstrap; } >/dev/null ||
        die "mmdebstrap is missing and could not be installed"
fi

# --- what this machine knows, so that no address stands here -----------------------------------------------------------

# Every source of the suite with its updates and security, in apt's one-line form; others (vendors' own) stay out.
apt_sources() {
    python3 - "$suite" <<'END'
import pathlib, re, sys
suite, etc = sys.argv[1], pathlib.Path("/etc/apt")
lines = []
for path in [etc / "sources.list", *sorted(etc.glob("sources.list.d/*.list"))]:
    if path.is_file():
        lines += re.findall(r"^deb\s.*$", path.read_text(), re.M)
for path in sorted(etc.glob("sources.list.d/*.sources")):
    text = re.sub(r"^#.*\n?", "", path.read_text(), flags=re.M)
    for stanza in re.split(r"\n\s*\n", text):
        field = {key.lower(): value.split() for key, value in re.findall(r"^([\w-]+):((?:.*)(?:\n[ \t].*)*)", stanza, re.M)}
        if "deb" not in field.get("types", []) or field.get("enabled") == ["no"]:
            continue
        signed = field.get("signed-by", [])
        options = f"[signed-by={signed[0]}] " if len(signed) == 1 else ""
        lines += [
            f"deb {options}{uri} {name} {' '.join(field.get('components', []))}"
            for uri in field["uris"] for name in field["suites"]
        ]
print(*(line for line in lines if re.search(rf"\s{suite}(-updates|-security|/updates)?\s", line)), sep="\n")
END
}

# pip's settings as environment variables, NUL after each: what files, the environment and the command line say here.
pip_settings() {
    python3 - <<'END'
import ast, subprocess, sys
settings = {}
listing = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True).stdout
for line in listing.splitlines():
    key, _, value = line.partition("=")
    settings["PIP_" + key.rpartition(".")[2].upper().replace("-", "_")] = " ".join(ast.literal_eval(value).split())
for key, value in settings.items():
    sys.stdout.write(f"{key}={value}\0")
END
}

# The files and folders of this machine that those settings name, one a line.
pip_paths() {
    printf '%s\n' "${pip_env[@]#*=}" | tr ' ' '\n' | while read -r word; do
        path=${word#file://}
        # The pages of an index on disk link to files that lie beside it.
        if [ "$path" != "$word" ] && [ "${path%/*}" != "" ]; then path=${path%/}; path=${path%/*}; fi
        case $path in /?*) [ ! -e "$path" ] || printf '%s\n' "$path" ;; esac
    done | sort -u
}

mapfile -d '' -t pip_env < <(pip_settings)
mapfile -t pip_files < <(pip_paths)
sources=$(apt_sources)
[ -n "$sources" ] || die "this machine's apt sources do not know $suite"

# --- the bare system ---------------------------------------------------------------------------------------------------

work=$(mktemp -d "${TMPDIR:-/var/tmp}/cardgen-fresh.XXXXXX")
cleanup() {
    status=$?
    trap - EXIT INT TERM
    rm -rf --one-file-system -- "$work"
    exit $status
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
chmod 755 "$work"

start=$(now)
say "making a bare $suite"
apt-config dump | grep -E '^(Acquire::(https?|Retries|ForceIPv4)|APT::Authentication)' >"$work/apt.conf" || true
mmdebstrap --quiet --mode=root --variant=minbase --include=python3,ca-certificates --aptopt="$work/apt.conf" \
    "$suite" "$work/bare" - <<<"$sources" || die "mmdebstrap could not make it"
cp /etc/hosts "$work/bare/etc/hosts"
for path in "${pip_files[@]}"; do
    if [ -d "$path" ]; then
        mkdir -p "$work/bare$path"
    else
        # The certificates pip trusts here replace the ones it would trust there.
        mkdir -p "$work/bare${path%/*}"
        cp -L "$path" "$work/bare$path"
    fi
done
mkdir "$work/bare/cardgen"
git -C "$root" archive HEAD | tar -x -C "$work/bare/cardgen"
# The maker is somebody who owns the clone and may not install packages.
chroot "$work/bare" useradd --create-home maker
say "made in $(($(now) - start)) s, $(size "$work/bare")"

# inside SYSTEM USER COMMAND...: runs it in the clone, with the mounts that a running system has, for as long as it runs.
inside() {
    local system=$1 user=$2
    shift 2
    # shellcheck disable=SC2016  # expanded by the inner shell
    unshare --mount --propagation private --pid --fork --kill-child -- bash -euc '
        system=$1 user=$2 paths=$3
        shift 3
        mount -t proc proc "$system/proc"
        mount --rbind /dev "$system/dev"
        while read -r path; do
            if [ -d "$path" ]; then mount --rbind -o ro "$path" "$system$path"; fi
        done <<<"$paths"
        exec chroot --userspec="$user" "$system" "${@}"
    ' bash "$system" "$user" "$(printf '%s\n' "${pip_files[@]}")" \
        /usr/bin/env -i -C /cardgen "HOME=$([ "$user" = root ] && echo /root || echo "/home/$user")" LANG=C.UTF-8 \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${pip_env[@]}" "$@"
}

# timed SYSTEM USER COMMAND...
timed() {
    local started
    started=$(now)
    say "$ ${*:3} (as $2)"
    inside "$@" || die "${*:3} (as $2) ended with exit code $?"
    say "${*:3} took $(($(now) - started)) s"
}

has_products() {
    local pdfs
    pdfs=$(find "$1/cardgen/output" -name '*.pdf' -size +1k 2>/dev/null | wc -l)
    [ "$pdfs" -gt 0 ] || die "./run build left no PDF in output/"
    say "output/ holds $pdfs PDFs, $(size "$1/cardgen/output"); .venv $(size "$1/cardgen/.venv"); the system now $(size "$1")"
}

if [ "${1-}" = -- ]; then
    shift
    timed "$work/bare" root "$@"
    say ok
    exit
fi

cp -a --one-file-system "$work/bare" "$work/user"
chown -R --no-dereference 1000:1000 "$work/user/cardgen"

# --- as root: both commands, by themselves -------------------------------------------------------------------------------

timed "$work/bare" root ./run build
has_products "$work/bare"
timed "$work/bare" root ./run build
timed "$work/bare" root ./run test

# --- as a user: `run` says what to type, and that is enough --------------------------------------------------------------

say "$ ./run build (as maker, who may not install anything)"
if inside "$work/user" maker ./run build >"$work/said" 2>&1; then
    die "./run build should have asked for packages"
fi
cat "$work/said"
typed=$(sed -n 's/^run: *\(sudo apt-get .*\)$/\1/p' "$work/said")
[ -n "$typed" ] || die "./run build does not say what to type"
say "typing it"
inside "$work/user" root sh -euc "sudo() { \"\$@\" --yes -qq; }; $typed" >"$work/said" 2>&1 </dev/null ||
    { cat "$work/said"; die "what it says to type does not work"; }
timed "$work/user" maker ./run build
has_products "$work/user"
diff -r "$work/bare/cardgen/output" "$work/user/cardgen/output" || die "two systems made different files"
say "both systems made the same bytes"

say "all took $(($(now) - start)) s"
say ok
