/** A program in a real pseudo terminal, and the screen that a person would see. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pty from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { onTestFinished } from "vitest";
import type { Progress } from "../../../packages/sdk/src/drive/progress.js";
import { START } from "./recording.js";

export type Step =
  | { take: Progress[] }
  | { now: number }
  | { drawn: true }
  | { key: true }
  | { suspend: true }
  | { resume: true }
  | { write: string }
  | { fail: string }
  | { close: string[] };

export class TerminalScreen {
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  readonly #child: pty.IPty;
  readonly exit: Promise<{ exitCode: number; signal: number | undefined }>;
  #waiting: (() => void)[] = [];
  /** Everything that is on the screen, as it was written. */
  raw = "";

  constructor(script: string, args: string[], size: { cols: number; rows: number }, env: Record<string, string> = {}) {
    this.#terminal = new xterm.Terminal({ ...size, scrollback: 20_000, allowProposedApi: true });
    this.#child = pty.spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
      ...size,
      env: {
        PATH: process.env["PATH"] ?? "",
        TERM: "xterm-256color",
        LANG: "C.UTF-8",
        TZ: "UTC",
        NO_COLOR: "1",
        ...env,
      },
    });
    this.#child.onData((data) => {
      this.#terminal.write(data, () => {
        this.raw += data;
        // Nobody looks at half a frame.
        if (this.raw.lastIndexOf("\u001b[?2026h") <= this.raw.lastIndexOf("\u001b[?2026l")) this.#wake();
      });
    });
    let isOver = false;
    this.exit = new Promise((resolve) =>
      this.#child.onExit(({ exitCode, signal }) => {
        isOver = true;
        // What was written before the end may still be on its way into the screen.
        this.#terminal.write("", () => {
          this.#wake();
          resolve({ exitCode, signal });
        });
      }),
    );
    onTestFinished(async () => {
      if (!isOver) this.#child.kill("SIGKILL");
      await this.exit;
      this.#terminal.dispose();
    });
  }

  /** The visible lines, without trailing spaces. */
  get lines(): string[] {
    const { baseY } = this.#terminal.buffer.active;
    return Array.from({ length: this.#terminal.rows }, (_, row) => this.#line(baseY + row));
  }

  /** Everything, also what has scrolled away; without the empty lines at the end. */
  get history(): string[] {
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: active.length }, (_, row) => this.#line(row));
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  get text(): string {
    return this.lines.join("\n");
  }

  /** Waits until the screen looks like that; gives up long before the test does, to show what is there instead. */
  async until(isThere: (screen: TerminalScreen) => boolean): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (!isThere(this)) {
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`The screen never looked as expected:\n${this.history.join("\n")}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  get pid(): number {
    return this.#child.pid;
  }

  type(keys: string): void {
    this.#child.write(keys);
  }

  resize(cols: number, rows: number): void {
    this.#terminal.resize(cols, rows);
    this.#child.resize(cols, rows);
  }

  #line(row: number): string {
    return this.#terminal.buffer.active.getLine(row)?.translateToString(true) ?? "";
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Plays steps into the live view on a screen of this size. */
export function playLive(
  steps: Step[],
  size: { cols: number; rows: number },
  options: { env?: Record<string, string>; startMs?: number } = {},
): TerminalScreen {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "progress-"));
  const file = path.join(folder, "steps.json");
  fs.writeFileSync(file, JSON.stringify({ steps, startMs: options.startMs ?? START }));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return new TerminalScreen("play.mjs", [file], size, options.env);
}
