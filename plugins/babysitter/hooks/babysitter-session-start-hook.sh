#!/bin/sh
# Same as the host event SessionStart.
exec sh "$(dirname "$0")/guard.sh" session-start
