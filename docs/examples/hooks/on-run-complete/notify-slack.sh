#!/usr/bin/env bash
# Tells a Slack channel that a run has completed.
# Needs jq, curl, and SLACK_WEBHOOK_URL with the address of an incoming webhook.
set -euo pipefail
: "${SLACK_WEBHOOK_URL:?set it to the address of an incoming webhook}"

message=$(jq --compact-output '{text: "Run \(.runId) completed with status: \(.status)"}')

# What Slack answers goes to stderr, which is the log.
curl --silent --show-error --fail --max-time 20 \
  --header 'Content-Type: application/json' \
  --data "$message" \
  "$SLACK_WEBHOOK_URL" >&2

echo '{"ok": true}'
