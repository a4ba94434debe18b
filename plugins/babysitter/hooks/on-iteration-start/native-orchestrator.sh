#!/bin/sh
# Executes the pending node and shell tasks of the run and posts their results.
exec "${BABYSITTER_CLI:-babysitter}" run:execute "${RUN_DIR:-$RUN_ID}" --json
