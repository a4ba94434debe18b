#!/bin/sh
# One line on stderr when a process requests a new effect. The engine does not start this script: its journal records the same.
printf '%s %s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "${HOOK_TYPE:-on-step-dispatch}" "$(cat)" >&2
echo '{"ok": true}'
