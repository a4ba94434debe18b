#!/bin/sh
# setup-babysitter-run.sh <task> [options]: starts a loop in this session.
exec "$(dirname "$0")/../bin/babysitter" loop:start "$@"
