#!/bin/sh
# Install the Debian packages that are missing, quietly; say one clear line where that is impossible.
# Usage: system-packages.sh run|test|train     (test = run + what the browser tests, the peer scorer and the compiled rules
# need; train = the fonts that the sets for training are drawn with, all free and none shipped)
set -eu

run="python3-venv gcc libc6-dev gcc-avr avr-libc binutils-avr libsimavr-dev libelf-dev"
test="chromium curl fonts-noto-cjk g++ python3-dev"
train="python3-venv fonts-noto-cjk fonts-arphic-ukai fonts-arphic-uming fonts-arphic-gkai00mp fonts-arphic-bkai00mp \
fonts-arphic-gbsn00lp fonts-arphic-bsmi00lp fonts-cwtex-kai fonts-cwtex-ming fonts-cwtex-yen fonts-cwtex-heib \
fonts-cwtex-fs fonts-cns11643-kai fonts-lxgw-wenkai fonts-kouzan-mouhitsu fonts-aoyagi-kouzan-t fonts-aoyagi-soseki \
fonts-dejima-mincho fonts-wqy-zenhei fonts-wqy-microhei fonts-smiley-sans fonts-yusei-magic fonts-oradano-mincho-gsrr"
case "${1:-run}" in
  run) wanted=$run ;;
  test) wanted="$run $test" ;;
  train) wanted=$train ;;
  *) echo "usage: $0 run|test|train" >&2; exit 2 ;;
esac

missing=""
for package in $wanted; do
  state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$state" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo >/dev/null 2>&1; then
  as_root="sudo"
else
  echo "mahjong-table: these Debian packages are missing and need root: apt-get install$missing" >&2
  exit 1
fi
echo "mahjong-table: installing Debian packages:$missing"
log=$(mktemp)
# shellcheck disable=SC2086
if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
  tail -n 5 "$log" >&2
  echo "mahjong-table: apt-get could not install$missing (whole log: $log)" >&2
  exit 1
fi
rm -f "$log"
