#!/bin/sh
# One line on stderr when an attempt at a task starts. The engine does not start this script: its journal records the same.
printf '%s %s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "${HOOK_TYPE:-on-task-start}" "$(cat)" >&2
echo '{"ok": true}'
