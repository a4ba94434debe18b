/**
 * Ends children that have a time limit when this program is killed, and with it whoever would have kept the limit.
 *
 * A shell reads what is running from a pipe that only this program can write to. When the pipe ends while something
 * is still running, the program has died: SIGTERM, a grace period, SIGKILL. The shell has a session of its own, so
 * that it is not killed together with this program.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

/** A word with a colon ends with a process group, any other one is a marker to be looked for. */
const SCRIPT = `
trap "" HUP INT TERM
running=
while read -r event child; do
  rest=
  for other in $running; do [ "$other" = "$child" ] || rest="$rest $other"; done
  case $event in started) running="$rest $child" ;; ended) running=$rest ;; esac
done
[ -n "$running" ] || exit 0
signal() {
  for child in $running; do
    case $child in
    *:*) kill -s "$1" -- "-\${child##*:}" ;;
    *) for file in $(grep -lsF "$child" /proc/[0-9]*/environ); do
        pid=\${file#/proc/}
        kill -s "$1" "\${pid%/environ}"
      done ;;
    esac
  done
}
signal TERM
sleep 2
signal KILL
sleep 1
signal KILL
`;

let guard: ChildProcess | undefined;

/** To be called before the child is started, or, with its group, right after; returns what to call when it is over. */
export function guardChild(marker: string, group?: number): () => void {
  const name = group === undefined ? marker : `${marker}:${group}`;
  tell(`started ${name}`);
  return () => tell(`ended ${name}`);
}

function tell(line: string): void {
  guard ??= startGuard();
  guard?.stdin?.write(`${line}\n`);
}

/** Undefined where it cannot be started: then a killed program leaves its children running. */
function startGuard(): ChildProcess | undefined {
  try {
    // Without our environment: whoever looks for markers must not find it.
    const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };
    const child = spawn("/bin/sh", ["-c", SCRIPT], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      env,
      cwd: "/",
    });
    const forget = (): void => void (guard = guard === child ? undefined : guard);
    child.on("error", forget).on("exit", forget).unref();
    child.stdin.on("error", forget);
    (child.stdin as Socket).unref();
    return child;
  } catch {
    return undefined;
  }
}
