#!/bin/sh
# Notifies people of a question: calls the on-breakpoint hooks with the payload on stdin, or in BREAKPOINT_PAYLOAD.
if [ -n "${BREAKPOINT_PAYLOAD:-}" ]; then
  printf '%s' "$BREAKPOINT_PAYLOAD" | exec "${BABYSITTER_CLI:-babysitter}" hook:dispatch on-breakpoint --json "$@"
else
  exec "${BABYSITTER_CLI:-babysitter}" hook:dispatch on-breakpoint --json "$@"
fi
