/** Progress as a driver would tell it, written down by hand. */
import type { Ending, Progress } from "../../../packages/sdk/src/drive/progress.js";
import type { EventPayloads, EventType, JournalEvent } from "../../../packages/sdk/src/model/events.js";

export const START = Date.parse("2026-03-04T12:00:00.000Z");

/** What a request is, as far as it is not the same everywhere. */
export interface Asked {
  kind?: string;
  title?: string;
  label?: string;
  scope?: string;
  until?: string;
  ordinal?: number;
}

/** Collects progress; the clock is whatever the last call of `at` said. */
export class Recording {
  readonly progress: Progress[] = [];
  past = false;
  #seq = 0;
  #ms = START;
  readonly #keys = new Map<string, string>();

  /** Seconds since the start. */
  at(seconds: number): this {
    this.#ms = START + seconds * 1000;
    return this;
  }

  get nowMs(): number {
    return this.#ms;
  }

  opened(runId = "release-7", resumed = false): this {
    this.progress.push({
      type: "opened",
      run: {
        runId,
        runDir: `/project/.a5c/runs/${runId}`,
        processId: "build-and-ship",
        entry: "processes/ship.js#process",
        resumed,
        createdAt: new Date(START).toISOString(),
      },
    });
    return this;
  }

  requested(id: string, { kind = "shell", scope = "", ordinal = 1, ...rest }: Asked = {}): this {
    this.#keys.set(id, `${scope}${id}:${ordinal}`);
    return this.event(
      "EFFECT_REQUESTED",
      { kind, scope, argsHash: "", after: 0, iteration: 1, definition: { value: {} }, args: { value: {} }, ...rest },
      id,
    );
  }

  started(id: string, attempt = 1): this {
    return this.event("EFFECT_STARTED", { attempt, executor: "shell", host: "here" }, id);
  }

  attemptFailed(id: string, attempt: number, message: string, waitSeconds?: number): this {
    const notBefore = waitSeconds === undefined ? undefined : new Date(this.#ms + waitSeconds * 1000).toISOString();
    return this.event(
      "EFFECT_ATTEMPT_FAILED",
      {
        attempt,
        reason: "failed",
        error: { name: "Error", message },
        nextAttempt: attempt + 1,
        ...(notBefore === undefined ? {} : { notBefore }),
      },
      id,
    );
  }

  done(id: string, payload: Partial<EventPayloads["EFFECT_RESOLVED"]> = {}): this {
    return this.event("EFFECT_RESOLVED", { status: "ok", attempt: 1, by: "post", ...payload }, id);
  }

  failed(id: string, message: string, attempt = 1): this {
    const error = { name: "Error", message };
    return this.event("EFFECT_RESOLVED", { status: "error", attempt, by: "post", error }, id);
  }

  reopened(id: string, attempt: number, kind = "shell"): this {
    return this.event(
      "EFFECT_REOPENED",
      { resolution: 1, attempt, kind, requestSeq: 1, requestId: "x", requestedAt: new Date(this.#ms).toISOString() },
      id,
    );
  }

  logged(...messages: string[]): this {
    return this.event("PROCESS_LOGGED", {
      iteration: 1,
      entries: messages.map((message) => ({ scope: "", after: 0, message })),
    });
  }

  output(id: string, line: string): this {
    this.progress.push({ type: "output", effectId: `effect-${id}`, line });
    return this;
  }

  printed(line: string): this {
    this.progress.push({ type: "printed", line });
    return this;
  }

  notice(text: string): this {
    this.progress.push({ type: "notice", text });
    return this;
  }

  ended(ending: Partial<Ending> = {}): this {
    this.progress.push({
      type: "ended",
      ending: { state: "completed", exit: "ok", why: "The process has returned.", next: [], waitingFor: [], ...ending },
    });
    return this;
  }

  event<T extends EventType>(type: T, payload: EventPayloads[T], id?: string): this {
    this.#seq += 1;
    const of =
      id === undefined ? {} : { effectId: `effect-${id}`, invocationKey: this.#keys.get(id) ?? "", taskId: id };
    const event = {
      seq: this.#seq,
      id: String(this.#seq),
      timestamp: new Date(this.#ms).toISOString(),
      format: 1,
      writer: "0",
      prev: null,
      checksum: "",
      type,
      payload,
      ...of,
    } as unknown as JournalEvent;
    this.progress.push({ type: "event", event, past: this.past });
    return this;
  }
}

/** A run with something of everything, in the middle of its work. */
export function busyRun(): Recording {
  const run = new Recording().opened();
  run.at(0).requested("install", { title: "Install dependencies" }).started("install").at(4).done("install");
  run.at(4).requested("compile", { kind: "node", title: "Compile" }).started("compile").at(16.3).done("compile");
  run.at(17).requested("unit", { title: "Unit tests", scope: "par1[0]/" });
  run.requested("integration", { title: "Integration tests against the database", scope: "par1[1]/" });
  run.requested("lint", { kind: "node", title: "Lint", scope: "par1[2]/" });
  run.requested("review", { kind: "agent", title: "Review the change", scope: "par1[3]/" });
  run.started("unit").started("integration").started("lint");
  run.at(25.1).done("unit").requested("coverage", { kind: "node", title: "Coverage", scope: "par1[0]/" });
  run.at(26).started("coverage").output("coverage", "83.1 % of statements, 77.0 % of branches");
  run.at(30).attemptFailed("integration", 1, "connect ECONNREFUSED 127.0.0.1:5432", 2).at(32).started("integration", 2);
  run.output("integration", "\u001b[32mok 14\u001b[39m - creates a user and sends exactly one message");
  run.at(33).failed("lint", "src/server.ts:14:3 'port' is never used");
  run.requested("gate", { kind: "breakpoint", title: "Ship release 7?", scope: "par1[2]/" });
  run.requested("nap", { kind: "sleep", title: "Quiet hours", until: "2026-03-04T15:30:00.000Z" });
  return run.at(48);
}
