#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh WORK_DIR ROOT
# Installs the packages that build.sh made in a Debian system below the folder ROOT, builds and runs programs there
# (debian/tests), and removes the packages. For root; what is mounted for it is seen by this process alone.
set -eu
work=$1
root=$2
inside=$root/var/tmp/upsweep-packages
trap 'rm -rf "$inside"' EXIT
rm -rf "$inside"
mkdir -p "$inside"
cp "$work"/*.deb "$inside"
cp -R "$work/upsweep" "$inside"

cat > "$inside/run" <<'END'
set -eu
cd /var/tmp/upsweep-packages
export DEBIAN_FRONTEND=noninteractive
needed=$(sed -n 's/^Depends: libupsweep-dev, //p' upsweep/debian/tests/control | sed 's/ *|[^,]*//g; s/,//g')
apt-get install -y --no-install-recommends ./*.deb $needed
status=0
sh upsweep/debian/tests/build-and-run || status=$?
apt-get purge -y libupsweep-dev libupsweep-compiled0.2
exit $status
END
unshare --mount sh -c '
    for folder in proc sys dev; do mount --bind "/$folder" "$0/$folder"; done
    exec chroot "$0" sh /var/tmp/upsweep-packages/run' "$root"
