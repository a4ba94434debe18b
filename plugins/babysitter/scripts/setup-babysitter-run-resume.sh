#!/bin/sh
# setup-babysitter-run-resume.sh <run> [options]: resumes a run in this session.
exec "$(dirname "$0")/../bin/babysitter" loop:resume "$@"
