/** A plugin that is installed twice, or a host that calls twice: one stop counts once. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { HostSession, rows } from "../fixtures/hosts/host-session.js";

const CONTEXT = { env: { AI_AGENT: "claude-code_2-1-197_harness" } };

describe("two hooks for one stop", () => {
  it("one after the other count once, with the same answer", async () => {
    const session = new HostSession();
    const runId = await session.startLoop("Build the shed.");
    session.writes(rows.prompt("Build the shed."), rows.calls(), rows.says("One wall."));
    for (const options of [CONTEXT, {}]) {
      const stop = async (): Promise<object> => session.hook("stop", { last_assistant_message: "One wall." }, options);
      const first = await stop();
      expect(await stop()).toEqual(first);
      session.writes(rows.feedback("Go on."), rows.calls(), rows.says("One wall."));
    }
    expect(session.stops(runId)).toMatchObject([{ iteration: 1 }, { iteration: 2 }]);
  });

  it("at the end of a loop both are told the same", async () => {
    const session = new HostSession();
    const runId = await session.startLoop("Build the shed.", ["--completion-promise", "BUILT"]);
    session.writes(rows.prompt("Build the shed."), rows.says("<promise>BUILT</promise>"));
    const answers = await Promise.all([0, 1].map(async () => session.stop("<promise>BUILT</promise>")));
    for (const { decision } of answers) expect(decision).toBeUndefined();
    expect(answers.some(({ systemMessage }) => systemMessage?.startsWith("✅"))).toBe(true);
    expect(session.codes(runId)).toEqual(["promise_matched"]);
    expect(fs.existsSync(session.file)).toBe(false);
  });

  it("make one run of a session file that someone has written", async () => {
    const session = new HostSession();
    fs.mkdirSync(path.dirname(session.file), { recursive: true });
    fs.writeFileSync(session.file, "---\nactive: true\niteration: 1\nmax_iterations: 9\n---\n\nBuild the shed.\n");
    session.writes(rows.prompt("Build the shed."), rows.says("Working."));
    const answers = await Promise.all([0, 1, 2].map(async () => session.stop("Working.")));
    for (const { decision } of answers) expect(decision).toBe("block");
    const runs = fs.readdirSync(session.project.runsDir).filter((name) => !name.startsWith("."));
    expect(runs).toHaveLength(1);
    expect(session.stops(runs[0] as string)).toHaveLength(1);
  });
});
