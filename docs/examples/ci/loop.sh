#!/usr/bin/env bash
# Drives a run by hand, step by step, under `set -e`: loop.sh <run id>
set -euo pipefail
run=$1
iteration=0

while :; do
  iteration=$((iteration + 1))
  result=$(babysitter run:iterate "$run" --json --iteration "$iteration")
  status=$(printf '%s' "$result" | node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).status')
  echo "iteration $iteration: $status"
  case $status in
    completed) exit 0 ;;
    failed) exit 1 ;;
    waiting)
      # Long tasks continue in the background; only a question, a sleep or an agent task ends the loop.
      reason=$(printf '%s' "$result" | node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).reason')
      if [ "$reason" != tasks-running ]; then
        echo "waits: $reason"
        exit 3
      fi
      ;;
  esac
done
