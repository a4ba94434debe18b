#!/bin/sh
# As the event Stop of the host.
exec sh "$(dirname "$0")/guard.sh" stop
