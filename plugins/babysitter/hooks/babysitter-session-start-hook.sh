#!/bin/sh
# As the event SessionStart of the host.
exec sh "$(dirname "$0")/guard.sh" session-start
