/** The real host, without a terminal: one prompt, a scripted model, and everything that can be seen of it afterwards. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Writable } from "node:stream";
import { onTestFinished } from "vitest";
import { LoopProject } from "../../fixtures/loop-runs/loop-project.js";
import { endGroup, endMarked, MARKER, markedPids } from "./end-processes.js";
import { type HostPlugin, type PluginOptions, writePlugin } from "./host-plugin.js";
import { type HostVersion, installHost } from "./install-hosts.js";
import { HOST_MS } from "./patience.js";
import { type Scenario, ScriptedModel } from "./scripted-model.js";

export type Row = Record<string, unknown>;

export interface HostRunOptions {
  scenario: Scenario;
  prompt?: string;
  sessionId?: string;
  /** `--resume` of this session instead of a new one; or `--continue`, which takes the newest of the project. */
  resume?: boolean | "newest";
  permissionMode?: "default" | "acceptEdits" | "auto" | "bypassPermissions";
  model?: string;
  /** Further prompts, each typed while the model thinks about this request of the main conversation. */
  typed?: { during: number; text: string }[];
  args?: string[];
  env?: Record<string, string>;
}

export interface HostRun {
  code: number | null;
  timedOut: boolean;
  stderr: string;
  sessionId: string;
  /** What the host prints: one JSON document per line. */
  stream: Row[];
  /** The last of them. */
  result: Row;
  /** What hooks have answered, from the host's own account. */
  hookAnswers: { event: string; output: string }[];
  model: ScriptedModel;
  transcriptFile: string;
  transcript: Row[];
}

const PROMPT = "Go.";

/** A git repository, a home folder and a plugin, for sessions of one version of the host, which end with the test. */
export class HostProject extends LoopProject {
  readonly version: HostVersion;
  readonly plugin: HostPlugin;
  readonly #mark = randomUUID();
  /** The host keeps the output of background tasks there. */
  readonly #tmp: string;

  constructor(version: HostVersion, files: Record<string, string> = {}, plugin: PluginOptions = {}) {
    super(files);
    this.version = version;
    this.plugin = writePlugin(this.root, plugin);
    this.#tmp = path.join(this.root, "tmp");
    fs.mkdirSync(this.#tmp);
    // Without a commit every file is news to git, which is the slower way through it.
    this.git("add", ".");
    this.git("commit", "--quiet", "-m", "start");
    onTestFinished(() => endMarked(this.#mark));
  }

  async host(options: HostRunOptions): Promise<HostRun> {
    const program = await installHost(this.version);
    const sessionId = options.sessionId ?? randomUUID();
    const model = await ScriptedModel.listen(options.scenario);
    try {
      const ended = await this.#run(program, argumentsFor(options, sessionId, this.plugin.dir), {
        env: this.environment(model.url, options.env),
        options,
        model,
      });
      if (model.problem !== undefined) throw model.problem;
      return { ...ended, ...this.#seen(ended.stdout, sessionId), sessionId, model };
    } finally {
      await model.close();
    }
  }

  /** Begins a prompt loop for a session that is yet to come; answers the session's id. */
  async startLoop(args: string[] = []): Promise<string> {
    const sessionId = randomUUID();
    const session = ["--session-id", sessionId, "--harness", "claude-code"];
    const started = await this.doc(["loop:start", "Write x", "--completion-promise", "DONE", ...session, ...args]);
    await this.baseline(started);
    return sessionId;
  }

  /** What was decided at the ends of turns. */
  codes(): unknown[] {
    return this.stops().map(({ payload }) => payload["reason"]);
  }

  /** Prompts that the loop has heard of. */
  submitted(): Row[] {
    return this.runs()
      .flatMap((run) => this.events(run, "PROMPT_SUBMITTED"))
      .map(({ payload }) => payload);
  }

  /** What our hook has noted at the last start of a session. */
  lastSession(): Row {
    const file = path.join(this.home, ".a5c/log/last-session.json");
    return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, "utf8")) as Row) : {};
  }

  /** Everything that the host has said to hooks, in all its runs. */
  payloads(event?: string): Row[] {
    const all = jsonLines(this.plugin.payloads);
    return event === undefined ? all : all.filter(({ hook_event_name: name }) => name === event);
  }

  /** Everything that a host has started and that still runs, the host included. */
  processes(): number[] {
    return markedPids(this.#mark);
  }

  /** Nothing of the tester's own environment; whatever is not on loopback goes to a proxy that refuses it. */
  environment(url: string, more: Record<string, string> = {}): Record<string, string> {
    return {
      PATH: [path.dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
      HOME: this.home,
      TMPDIR: this.#tmp,
      CLAUDE_CODE_TMPDIR: this.#tmp,
      LANG: "C.UTF-8",
      SHELL: "/bin/bash",
      TERM: "xterm-256color",
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "no-key",
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      NO_PROXY: "127.0.0.1",
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // The host refuses to skip permissions for root unless it is told that nothing can happen here.
      IS_SANDBOX: "1",
      BABYSITTER_DURABILITY: "relaxed",
      [MARKER]: this.#mark,
      ...more,
    };
  }

  async #run(
    program: string,
    args: string[],
    { env, options, model }: { env: Record<string, string>; options: HostRunOptions; model: ScriptedModel },
  ): Promise<{ code: number | null; timedOut: boolean; stdout: string; stderr: string }> {
    const child = spawn(program, args, { cwd: this.dir, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    typeInto(child.stdin, options, model);
    const end = (): void => {
      endGroup(child.pid);
      endMarked(this.#mark);
    };
    model.onProblem = end;
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (chunk: string) => void (texts[name] += chunk));
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, HOST_MS);
    try {
      const code = await new Promise<number | null>((resolve, reject) => {
        child.on("error", reject).on("close", resolve);
      });
      return { code, timedOut, ...texts };
    } finally {
      clearTimeout(timer);
      endGroup(child.pid);
    }
  }

  #seen(stdout: string, sessionId: string): Omit<HostRun, "code" | "timedOut" | "stderr" | "sessionId" | "model"> {
    const stream = parseLines(stdout);
    const projects = path.join(this.home, ".claude", "projects");
    const transcriptFile = path.join(projects, this.dir.replaceAll(/[^A-Za-z0-9]/gu, "-"), `${sessionId}.jsonl`);
    return {
      stream,
      result: stream.findLast(({ type }) => type === "result") ?? {},
      hookAnswers: stream
        .filter(({ subtype, stdout: output, outcome }) => {
          // The watch of a session has nothing to say without a terminal; a hook that was killed says nothing either.
          const isWatch = output === "" && outcome === "success";
          return subtype === "hook_response" && !isWatch;
        })
        .map(({ hook_event: event, stdout: output }) => ({ event: String(event), output: String(output) })),
      transcriptFile,
      transcript: jsonLines(transcriptFile),
    };
  }
}

/** What hooks of an event have answered, in order. */
export function answers({ hookAnswers }: HostRun, wanted: string): string[] {
  return hookAnswers.filter(({ event }) => event === wanted).map(({ output }) => output);
}

/** Keeps the host's stdin open for as long as something is still to be typed. */
function typeInto(stdin: Writable, { prompt = PROMPT, typed = [] }: HostRunOptions, model: ScriptedModel): void {
  stdin.on("error", () => undefined);
  if (typed.length === 0) return void stdin.end();
  const type = (text: string): void =>
    void stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content: text } })}\n`);
  type(prompt);
  const last = Math.max(...typed.map(({ during }) => during));
  model.onRequest = ({ kind, number }) => {
    if (kind !== "main") return;
    for (const { during, text } of typed) if (during === number) type(text);
    if (number === last) stdin.end();
  };
}

function argumentsFor(options: HostRunOptions, sessionId: string, pluginDir: string): string[] {
  const {
    prompt = PROMPT,
    resume = false,
    permissionMode = "bypassPermissions",
    model = "claude-sonnet-4-5",
  } = options;
  return [
    ["-p", ...(options.typed === undefined ? [prompt] : ["--input-format", "stream-json"])],
    sessionArguments(resume, sessionId),
    ["--plugin-dir", pluginDir, "--model", model, "--permission-mode", permissionMode],
    ["--output-format", "stream-json", "--verbose", "--include-hook-events"],
    options.args ?? [],
  ].flat();
}

function sessionArguments(resume: boolean | "newest", sessionId: string): string[] {
  if (resume === "newest") return ["--continue"];
  return [resume ? "--resume" : "--session-id", sessionId];
}

function jsonLines(file: string): Row[] {
  return fs.existsSync(file) ? parseLines(fs.readFileSync(file, "utf8")) : [];
}

function parseLines(text: string): Row[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Row);
}
