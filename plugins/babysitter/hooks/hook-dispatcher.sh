#!/bin/sh
# hook-dispatcher.sh <type> < payload.json
# Calls the hooks of a type in their order and prints what they answered together.
exec "${BABYSITTER_CLI:-babysitter}" hook:dispatch "$@" --json
