/** What a session without a loop pays for the plugin: the guard of its hooks, against the start of node. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

export function measurePlugin({ work, rounds, row, note }) {
  const plugin = path.resolve(import.meta.dirname, "../plugins/babysitter");
  const home = path.join(work, "plugin-home");
  fs.mkdirSync(home);
  const { hooks } = JSON.parse(fs.readFileSync(path.join(plugin, "hooks/hooks.json"), "utf8"));
  const command = hooks.Stop[0].hooks[0].command.replaceAll("${CLAUDE_PLUGIN_ROOT}", plugin);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    CLAUDE_PLUGIN_ROOT: plugin,
    CLAUDE_PROJECT_DIR: work,
    CLAUDE_CODE_SESSION_ID: "nobody",
  };
  const input = JSON.stringify({ session_id: "nobody", hook_event_name: "Stop", last_assistant_message: "Done." });
  const cases = {
    // In the same environment: certificates that a variable names, for one, make every start of node slower.
    node: () => spawnSync(process.execPath, ["-e", "0"], { env, cwd: work }),
    shell: () => spawnSync("/bin/sh", ["-c", "exit 0"], { env, cwd: work }),
    guard: () => silent(spawnSync("/bin/sh", ["-c", command], { env, input, cwd: work, encoding: "utf8" })),
  };
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < rounds * 3; round += 1) {
    for (const [name, run] of Object.entries(cases)) {
      const began = performance.now();
      run();
      times[name].push(performance.now() - began);
    }
  }
  const ms = Object.fromEntries(Object.entries(times).map(([name, samples]) => [name, median(samples)]));
  note(
    "hook of an idle session, ms: `sh -c 'exit 0'` / the plugin's guard / `node -e 0`",
    [ms.shell, ms.guard, ms.node].map((value) => value.toFixed(1)).join(" / "),
  );
  row("guard of the plugin's hooks without a loop / `node -e 0`", ms.guard / ms.node, "≤ 0.1", ms);
}

/** A guard that says anything has not left at once. */
function silent({ status, stdout, stderr }) {
  if (status !== 0 || stdout !== "" || stderr !== "") throw new Error(`the guard said: ${stdout}${stderr}`);
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
