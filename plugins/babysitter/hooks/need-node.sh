#!/bin/sh
# Checks for a Node that can run the command line. If there is none: exit code 1 and one line, without quotes, that says what to do.
least='20.19'
how="install Node $least or newer (https://nodejs.org), make sure that node is on the PATH of this program, and restart it."
if ! command -v node > /dev/null 2>&1; then
  echo "node is not on PATH; $how"
  exit 1
fi
version=$(node --version 2> /dev/null)
numbers=${version#v}
major=${numbers%%.*}
rest=${numbers#*.}
minor=${rest%%.*}
case $major$minor in
  '' | *[!0-9]*) ;;
  *)
    [ "$major" -gt 20 ] && exit 0
    [ "$major" -eq 20 ] && [ "$minor" -ge 19 ] && exit 0
    ;;
esac
# This ends up in JSON, and node wrappers may print anything.
case $numbers in *[!0-9A-Za-z.+-]*) numbers= ;; esac
echo "the node on PATH is ${numbers:-broken}; $how"
exit 1
