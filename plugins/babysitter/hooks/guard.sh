#!/bin/sh
# Passes the host event $1 to the bundled command line, or exits immediately. Most sessions have no loop and must not
# pay for one, so nothing is started before the session's file is found. Hooks read this file in the shell that the
# host started, and only if it exists: for a file that is gone after an update or an uninstall, some shells return the
# exit code with which a hook forbids what the agent is about to do.
event=$1
id=${CLAUDE_CODE_SESSION_ID-}
# Services start without HOME; the command line then asks the system, and must find the same files.
[ -n "${BABYSITTER_HOME-}${HOME-}" ] || HOME=$(node -p 'require("node:os").homedir()' 2> /dev/null)
home=${BABYSITTER_HOME:-$HOME/.a5c}

# The host wakes a session when a watch ends. Only sessions in a terminal need that; elsewhere the host would wait.
case $event in *-watch) [ "${CLAUDE_CODE_ENTRYPOINT-}" = cli ] || exit 0 ;; esac

case $event in
  session-start) ;;
  # Every slash command comes here; ignore those of others. JSON writes a quote inside text as \".
  user-prompt-expansion)
    input=$(cat)
    case $input in *'"command_name":"babysit'* | *'"command_name": "babysit'*) ;; *) exit 0 ;; esac
    ;;
  *)
    # A session whose file is gone is still to be told about its loop.
    [ -z "$id" ] || [ -e "$home/state/$id.md" ] || [ -e "$home/held/$id" ] ||
      [ -e "${CLAUDE_PROJECT_DIR:-.}/.a5c/state/$id.md" ] || exit 0
    ;;
esac

# The turn failed with an API error. The host may exit any moment, so the shell saves the message for the next event
# of the session. In a terminal the host stays, and somebody may want to know when it is tried again.
if [ "$event" = stop-failure ]; then
  umask 077
  [ -d "$home/spool" ] || mkdir -p "$home/spool"
  IFS= read -r input
  printf '%s\n' "$input" > "$home/spool/${id:-unknown}.$$.stop-failure.json"
  [ "${CLAUDE_CODE_ENTRYPOINT-}" = cli ] || exit 0
fi

root=${CLAUDE_PLUGIN_ROOT:-$(dirname "$0")/..}
case $event in
  session-start | user-prompt-expansion)
    if ! problem=$(sh "$root/hooks/need-node.sh"); then
      case $event in
        session-start) printf '{"systemMessage":"⚠️  Babysitter is off in this session: %s"}\n' "$problem" ;;
        *) printf '{"decision":"block","reason":"Babysitter: %s"}\n' "$problem" ;;
      esac
      exit 0
    fi
    ;;
  # The version of node was checked when the session started.
  *) command -v node > /dev/null 2>&1 || exit 0 ;;
esac

# The stop is decided at the same time. Usually the answer is more work, and then there is nothing to watch.
case $event in
  *-watch)
    since=$(date +%s)
    sleep 3
    [ -e "$home/state/$id.md" ] || [ -e "${CLAUDE_PROJECT_DIR:-.}/.a5c/state/$id.md" ] || exit 0
    exec node "$root/dist/babysitter.cjs" hook:run --hook-type "$event" --harness claude-code --since "$since" \
      --host-pid "$PPID" --deadline-ms 1999000000
    ;;
esac

# We must time out before the host does, because its timeout is silent. A dialog may be open for weeks.
case $event in
  permission-request) deadline=1999000000 ;;
  session-end | stop-failure | config-change) deadline=10000 ;;
  *) deadline=60000 ;;
esac
set -- "$root/dist/babysitter.cjs" hook:run --hook-type "$event" --harness claude-code --deadline-ms "$deadline"
case $event in
  user-prompt-expansion | stop-failure) printf '%s' "$input" | node "$@" ;;
  *) exec node "$@" ;;
esac
