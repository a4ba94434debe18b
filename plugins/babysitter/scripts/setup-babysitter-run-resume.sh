#!/bin/sh
# setup-babysitter-run-resume.sh <run> [options]: goes on with a run in this session.
exec "$(dirname "$0")/../bin/babysitter" loop:resume "$@"
