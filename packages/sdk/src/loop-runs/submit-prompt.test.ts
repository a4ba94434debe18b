/** Two hooks for one prompt, as with a plugin that is installed twice. */
import { expect, it } from "vitest";
import { contractOf, SESSION, STARTED } from "../../../../tests/fixtures/loop/situations.js";
import type { JournalEvent } from "../model/events.js";
import { parseRunId, type RunId } from "../model/ids.js";
import type { Ports } from "../model/ports.js";
import type { AppendAnswer } from "../model/store.js";
import { RunJournal } from "../runs/run-journal.js";
import { MemoryEventStore, SettableClock } from "../testing/index.js";
import { memoryLeases } from "../testing/memory-leases.js";
import { MemoryWorkspace } from "../testing/memory-workspace.js";
import { changeStep, pauseLoop, resumeLoop } from "./change-loop.js";
import { startLoop } from "./start-loop.js";
import { submitPrompt } from "./submit-prompt.js";

/** Lets somebody else in behind the first event of an append, as files do. */
class SharedStore extends MemoryEventStore {
  between: (() => Promise<unknown>) | undefined;

  override async append(runId: RunId, events: readonly JournalEvent[]): Promise<AppendAnswer> {
    const { between } = this;
    if (between === undefined || events.length < 2) return super.append(runId, events);
    this.between = undefined;
    await super.append(runId, events.slice(0, 1));
    await between();
    return { appended: 1, conflict: true };
  }
}

async function loopAtWork(): Promise<{ store: SharedStore; open: () => Promise<RunJournal> }> {
  const unused = (): never => {
    throw new Error("not needed by prompts");
  };
  const store = new SharedStore();
  const ports: Ports = {
    store,
    workspace: new MemoryWorkspace(),
    clock: new SettableClock(STARTED),
    loader: { inspect: unused },
    hooks: { run: unused },
    leases: memoryLeases(),
    randomHex: (bytes) => "0".repeat(bytes * 2),
    locate: unused,
  };
  const { runId } = await startLoop(ports, {
    runId: parseRunId("looped"),
    contract: contractOf(),
    goal: "Fix it",
    iteration: 1,
    projectRoot: () => ".",
    session: { harness: "claude-code", sessionId: SESSION, by: "start" },
  });
  const open = (): Promise<RunJournal> => RunJournal.open(ports, runId);
  await submitted(await open(), "first");
  return { store, open };
}

const submitted = (journal: RunJournal, promptId: string, byAgent = false): Promise<string> =>
  submitPrompt(journal, { sessionId: SESSION, promptId, prompt: "Wait.", byAgent }, () => undefined);

async function typesOf(journal: RunJournal): Promise<string[]> {
  return ((await journal.ports.store.read(journal.runId, undefined)) ?? []).map(({ type }) => type);
}

it("pauses once when a second hook comes between the pause and the prompt", async () => {
  const { store, open } = await loopAtWork();
  const [one, other] = [await open(), await open()];
  store.between = async () => {
    await other.catchUp();
    expect(await submitted(other, "second")).toBe("interruption");
  };
  expect(await submitted(one, "second")).toBe("interruption");
  const types = await typesOf(one);
  expect(types.filter((type) => type === "LOOP_PAUSED")).toHaveLength(1);
  expect(types.at(-1)).toBe("PROMPT_SUBMITTED");
  expect(one.summary.loop?.turn).toEqual({ promptId: "second", open: true });
});

it("records the prompt when somebody writes something else between the pause and the prompt", async () => {
  const { store, open } = await loopAtWork();
  const [one, other] = [await open(), await open()];
  store.between = async () => {
    await other.catchUp();
    await changeStep(other, { step: "more", title: "More", status: "open", by: "agent" });
  };
  await submitted(one, "second");
  expect((await typesOf(one)).slice(-3)).toEqual(["LOOP_PAUSED", "STEP_CHANGED", "PROMPT_SUBMITTED"]);
});

it("does not pause what is paused", async () => {
  const { open } = await loopAtWork();
  const journal = await open();
  await pauseLoop(journal, { code: "by_request", message: "Paused by request.", by: "person" });
  await submitted(journal, "second");
  expect(journal.summary.loop?.paused?.code).toBe("by_request");
  expect((await typesOf(journal)).slice(-2)).toEqual(["LOOP_PAUSED", "PROMPT_SUBMITTED"]);
});

it("is no interruption when an agent types it into a host of its own", async () => {
  const { open } = await loopAtWork();
  expect(await submitted(await open(), "second", true)).toBe("notification");
  const { loop } = (await open()).summary;
  expect([loop?.paused, loop?.turn]).toEqual([undefined, { promptId: "first", open: true }]);
});

it("what a person pauses while an agent's command is about to resume it stays paused", async () => {
  const { open } = await loopAtWork();
  const [one, other] = [await open(), await open()];
  await pauseLoop(one, { code: "limit", message: "Enough.", by: "engine" });
  await pauseLoop(other, { code: "by_request", message: "Paused by request.", by: "person" });
  await expect(resumeLoop(one, { by: "agent" })).rejects.toMatchObject({ code: "ONLY_FOR_PEOPLE" });
  expect((await open()).summary.loop?.paused?.by).toBe("person");
});
