# Shared by the scripts beside it: finds what the machine lacks, says so, installs it where apt is at hand.
# shellcheck shell=bash disable=SC2034

# Keep in step with `rust-version` in Cargo.toml.
RUST_NEEDED=1.95.0

# What the viewer loads at run time: the Vulkan loader with Mesa's drivers (one of which is pure software), and the X
# libraries that winit opens by name.
RUN_PACKAGES=(
    libvulkan1 mesa-vulkan-drivers
    libx11-6 libx11-xcb1 libxcb1 libxcursor1 libxi6 libxrandr2 libxkbcommon0 libxkbcommon-x11-0
)
# The end-to-end test opens a real window under a virtual display, with a window manager to iconify and close it.
# strace shows which files are opened, valgrind counts instructions; the font has letters that the viewer's own lack.
TEST_PACKAGES=(xvfb openbox strace valgrind fonts-dejavu-core)

say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }

die() {
    say "$*"
    exit 1
}

on_linux() { [ "$(uname -s)" = Linux ]; }

has() { command -v "$1" >/dev/null 2>&1; }

# Runs a command as root: directly, or through sudo, which asks for a password only at a terminal.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif ! has sudo; then
        return 1
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"
}

APT_UPDATED=
# The package lists are fetched at most once, and only when something is to be installed.
apt_update_once() {
    [ -z "$APT_UPDATED" ] || return 0
    APT_UPDATED=yes
    # One unreachable mirror of several is no reason to stop: the installation that follows tells.
    apt_get update >&2 || say "some package lists could not be refreshed; going on with those at hand"
}

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Installs the named Debian packages that are missing. On other systems it only tells, when something looks absent.
ensure_packages() {
    on_linux || return 0
    if ! has apt-get || ! has dpkg-query; then
        ldconfig -p 2>/dev/null | grep -q 'libvulkan\.so\.1' ||
            say "this system has no apt; if the viewer finds no adapter, install the Vulkan loader and a driver" \
                "(Fedora: vulkan-loader mesa-vulkan-drivers; Arch: vulkan-icd-loader vulkan-swrast)"
        return 0
    fi
    local package missing=()
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    [ "${#missing[@]}" -gt 0 ] || return 0
    say "installing ${missing[*]}"
    apt_update_once
    apt_get install --no-install-recommends "${missing[@]}" >&2 ||
        say "could not install them; as root: apt-get install ${missing[*]}; going on without"
}

# A linker for Rust: any `cc` will do.
ensure_cc() {
    has cc && return 0
    if on_linux && has apt-get; then
        ensure_packages gcc libc6-dev
    fi
    has cc || die "a C compiler is needed to link (macOS: xcode-select --install; Fedora, Arch: the package gcc)"
}

# True when version $1 is at least version $2.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# The version that apt would install, without epoch and Debian revision; empty when it knows none.
apt_candidate() {
    LC_ALL=C apt-cache policy "$1" 2>/dev/null |
        sed -n 's/^  Candidate: //p' | grep -v '(none)' | sed 's/^[0-9]*://; s/[^0-9.].*//' || true
}

# Empty when there is none, or only rustup's stand-in for one.
rust_version() { { rustc --version 2>/dev/null || true; } | cut -d' ' -f2 | cut -d- -f1; }

# Finds or installs Rust: whatever is in PATH or in ~/.cargo/bin, else the distribution's own package if it is new
# enough, else the distribution's rustup. Where rustup's default is too old, a newer one stands beside it.
ensure_rust() {
    [ ! -d "${CARGO_HOME:-${HOME-}/.cargo}/bin" ] || PATH="${CARGO_HOME:-${HOME-}/.cargo}/bin:$PATH"
    if ! has cargo && ! has rustup && on_linux && has apt-get; then
        apt_update_once
        local packaged
        packaged=$(apt_candidate cargo)
        if [ -n "$packaged" ] && at_least "$packaged" "$RUST_NEEDED"; then
            ensure_packages cargo rustc rustfmt rust-clippy
        elif [ -n "$(apt_candidate rustup)" ]; then
            ensure_packages rustup ca-certificates
        fi
    fi
    if has rustup && [ -z "$(rust_version)" ]; then
        say "installing Rust $RUST_NEEDED with rustup"
        rustup toolchain install "$RUST_NEEDED" --profile minimal --component rustfmt --component clippy >&2
        rustup default "$RUST_NEEDED" >&2
    fi
    local found
    found=$(rust_version)
    if has rustup && ! at_least "$found" "$RUST_NEEDED"; then
        # What the user has chosen for other projects stays as it is.
        say "installing Rust $RUST_NEEDED with rustup, beside $found"
        rustup toolchain install "$RUST_NEEDED" --profile minimal --component rustfmt --component clippy >&2
        export RUSTUP_TOOLCHAIN="$RUST_NEEDED"
        found=$(rust_version)
    fi
    if [ -z "$found" ]; then
        die "Rust $RUST_NEEDED or newer is needed and this system packages none: get it from https://rustup.rs"
    elif ! at_least "$found" "$RUST_NEEDED"; then
        die "Rust $RUST_NEEDED or newer is needed, this is $found: rustup update stable, or see https://rustup.rs"
    fi
}

# rustfmt and clippy are absent from rustup's minimal profile.
ensure_rust_checkers() {
    if cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1; then
        return 0
    fi
    if has rustup; then
        say "adding rustfmt and clippy with rustup"
        rustup component add rustfmt clippy >&2
    elif on_linux && has apt-get; then
        ensure_packages rustfmt rust-clippy
    else
        die "cargo fmt and cargo clippy are needed for the tests"
    fi
}
