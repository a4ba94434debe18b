#!/bin/sh
# Signs for the shift. What it answers becomes part of the output of the run.
echo "end $(cat)" >> "$RUN_DIR/artifacts/shifts.txt"
echo '{ "ok": true, "signedBy": "the night porter" }'
