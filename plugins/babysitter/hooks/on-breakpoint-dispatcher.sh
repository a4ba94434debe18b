#!/bin/sh
# Tells people of a question: calls the on-breakpoint hooks with the payload on stdin, or in BREAKPOINT_PAYLOAD.
here=$(dirname "$0")
for cli in "${BABYSITTER_CLI-}" "$here/../bin/babysitter" "$here/../bin/babysitter.cjs" babysitter; do
  command -v "$cli" > /dev/null 2>&1 && break
done
if [ -n "${BREAKPOINT_PAYLOAD:-}" ]; then
  printf '%s' "$BREAKPOINT_PAYLOAD" | exec "$cli" hook:dispatch on-breakpoint --json "$@"
else
  exec "$cli" hook:dispatch on-breakpoint --json "$@"
fi
