#!/bin/sh
# Shows a question and how to answer it. Needs a payload with a breakpointId on stdin. The engine does not start this
# script: whoever drives the run shows its questions, and `babysitter breakpoint:list` lists them.
id=$(node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).breakpointId') || exit
"${BABYSITTER_CLI:-babysitter}" breakpoint:show "$id" >&2 || exit
echo '{"ok": true}'
