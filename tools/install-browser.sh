#!/bin/sh
# Installs chromium for the browser tests where that is possible: on Debian and its kin, as root.
# It never fails: without a browser these tests are skipped (or fail by themselves where CI=true).
set -u

if command -v chromium >/dev/null 2>&1; then
    exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "no chromium found: browser tests will be skipped (on Debian: apt-get install chromium)"
    exit 0
fi

install_chromium() {
    apt-get update -qq >/dev/null 2>&1
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        chromium fonts-dejavu-core >/dev/null 2>&1
}

echo "installing chromium for the browser tests"
install_chromium || { sleep 5; install_chromium; } || echo "chromium could not be installed: browser tests will be skipped"
exit 0
