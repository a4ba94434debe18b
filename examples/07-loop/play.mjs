/** Plays an agent host: starts a loop, lets an agent work badly and then well, and prints what each is told. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const CLI =
  process.env.BABYSITTER_CLI || fileURLToPath(new URL("../../packages/sdk/dist/cli/babysitter.cjs", import.meta.url));
const SESSION = "played-by-hand";
const PROMISE = "<promise>WRITTEN</promise>";

const room = realpathSync(mkdtempSync(path.join(os.tmpdir(), "babysitter-loop-")));
const harbour = path.join(room, "harbour");
/** What the agent does in each turn before it says that it is done. */
const TURNS = [
  { says: `I have thought about it.\n${PROMISE}`, does: () => undefined },
  { says: `Now it is there.\n${PROMISE}`, does: () => writeFileSync(path.join(harbour, "greeting.txt"), "Hello!\n") },
  { says: PROMISE, does: () => writeFileSync(path.join(harbour, "greeting.txt"), "Hello, harbour!\n") },
];

try {
  process.exitCode = play();
} finally {
  rmSync(room, { recursive: true, force: true });
}

function play() {
  run("git", ["init", "--quiet", harbour], { cwd: room });
  const task = ["Write greeting.txt with a greeting to the harbour."];
  const ends = ["--criteria", "greeting: grep -q harbour greeting.txt", "--completion-promise", "WRITTEN"];
  say(babysitter(["loop:start", ...task, ...ends, "--run-id", "greeting", "--session-id", SESSION]));
  for (const { says, does } of TURNS) {
    does();
    say(`agent:  ${says.replaceAll("\n", " ")}`);
    const { decision, reason, systemMessage } = endTurn(says);
    say(`engine: ${decision === "block" ? `continue. ${reason.split("\n\n")[0]}` : `you may stop. ${systemMessage}`}`);
  }
  say(babysitter(["loop:report", "greeting"]));
  return babysitter.exit;
}

/** Ends a turn as a host does with its Stop hook. Waits for a long check, as the agent is told to. */
function endTurn(says) {
  const input = { hook_event_name: "Stop", session_id: SESSION, cwd: harbour, last_assistant_message: says };
  const stop = () => JSON.parse(babysitter(["hook:run", "--hook-type", "stop"], JSON.stringify(input)));
  const answer = stop();
  if (!answer.reason?.includes("loop:verify")) return answer;
  babysitter(["loop:verify", "greeting", "--wait"]);
  return stop();
}

/** Runs a command in the project, as if its session were that of an agent host. */
function babysitter(args, input = "") {
  const env = { PATH: process.env.PATH, HOME: room, CLAUDE_CODE_SESSION_ID: SESSION };
  const { stdout, status } = run(process.execPath, [CLI, ...args], { cwd: harbour, env, input });
  babysitter.exit = status;
  return stdout.trimEnd();
}

function run(program, args, options) {
  const result = spawnSync(program, args, { encoding: "utf8", ...options });
  if (result.error) throw result.error;
  return result;
}

function say(text) {
  console.log(`${text}\n`);
}
