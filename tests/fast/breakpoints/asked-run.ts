/** A run on disk whose process has asked one question, for tests of what can be answered to it. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { localContextFiles } from "../../../packages/sdk/src/machine/context-files.js";
import { localPorts } from "../../../packages/sdk/src/machine/local-ports.js";
import { sdkAccess } from "../../../packages/sdk/src/machine/sdk-access.js";
import { BabysitterError } from "../../../packages/sdk/src/model/errors.js";
import type { JournalEvent } from "../../../packages/sdk/src/model/events.js";
import { parseRunId, type RunId } from "../../../packages/sdk/src/model/ids.js";
import type { Ports, ProcessFunction } from "../../../packages/sdk/src/model/ports.js";
import type { BreakpointPayload, ProcessContext } from "../../../packages/sdk/src/replay/process-context.js";
import { createRun } from "../../../packages/sdk/src/runs/create-run.js";
import type { Iteration } from "../../../packages/sdk/src/runs/iteration.js";
import { LiveRun } from "../../../packages/sdk/src/runs/live-run.js";
import { type OpenedBreakpoint, openBreakpoints } from "../../../packages/sdk/src/runs/open-breakpoints.js";
import { RunJournal } from "../../../packages/sdk/src/runs/run-journal.js";
import { SettableClock } from "../../../packages/sdk/src/testing/index.js";

export const RUN: RunId = parseRunId("asked");
export const START = Date.UTC(2026, 0, 20, 8);

type Asking = (inputs: never, ctx: ProcessContext) => unknown;

export interface AskOptions {
  /** Whatever a process in plain JavaScript may pass. */
  payload?: unknown;
  process?: Asking;
  /** The run belongs to a session of an agent. */
  session?: string;
  files?: Record<string, string | Uint8Array>;
}

export class AskedRun {
  readonly root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "asked-")));
  readonly project = path.join(this.root, "project");
  readonly clock = new SettableClock(START);
  readonly ports: Ports;

  private constructor({ payload = "Go on?", process, files = {} }: AskOptions) {
    const runsDir = path.join(this.project, ".a5c", "runs");
    fs.mkdirSync(runsDir, { recursive: true });
    for (const [name, content] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
      fs.writeFileSync(this.path(name), content);
    }
    const asking: Asking = process ?? (async (_, ctx) => ({ ...(await ctx.breakpoint(payload as BreakpointPayload)) }));
    this.ports = {
      ...localPorts({ runsDir, sdk: sdkAccess(), env: { BABYSITTER_DURABILITY: "relaxed" }, clock: this.clock }),
      loader: {
        inspect: () => ({
          hash: "code-1",
          snapshot: () => ({ files: [] }),
          load: async () => ({ exportName: "process", run: asking as ProcessFunction }),
        }),
      },
    };
  }

  /** A run that waits for its first answer. It goes away with the test. */
  static async begin(options: AskOptions = {}): Promise<AskedRun> {
    const run = new AskedRun(options);
    onTestFinished(() => fs.rmSync(run.root, { recursive: true, force: true }));
    const { session } = options;
    await createRun(run.ports, {
      processId: "asking",
      runId: RUN,
      entry: { file: run.path("process.js"), projectRoot: run.project },
      recorded: () => ({ path: "process.js", projectRoot: "../../.." }),
      ...(session === undefined ? {} : { session }),
    });
    await run.iterate();
    return run;
  }

  path(...parts: string[]): string {
    return path.join(this.project, ...parts);
  }

  get runDir(): string {
    return this.path(".a5c", "runs", RUN);
  }

  /** As another command would open it. */
  journal(): Promise<RunJournal> {
    return RunJournal.open(this.ports, RUN);
  }

  async effectId(): Promise<string> {
    const { pending } = (await this.journal()).summary;
    const asked = Object.values(pending).find(({ kind }) => kind === "breakpoint");
    if (asked === undefined) throw new Error("Nothing is asked.");
    return asked.effectId;
  }

  async open(): Promise<OpenedBreakpoint[]> {
    return openBreakpoints(await this.journal(), localContextFiles);
  }

  async iterate(): Promise<Iteration> {
    const run = await LiveRun.open(this.ports, RUN, { quietLimitMs: 5_000 });
    try {
      return await run.iterate();
    } finally {
      await run.close();
    }
  }

  async events<T extends JournalEvent["type"]>(type: T): Promise<Extract<JournalEvent, { type: T }>[]> {
    const all = (await this.ports.store.read(RUN, undefined)) ?? [];
    return all.filter((event): event is Extract<JournalEvent, { type: T }> => event.type === type);
  }
}

/** The coded error that something ends with. */
export async function codedError(doing: Promise<unknown>): Promise<BabysitterError> {
  try {
    await doing;
  } catch (error) {
    if (BabysitterError.is(error)) return error;
    throw error;
  }
  throw new Error("It did not fail.");
}
