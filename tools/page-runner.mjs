/**
 * Does what a page has its reader do: writes its files and types its commands, in a fresh folder (a git repository with
 * one commit, unless the page makes its own), with an empty HOME, at a terminal whose screen is compared with the page.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pty from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { compareOutput, readSteps, renderDifference } from "./doc-blocks.mjs";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/u, "");
const PROGRAMS = {
  babysitter: "packages/sdk/dist/cli/babysitter.cjs",
  "babysitter-breakpoints": "packages/breakpoints/bin/babysitter-breakpoints.mjs",
};
const HOST = "claude";
const SIZE = { cols: 100, rows: 50 };

/** How long one command may take before it counts as one that waits for somebody. */
const COMMAND_MS = 120_000;

/** What a program prints when it waits for a line: the cursor stands behind one of these. */
const ASKING = /[:?>\])] ?$/u;
const KEYS = { "^C": "\u0003", "^D": "\u0004" };

/**
 * Answers what is wrong with the page, each with its line; a command that fails ends it, for all that follows depends
 * on it. `onCommand` is told of every command and what it printed.
 */
export async function runPage(text, { onCommand = () => undefined, commandMs = COMMAND_MS } = {}) {
  const { steps, problems } = readSteps(text);
  if (problems.length > 0) return problems;
  const scene = makeScene(steps);
  try {
    for (const step of steps) {
      const problem =
        step.kind === "file" ? writeFile(scene, step) : await typeCommand(scene, step, { onCommand, commandMs });
      if (problem !== undefined) return [{ line: step.line, what: problem }];
    }
    return [];
  } finally {
    endPrograms(scene.home);
    fs.rmSync(scene.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** The problems of a page for people, as `page:line problem`. */
export function renderProblems(page, problems) {
  return problems.map(({ line, what }) => `${page}:${line} ${what}`).join("\n");
}

function makeScene(steps) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "babysitter-page-")));
  const scene = {
    root,
    dir: path.join(root, "project"),
    home: path.join(root, "home"),
    state: path.join(root, "state"),
  };
  const bin = path.join(root, "bin");
  for (const folder of [scene.dir, scene.home, bin]) fs.mkdirSync(folder);
  for (const [name, program] of Object.entries(PROGRAMS)) {
    const line = `exec '${process.execPath}' '${path.join(REPOSITORY, program)}' "$@"`;
    fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  }
  fs.symlinkSync(process.execPath, path.join(bin, "node"));
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => !folder.includes("node_modules"));
  const path_ = [bin, ...folders.map((folder, at) => withoutHost(folder, path.join(root, `bin-${at}`)))];
  scene.env = environment(scene.home, path_.join(path.delimiter));
  if (!steps.some((step) => step.kind === "command" && /\bgit (?:init|clone)\b/u.test(step.command))) {
    const git = (...args) => execFileSync("git", args, { cwd: scene.dir, env: scene.env });
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "First commit");
  }
  return scene;
}

/** The pages say what happens where no host is installed: a copy of the folder, if it has one, made of links. */
function withoutHost(folder, copy) {
  if (!fs.existsSync(path.join(folder, HOST))) return folder;
  fs.mkdirSync(copy);
  for (const name of fs.readdirSync(folder))
    if (name !== HOST) fs.symlinkSync(path.join(folder, name), path.join(copy, name));
  return copy;
}

/** A new user's, who has told git a name. Nothing of whoever tests gets in. */
function environment(home, PATH) {
  const person = { NAME: "Ada", EMAIL: "ada@example.org" };
  const names = Object.entries(person).flatMap(([field, value]) => [
    [`GIT_AUTHOR_${field}`, value],
    [`GIT_COMMITTER_${field}`, value],
  ]);
  const branch = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "init.defaultBranch", GIT_CONFIG_VALUE_0: "main" };
  const terminal = { TERM: "xterm-256color", LANG: "C.UTF-8", TZ: "UTC", NO_COLOR: "1", PAGER: "cat" };
  return { PATH, HOME: home, ...terminal, ...Object.fromEntries(names), ...branch, BABYSITTER_DURABILITY: "relaxed" };
}

function writeFile({ dir }, { file, append, text }) {
  const target = path.join(dir, file);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  if (append) fs.appendFileSync(target, text);
  else fs.writeFileSync(target, text);
}

async function typeCommand(scene, step, { onCommand, commandMs }) {
  const { code, shown, waiting, left } = await atTerminal(scene, step, commandMs);
  onCommand({ ...step, shown, code });
  const said = `$ ${step.command}\n`;
  if (waiting)
    return `${said}has not ended after ${commandMs / 1000} s. If it asks, add "# answer: …". The screen:\n${shown.join("\n")}`;
  const place = compareOutput(step.output, shown);
  if (place !== undefined)
    return `${said}does not print what the page shows (- the page, + the terminal):\n${renderDifference(step.output, shown, place)}`;
  if (code !== step.exit) return `${said}exits with ${code}, and the page expects ${step.exit}.`;
  if (left.length > 0) return `${said}has not asked for "${left[0]}".`;
  return undefined;
}

/** A sign that no screen shows: everything before it has been printed. */
const ENDED = 5150;

/**
 * Folder and exported variables are handed from command to command, as in one shell. The shell ends when its last words
 * have been read: node-pty gives up what it has not read a moment after the end, which is too short on a busy machine.
 */
const SHELL = `
[ -f "$BABYSITTER_PAGE_STATE" ] && . "$BABYSITTER_PAGE_STATE"
trap '{ export -p; printf "cd %q\\n" "$PWD"; } > "$BABYSITTER_PAGE_STATE"; printf "\\033]${ENDED}\\007" > /dev/tty; read -rs < /dev/tty' EXIT
`;

function atTerminal({ dir, env, state }, { command, answers }, commandMs) {
  const terminal = new xterm.Terminal({ ...SIZE, scrollback: 20_000, allowProposedApi: true });
  // What runs in the background outlives its shell only in a group of its own.
  const script = `${SHELL}${/&\s*$/u.test(command) ? "set -m\n" : ""}${command.replaceAll("<clone>", REPOSITORY)}\n`;
  const child = pty.spawn("bash", ["-c", script], { ...SIZE, cwd: dir, env: { ...env, BABYSITTER_PAGE_STATE: state } });
  const left = [...answers];
  child.onData((data) =>
    terminal.write(data, () => {
      if (left.length === 0 || !ASKING.test(lineAtCursor(terminal))) return;
      const answer = left.shift();
      child.write(KEYS[answer] ?? `${answer}\r`);
    }),
  );
  let shown;
  terminal.parser.registerOscHandler(ENDED, () => {
    shown = linesOf(terminal);
    child.write("\r");
    return true;
  });
  let waiting = false;
  const timer = setTimeout(() => {
    waiting = true;
    child.kill("SIGKILL");
  }, commandMs);
  return new Promise((resolve) =>
    child.onExit(({ exitCode, signal }) => {
      clearTimeout(timer);
      // Of a shell that was killed: what was printed before may still be on its way to the screen.
      terminal.write("", () => {
        resolve({ code: signal ? 128 + signal : exitCode, shown: shown ?? linesOf(terminal), waiting, left });
        terminal.dispose();
      });
    }),
  );
}

function lineAtCursor({ buffer: { active } }) {
  return active.getLine(active.baseY + active.cursorY)?.translateToString(false, 0, active.cursorX) ?? "";
}

/** Everything that was shown, also what has scrolled away; a line that went over the edge is one line. */
function linesOf({ buffer: { active } }) {
  const lines = [];
  for (let row = 0; row < active.length; row += 1) {
    const line = active.getLine(row);
    const goesOn = active.getLine(row + 1)?.isWrapped === true;
    const text = line.translateToString(!goesOn);
    if (line.isWrapped) lines.push(lines.pop() + text);
    else lines.push(text);
  }
  while (lines.at(-1)?.trim() === "") lines.pop();
  return lines;
}

/** Servers and the like that a page has left behind know its HOME, which nobody else has. */
function endPrograms(home) {
  if (!fs.existsSync("/proc/self/environ")) return;
  for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/u.test(name))) {
    try {
      const environ = fs.readFileSync(`/proc/${pid}/environ`, "utf8");
      if (environ.split("\0").includes(`HOME=${home}`)) process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended, or is somebody else's.
    }
  }
}
