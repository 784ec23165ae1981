#!/bin/sh
# Installs chromium's headless shell for the browser tests where that is possible: on Debian and its kin, as root.
# Where there is only the whole chromium, that is taken. It never fails: without a browser these tests are skipped
# (or fail by themselves where CI=true).
set -u

if command -v chromium-headless-shell >/dev/null 2>&1; then
    exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    command -v chromium >/dev/null 2>&1 ||
        echo "no chromium found: browser tests will be skipped (on Debian: apt-get install chromium-headless-shell)"
    exit 0
fi

install_browser() {
    apt-get update -qq >/dev/null 2>&1
    for browser in chromium-headless-shell chromium; do
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            "$browser" fonts-dejavu-core >/dev/null 2>&1 && return 0
    done
    return 1
}

echo "installing chromium for the browser tests"
install_browser || { sleep 5; install_browser; } || echo "chromium could not be installed: browser tests may be skipped"
exit 0
