#!/bin/sh
set -e
if ! command -v npm >/dev/null; then
  echo "The Baton feature needs Node 24. Add the feature ghcr.io/devcontainers/features/node before it." >&2
  exit 1
fi
npm install --global "@baton/cli@${VERSION:-{{version}}}"
mkdir -p /var/lib/baton
chown "${_REMOTE_USER:-root}" /var/lib/baton
