#!/bin/sh
# hook-dispatcher.sh <type> < payload.json
# Calls the hooks of a type in order and prints their combined result.
exec "${BABYSITTER_CLI:-babysitter}" hook:dispatch "$@" --json
