#!/bin/sh
# One line per iteration in the log of this hook.
printf '%s %s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "${HOOK_TYPE:-on-iteration-start}" "$(cat)" >&2
echo '{"ok": true}'
