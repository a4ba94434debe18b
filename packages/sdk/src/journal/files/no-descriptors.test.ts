/** A machine that is out of descriptors says nothing about a run: it is refused as such, or does not matter. */
import { expect, it } from "vitest";
import { errorOf, RunOnDisk } from "../../../../../tests/fixtures/journal/run-on-disk.js";
import {
  expectedOutput,
  finish,
  iterateOnce,
  postFor,
  RUN_ID,
  smallPorts,
} from "../../../../../tests/fixtures/journal/small-run.js";
import { BabysitterError } from "../../model/errors.js";
import type { Ports } from "../../model/ports.js";
import { listOpenBreakpoints } from "../../runs/list-breakpoints.js";
import { listRuns } from "../../runs/list-runs.js";
import { RunJournal } from "../../runs/run-journal.js";
import type { UnreadableRun } from "../../runs/unreadable-runs.js";
import { type JournalFs, nodeFs } from "./journal-fs.js";

/** Refuses to open anything from the given time on, for a while. */
function shortOfFiles(from: number, code: string): JournalFs & { opened: () => number } {
  let opened = 0;
  const opening = <A extends [string, ...unknown[]], R>(open: (...args: A) => R, syscall: string) => {
    return (...args: A): R => {
      opened += 1;
      if (opened < from || opened > from + 2) return open(...args);
      throw Object.assign(new Error(`${code}: too many open files, ${syscall}`), { code, syscall, path: args[0] });
    };
  };
  return {
    ...nodeFs,
    openSync: opening((...args) => nodeFs.openSync(...args), "open"),
    readText: opening((...args) => nodeFs.readText(...args), "open"),
    readdirSync: opening((dir) => nodeFs.readdirSync(dir), "scandir"),
    opened: () => opened,
  };
}

function refuse({ why }: UnreadableRun): never {
  throw new Error(`A run is called unreadable: ${why}`);
}

const COMMANDS: Record<string, (ports: Ports) => Promise<unknown>> = {
  "a list": async (ports) => (await listRuns(ports)).map(({ state }) => state),
  "the inbox": (ports) => listOpenBreakpoints(ports, refuse),
  "a look": async (ports) => (await RunJournal.open(ports, RUN_ID)).summary.head.seq,
  "a post": async (ports) => (await postFor(ports, "whole:1")).outcome,
  "an iteration": async (ports) => (await iterateOnce(ports)).status,
};

it.each(Object.entries(COMMANDS))(
  "J4: %s without descriptors is refused by the system, and harms nothing",
  async (_name, command) => {
    const reached: string[] = [];
    for (let from = 1, opened = 1; from <= opened; from += 1) {
      const run = await RunOnDisk.halfway();
      if (from % 2 === 0) run.dropCaches();
      const whole = await command(smallPorts((await RunOnDisk.halfway()).runsDir));
      const fs = shortOfFiles(from, from % 3 === 0 ? "ENFILE" : "EMFILE");
      const answer = await command(smallPorts(run.runsDir, { fs })).catch((error: unknown) => {
        if (!BabysitterError.is(error)) throw error;
        return error.code;
      });
      reached.push(String(answer));
      expect(answer === "SYSTEM_REFUSED" ? whole : answer, `from the ${from}th`).toEqual(whole);
      opened = fs.opened();
      expect((await finish(run.ports())).output).toEqual(expectedOutput(2));
    }
    expect(reached).toContain("SYSTEM_REFUSED");
  },
);

it("J4: the refusal says what to do", async () => {
  const run = await RunOnDisk.halfway();
  run.dropCaches();
  const fs = shortOfFiles(2, "EMFILE");
  const refused = await errorOf(() => RunJournal.open(smallPorts(run.runsDir, { fs }), RUN_ID));
  expect([refused.code, refused.hint]).toEqual(["SYSTEM_REFUSED", expect.stringContaining("ulimit")]);
});
