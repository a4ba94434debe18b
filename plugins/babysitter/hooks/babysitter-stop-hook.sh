#!/bin/sh
# Same as the host event Stop.
exec sh "$(dirname "$0")/guard.sh" stop
