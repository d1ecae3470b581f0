#!/usr/bin/env bash
# Runs every fuzz test of the module for a while (FUZZTIME, 30s unless told).
set -euo pipefail
cd "$(dirname "$0")/.."
grep -rlE '^func Fuzz' --include='*_test.go' . | while read -r file; do
  grep -oE '^func Fuzz[A-Za-z_0-9]*' "$file" | while read -r _ name; do
    echo "$file $name"
    go test -run '^$' -fuzz "^$name\$" -fuzztime "${FUZZTIME:-30s}" -fuzzminimizetime 1x "./$(dirname "$file")" < /dev/null
  done
done
