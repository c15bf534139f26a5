#!/bin/sh
# Sees to the Debian packages that some tests use: a PostgreSQL and a MariaDB server, Chromium, and fonts for its pages.
# Installs what is missing only as root on a system with apt-get; elsewhere it says what is missing, and the tests that need it
# are skipped. With GOLDEN_REQUIRE_SYSTEM=1 (make test sets it in CI) anything still missing is an error. Safe to run again.
set -eu

has_postgresql() { command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; }
has_mariadb() { PATH="$PATH:/usr/sbin" command -v mariadbd >/dev/null 2>&1; }
has_chromium() { command -v chromium >/dev/null 2>&1; }
has_fonts() { [ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ]; }

missing() {
    has_postgresql || printf 'postgresql '
    has_mariadb || printf 'mariadb-server '
    has_chromium || printf 'chromium '
    has_fonts || printf 'fonts-dejavu-core '
}

apt() { DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" </dev/null; }

# The package names are words to be split.
# shellcheck disable=SC2046
install_missing() {
    apt update && apt install -y --no-install-recommends $(missing)
}

[ -n "$(missing)" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "system packages: installing $(missing)" >&2
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    install_missing >"$log" 2>&1 || install_missing >"$log" 2>&1 || cat "$log" >&2
    [ -n "$(missing)" ] || exit 0
fi

if [ "${GOLDEN_REQUIRE_SYSTEM:-}" = 1 ]; then
    echo "system packages: missing $(missing)- and GOLDEN_REQUIRE_SYSTEM=1 makes that an error" >&2
    exit 1
fi
echo "system packages: missing $(missing)- the tests that need them are skipped; on Debian or Ubuntu: sudo apt-get install --no-install-recommends $(missing)" >&2
