/**
 * Plays recorded progress into the live view, for tests that look at it through a pseudo terminal.
 * Time stands still but for the steps. Steps: `{take}` some progress, `{now}` set the clock, `{drawn}` wait for the next frame, `{key}` wait for a key, `{suspend}`,
 * `{resume}`, `{write}` something else to the screen, `{fail}` with an error nobody catches, `{close}`.
 */
import fs from "node:fs";
import { openLiveView } from "../../../packages/sdk/dist/cli/progress/live-view.js";

const { steps, startMs } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const { stdin, stdout } = process;
let onDrawn = () => {};
const write = stdout.write.bind(stdout);
stdout.write = (...args) => {
  const result = write(...args);
  onDrawn();
  return result;
};
stdin.setRawMode(true);
// Frames do not keep a program alive; waiting for keys does.
stdin.resume();

let nowMs = startMs;
const view = openLiveView({ stream: stdout, env: process.env, clock: { now: () => new Date(nowMs) } });

const actions = {
  take: (progress) => progress.forEach((one) => view.take(one)),
  now: (ms) => void (nowMs = ms),
  drawn: () => new Promise((resolve) => void (onDrawn = resolve)),
  key: () => new Promise((resolve) => void stdin.once("data", resolve)),
  suspend: () => view.suspend(),
  resume: () => view.resume(),
  write: (text) => void stdout.write(text),
  fail: (message) => {
    throw new Error(message);
  },
  close: (lines) => view.close(lines),
};

for (const step of steps) {
  const [[name, value]] = Object.entries(step);
  await actions[name](value);
}
stdin.pause();
