/**
 * `npm start`: runs the first example through the command line, in the terminal at hand, and says what to
 * try next. Without a terminal nobody can be asked, so a policy answers, and the journal says so.
 *
 *   node tools/start.mjs
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join, relative } from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("..", import.meta.url));
const cli = join(home, "packages/sdk/dist/cli/babysitter.cjs");
const example = "examples/01-hello";
const runsDir = join(home, ".a5c/runs");
// Chosen here, so that the commands below can name the run.
const runId = `hello-${randomBytes(3).toString("hex")}`;

const hasTerminal = isatty(0) && isatty(1);
const policy = hasTerminal ? [] : ["--breakpoint-policy", "approve:demo"];
if (!hasTerminal) console.log("No terminal to ask on: the policy approve:demo answers the question.");

const options = ["--process-id", "hello", "--run-id", runId, "--runs-dir", runsDir, ...policy];
const child = spawn(process.execPath, [cli, "run", `${example}/process.mjs`, ...options], {
  cwd: home,
  stdio: "inherit",
});

// Ctrl-C in a terminal reaches the command by itself, and the command ends in good order; this script only
// has to wait for it. A signal that was sent to this script alone is passed on.
process.on("SIGINT", () => void (isatty(0) || child.kill("SIGINT")));
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));

child.once("error", (error) => {
  console.error(`The command could not be started: ${error.message}`);
  process.exitCode = 1;
});
child.once("exit", (code, signal) => {
  if (signal !== null) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    return;
  }
  process.exitCode = code;
  console.log(code === 0 ? whatNext() : howToResume());
});

function whatNext() {
  return [
    "",
    `Every step is a file in ${join(relative(process.cwd(), runsDir), runId, "journal")}`,
    "",
    "Try next:",
    ...indent([
      ...preparations(),
      "# show the journal",
      `npx babysitter run:events ${runId}`,
      "# change something and run it again",
      `echo "P.S. Ahoy." >> ${example}/letters/to-the-harbour.txt && npm start`,
      "# another example",
      "npx babysitter run examples/03-breakpoint/process.mjs",
      "# install the command, to use it in other folders",
      "npm install -g ./packages/sdk",
    ]),
  ].join("\n");
}

function howToResume() {
  return ["", "To resume:", ...indent([...preparations(), `npx babysitter run ${runId}`])].join("\n");
}

/** What makes the commands below work as they are, wherever this script was started. */
function preparations() {
  const folder = relative(process.cwd(), home);
  return folder === "" ? [] : [`cd "${folder}"`];
}

function indent(lines) {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}
