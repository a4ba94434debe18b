/** The end of turns as a whole: journal, hooks side by side, verifications by another program, crashes. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checked,
  command,
  contractOf,
  minutesLater,
  mustNot,
  PROMISE,
  SESSION,
  STARTED,
  said,
  spent,
} from "../../../../tests/fixtures/loop/situations.js";
import type { StopInput } from "../loop/rules/situation.js";
import { parseRunId } from "../model/ids.js";
import type { Ports } from "../model/ports.js";
import { RunJournal } from "../runs/run-journal.js";
import { MemoryEventStore, SettableClock } from "../testing/index.js";
import { memoryLeases } from "../testing/memory-leases.js";
import { MemoryWorkspace } from "../testing/memory-workspace.js";
import { pauseLoop, resumeLoop } from "./change-loop.js";
import { endTurn, type TurnEnd } from "./end-turn.js";
import type { LoopPorts } from "./loop-ports.js";
import { startLoop } from "./start-loop.js";
import { VerificationRecord } from "./verification-record.js";

const RUN = parseRunId("looped");
const CRITERIA = [command("tests"), command("lint", { tier: "fast" }), mustNot("wiped")];
/** What is wrong with each tree. */
const WRONG_ON = ["nothing", "tests", "lint", "wiped"];
const INPUT: StopInput = { valid: true, sessionId: SESSION, subagent: false, background: 0 };

/** A project whose tree is a number; what checks say about a tree never changes. */
class Project {
  readonly store = new MemoryEventStore();
  readonly clock = new SettableClock(STARTED);
  readonly ports: Ports;
  readonly loopPorts: LoopPorts;
  tree = 0;
  usd = 0;
  says = "";
  key = 0;
  minutes = 0;
  /** Verifications come to their end; otherwise their program dies at once. */
  verifies = true;
  #checks: Promise<void> = Promise.resolve();

  constructor() {
    const unused = (): never => {
      throw new Error("not needed by loops");
    };
    this.ports = {
      store: this.store,
      workspace: new MemoryWorkspace(),
      clock: this.clock,
      loader: { inspect: unused },
      hooks: { run: unused },
      leases: memoryLeases(),
      randomHex: (bytes) => "0".repeat(bytes * 2),
      locate: () => ({ file: "", projectRoot: "/project", cacheDir: "/cache" }),
    };
    this.loopPorts = {
      tree: async () => this.#treeName(),
      changed: async () => [],
      turn: async () => ({
        blocks: [this.says],
        lastWords: [this.says],
        tools: 1,
        denied: [],
        key: `turn-${this.key}`,
        missing: false,
      }),
      spend: async () => spent(this.usd, { calls: this.key }),
      startVerification: (_, criteria) => {
        this.#checks = this.#checks.then(() => this.verify(criteria));
      },
      isAlive: () => false,
      discovered: () => [],
    };
  }

  isMet(criterion: string): boolean {
    const isWrong = WRONG_ON[this.tree] === criterion;
    return criterion === "wiped" ? isWrong : !isWrong;
  }

  #treeName(): string {
    return `tree-${this.tree}`;
  }

  async verify(criteria: readonly string[]): Promise<void> {
    const journal = await RunJournal.open(this.ports, RUN);
    const verification = `v${journal.summary.head.seq}`;
    const group = { pid: 1, startedAt: "", session: "" } as never;
    const begun = { verification, criteria: [...criteria], tree: this.#treeName(), host: "h", group };
    const record = await VerificationRecord.begin(journal, begun, () => false);
    if (record === undefined || !this.verifies) return;
    for (const id of criteria) {
      const {
        verification: _,
        alone: __,
        ...result
      } = checked(id, this.isMet(id), {
        before: this.#treeName(),
        after: this.#treeName(),
      });
      await record.checked(result);
    }
    await record.end("done");
  }

  /** So many hooks for one stop, each a program of its own. */
  async stop(hooks: number): Promise<TurnEnd[]> {
    this.clock.set(minutesLater(this.minutes));
    const options = {
      ports: this.loopPorts,
      host: {},
      runName: "looped",
      projectRoot: "/project",
      patienceMs: this.verifies ? 1_000 : 0,
    };
    const journals = await Promise.all(Array.from({ length: hooks }, () => RunJournal.open(this.ports, RUN)));
    const ends = await Promise.all(journals.map((journal) => endTurn(journal, INPUT, options)));
    await this.#checks;
    return ends;
  }

  async texts(): Promise<string[]> {
    return ((await this.store.read(RUN, undefined)) ?? []).map((event) => JSON.stringify(event));
  }

  async loop() {
    const { loop } = (await RunJournal.open(this.ports, RUN)).summary;
    if (loop === undefined) throw new Error("no loop");
    return loop;
  }
}

interface Turn {
  isClaim: boolean;
  tree: number;
  hooks: number;
  usd: number;
  minutes: number;
  verifies: boolean;
  next: "nothing" | "pause" | "resume" | "raise";
}

const turns = fc.array(
  fc.record<Turn>({
    isClaim: fc.boolean(),
    tree: fc.nat(3),
    hooks: fc.constantFrom(1, 1, 2, 3),
    usd: fc.constantFrom(0, 1),
    minutes: fc.integer({ min: -30, max: 30 }),
    verifies: fc.constantFrom(true, true, false),
    next: fc.constantFrom("nothing", "nothing", "nothing", "pause", "resume", "raise"),
  }),
  { minLength: 1, maxLength: 12, size: "max" },
);

async function change(project: Project, next: Turn["next"]): Promise<void> {
  const journal = await RunJournal.open(project.ports, RUN);
  const { loop } = journal.summary;
  if (loop === undefined || loop.ended !== undefined) return;
  if (next === "pause") await pauseLoop(journal, { code: "by_request", message: "", by: "person" });
  const source = { by: "me", via: "cli", verified: false } as const;
  if (next === "resume") await resumeLoop(journal, { by: "person", source });
  const iterations = loop.contract.limits.iterations + 1;
  if (next === "raise" && loop.paused !== undefined)
    await resumeLoop(journal, { by: "person", source, limits: { iterations } });
}

describe("L7: whatever turns end in whatever way", () => {
  it("L7 L10: all hooks of a stop give one answer and one record, and a loop ends only when its criteria are met", async () => {
    const codes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(turns, async (list) => {
        const project = new Project();
        const limits = { iterations: 5, usd: 6, wallMs: 2 * 3_600_000 };
        const session = { harness: "claude-code", sessionId: SESSION, by: "start" } as const;
        const contract = contractOf({ criteria: CRITERIA }, limits);
        await startLoop(project.ports, {
          contract,
          goal: "Fix it",
          iteration: 1,
          runId: RUN,
          projectRoot: () => "..",
          session,
        });
        for (const turn of list) {
          const before = await project.loop();
          const journal = await project.texts();
          Object.assign(project, { tree: turn.tree, verifies: turn.verifies, says: turn.isClaim ? said(PROMISE) : "" });
          project.usd += turn.usd;
          project.minutes += turn.minutes;
          project.key += 1;
          const ends = await project.stop(turn.hooks);
          const after = await project.loop();
          for (const { code } of ends) codes.add(code);
          expect(new Set(ends.map(({ code }) => code)).size).toBe(1);
          expect(new Set(ends.map(({ action }) => action === "block")).size).toBe(1);
          const texts = await project.texts();
          expect(texts.slice(0, journal.length)).toEqual(journal);
          const isOpen = before.paused === undefined && before.ended === undefined;
          const stops = texts.slice(journal.length).filter((text) => text.includes("STOP_HOOK_INVOKED"));
          expect(stops.length).toBe(isOpen ? 1 : 0);
          const blocks = ends.some(({ action }) => action === "block");
          expect(blocks && (!isOpen || project.usd >= limits.usd || project.minutes >= 120)).toBe(false);
          expect(after.iteration).toBeLessThanOrEqual(after.contract.limits.iterations);
          expect(before.ended === undefined ? undefined : after).toEqual(
            before.ended === undefined ? undefined : before,
          );
          const endsNow = after.ended !== undefined && before.ended === undefined;
          expect(endsNow && WRONG_ON[project.tree] !== "nothing").toBe(false);
          await change(project, turn.next);
        }
      }),
      { numRuns: 60 },
    );
    expect([...codes]).toEqual(
      expect.arrayContaining(["completed_verified", "claim_rejected", "verifying", "max_iterations_reached"]),
    );
  });

  it("L10: a claim at the very limit is checked before the limit counts", async () => {
    for (const limits of [{ usd: 1 }, { iterations: 1 }, { wallMs: 60_000 }, { tokens: 1 }]) {
      const project = new Project();
      const session = { harness: "claude-code", sessionId: SESSION, by: "start" } as const;
      const contract = contractOf({ criteria: CRITERIA }, limits);
      await startLoop(project.ports, {
        contract,
        goal: "x",
        iteration: 1,
        runId: RUN,
        projectRoot: () => "..",
        session,
      });
      Object.assign(project, { says: said(PROMISE), usd: 2, minutes: 9, tree: 0 });
      const [end] = await project.stop(1);
      expect(end).toMatchObject({ code: "completed_verified", action: "done" });
    }
  });
});
