#!/bin/sh
# Leaves where the run stands in the log of this hook.
cat > /dev/null
"${BABYSITTER_CLI:-babysitter}" run:status "${RUN_DIR:-$RUN_ID}" >&2
echo '{"ok": true}'
