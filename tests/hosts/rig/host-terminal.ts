/** The real host in a real terminal: what a person would see, and the keys that they press. */
import fs from "node:fs";
import path from "node:path";
import pty from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { onTestFinished } from "vitest";
import { CLI } from "../../fixtures/command-line.js";
import type { Run } from "../../fixtures/terminal-picture.js";
import { measureEmoji } from "./cell-width.js";
import type { HostProject } from "./host-run.js";
import { installHost } from "./install-hosts.js";
import { HOST_MS } from "./patience.js";
import { screenRuns } from "./screen-runs.js";
import { type Scenario, ScriptedModel } from "./scripted-model.js";

const ROWS = 45;
const COLUMNS = 120;
/** As fast as people lose their patience. */
const REPEAT_MS = 500;

/** Before the input line. */
const PROMPT = "❯";
const SHOWN_END = 12;

export const KEYS = { enter: "\r", escape: "\u001B" } as const;

interface TerminalOptions {
  scenario: Scenario;
  sessionId: string;
  /** `--resume` of this session instead of a new one. */
  resume?: boolean;
  /** "" for none: the person types later. */
  prompt?: string;
  permissionMode?: string;
  /** The plugin is the one that was installed before, not the project's own. */
  installed?: boolean;
  columns?: number;
  rows?: number;
}

/** Starts the host; it ends with the test. */
export async function openTerminal(project: HostProject, options: TerminalOptions): Promise<HostTerminal> {
  const { scenario, columns: cols = COLUMNS, rows = ROWS } = options;
  const program = await installHost(project.version);
  const model = await ScriptedModel.listen(scenario);
  const env = project.environment(model.url);
  acceptEverything(project, env["ANTHROPIC_API_KEY"] ?? "");
  const size = { cols, rows };
  const child = pty.spawn(program, argumentsFor(project, options), { ...size, cwd: project.dir, env });
  const terminal = new HostTerminal(child, model, size);
  onTestFinished(async () => {
    await terminal.close();
    await model.close();
  });
  return terminal;
}

function argumentsFor(project: HostProject, options: TerminalOptions): string[] {
  const {
    sessionId,
    resume = false,
    prompt = "Go.",
    permissionMode = "bypassPermissions",
    installed = false,
  } = options;
  return [
    ...(installed ? [] : ["--plugin-dir", project.plugin.dir]),
    resume ? "--resume" : "--session-id",
    sessionId,
    "--permission-mode",
    permissionMode,
    "--model",
    "claude-sonnet-4-5",
    ...(prompt === "" ? [] : [prompt]),
  ];
}

/** As after the first start on this machine: from now on only the agent asks. */
function acceptEverything({ home, dir }: HostProject, apiKey: string): void {
  const settings = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [apiKey], rejected: [] },
    projects: { [dir]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] } },
    bypassPermissionsModeAccepted: true,
    numStartups: 5,
  };
  fs.writeFileSync(path.join(home, ".claude.json"), JSON.stringify(settings));
}

/** Adds our hooks of the host's question tool to the plugin. */
export function answerDialogs({ plugin: { dir } }: HostProject): void {
  const hook = (type: string): object => {
    const args = [CLI, "hook:run", "--hook-type", type, "--harness", "claude-code"];
    return { matcher: "AskUserQuestion", hooks: [{ type: "command", command: process.execPath, args, timeout: 600 }] };
  };
  const hooks = {
    PreToolUse: [hook("pre-tool-use")],
    PostToolUse: [hook("post-tool-use")],
    PermissionRequest: [hook("permission-request")],
  };
  fs.writeFileSync(path.join(dir, "hooks/dialogs.json"), JSON.stringify({ hooks }));
  const file = path.join(dir, ".claude-plugin/plugin.json");
  const manifest = JSON.parse(fs.readFileSync(file, "utf8")) as { hooks?: string[] };
  manifest.hooks = [...(manifest.hooks ?? []), "./hooks/dialogs.json"];
  fs.writeFileSync(file, JSON.stringify(manifest));
}

/** A text on the screen, or anything else that can be seen. */
type Wanted = string | (() => boolean);

export class HostTerminal {
  readonly model: ScriptedModel;
  readonly #child: pty.IPty;
  readonly #screen: xterm.Terminal;
  readonly #exit: Promise<void>;
  /** What the desktop was asked to show. */
  readonly notices: string[] = [];
  /** Of the window. */
  title = "";
  #isOver = false;
  #look: (() => void) | undefined;

  constructor(child: pty.IPty, model: ScriptedModel, size: { cols: number; rows: number }) {
    this.#child = child;
    this.model = model;
    this.#screen = new xterm.Terminal({ ...size, scrollback: 5_000, allowProposedApi: true });
    measureEmoji(this.#screen);
    this.#screen.parser.registerOscHandler(9, (text) => this.notices.push(text) > 0);
    this.#screen.onTitleChange((title) => {
      this.title = title;
    });
    child.onData((data) => this.#screen.write(data, () => this.#look?.()));
    this.#exit = new Promise((resolve) =>
      child.onExit(() => {
        this.#isOver = true;
        this.#look?.();
        resolve();
      }),
    );
    model.onProblem = () => this.#look?.();
  }

  /** What is on the screen now. */
  get text(): string {
    return this.#linesFrom(this.#screen.buffer.active.baseY);
  }

  /** The same with its colours. */
  get looks(): Run[][] {
    return screenRuns(this.#screen);
  }

  /** The same with everything that was scrolled away. */
  get history(): string {
    return this.#linesFrom(0);
  }

  /** Everything that was ever shown, whatever the lines it was broken into. */
  get words(): string {
    return this.history.replaceAll(/\s+/gu, " ");
  }

  /** Waits until something is on the screen. */
  async shows(wanted: string): Promise<void> {
    await this.until(() => this.text.includes(wanted), JSON.stringify(wanted));
  }

  /** Waits until something is so; looks whenever the screen changes, and now and then. */
  async until(isSo: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + HOST_MS;
    while (!isSo()) {
      if (this.model.problem !== undefined) throw this.model.problem;
      if (this.#isOver || Date.now() > deadline) throw new Error(`Never saw ${what}. On the screen:\n${this.text}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 50);
        this.#look = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  press(keys: string): void {
    this.#child.write(keys);
  }

  /** Types into the host's input and sends it, once that listens; a line that is wrapped must have no blank at its end. */
  async enter(text: string, wanted: Wanted): Promise<void> {
    await this.shows(PROMPT);
    this.press(text);
    await this.shows(text.slice(-SHOWN_END));
    await this.pressUntil(KEYS.enter, wanted);
  }

  /** Presses a key again and again until it is heard: a dialog is drawn before it listens. */
  async pressUntil(key: string, wanted: Wanted): Promise<void> {
    let pressed = 0;
    let patienceMs = REPEAT_MS;
    await this.until(() => {
      if (typeof wanted === "string" ? this.text.includes(wanted) : wanted()) return true;
      if (Date.now() - pressed > patienceMs) {
        this.press(key);
        // Soon once, then ever later: a host that is only slow would take each of them for a wish of its own.
        if (pressed > 0) patienceMs *= 3;
        pressed = Date.now();
      }
      return false;
    }, String(wanted));
  }

  #linesFrom(first: number): string {
    const { active } = this.#screen.buffer;
    const lines = Array.from({ length: active.length - first }, (_, row) => active.getLine(first + row));
    return lines.map((line) => line?.translateToString(true) ?? "").join("\n");
  }

  async close(): Promise<void> {
    if (!this.#isOver) this.#child.kill("SIGKILL");
    await this.#exit;
    this.#screen.dispose();
  }
}
