#!/bin/sh
# Is there a Node that can run the command line? If not: exit code 1, and one line without quotes that says what to do.
least='20.19'
how="install Node $least or newer (https://nodejs.org), see that node is on the PATH of this program, and start it again."
if ! command -v node > /dev/null 2>&1; then
  echo "there is no node on PATH; $how"
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
# This ends up in JSON, and wrappers of node print all kinds of things.
case $numbers in *[!0-9A-Za-z.+-]*) numbers= ;; esac
echo "the node on PATH is ${numbers:-broken}; $how"
exit 1
