/** Whoever decides or asks by way of a program that stays: hooks hear of it as they do of a command. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { AskedRun } from "../../../../../tests/fixtures/runs/asked-run.js";
import { InboxAccess } from "../../inbox/inbox-access.js";
import { Chats } from "../../notify/chats.js";
import { openBreakpoints } from "../../runs/open-breakpoints.js";
import { localContextFiles } from "../context-files.js";
import { askQuestion } from "./ask-question.js";
import { decide } from "./decide-with-evidence.js";
import type { Desk } from "./desk.js";
import { hooksCalled } from "./hook-calls.js";

const LOCAL = { kind: "local", author: "ada" } as const;
const RECORDER = `printf '%s %s\\n' "$HOOK_TYPE" "$(cat)" >> "$REPO_ROOT/moments.log"`;

class Inbox {
  readonly run: AskedRun;
  readonly desk: Desk;

  private constructor(run: AskedRun) {
    this.run = run;
    const home = path.join(run.root, "home");
    const own = { home, now: () => new Date() };
    this.desk = { access: new InboxAccess(own), chats: new Chats(own), env: { HOME: home, PATH: process.env["PATH"] } };
  }

  static async begin(options: Parameters<typeof AskedRun.begin>[0] = {}): Promise<Inbox> {
    const inbox = new Inbox(await AskedRun.begin(options));
    await inbox.run.open();
    return inbox;
  }

  hook(type: string, script = RECORDER): void {
    const file = this.run.path(".a5c", "hooks", type, "hook.sh");
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, `#!/bin/sh\n${script}\necho '{"ok": true}'\n`, { mode: 0o755 });
  }

  moments(): { type: string; payload: Record<string, unknown> }[] {
    const file = this.run.path("moments.log");
    const lines = fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : [];
    return lines.map((line) => {
      const at = line.indexOf(" ");
      return { type: line.slice(0, at), payload: JSON.parse(line.slice(at)) as Record<string, unknown> };
    });
  }

  notes(): string[] {
    return fs.readdirSync(path.join(this.run.runDir, "state")).filter((name) => name.startsWith("telling-"));
  }
}

describe("hooks of what an inbox records", () => {
  it("a decision calls on-task-complete, once, and says so in the journal", async () => {
    const inbox = await Inbox.begin();
    inbox.hook("on-task-complete");
    const effectId = await inbox.run.effectId();
    const journal = await inbox.run.journal();
    await decide(inbox.desk, journal, { effectId, decision: "approve", evidence: LOCAL });
    const again = await decide(inbox.desk, journal, { effectId, decision: "approve", evidence: LOCAL });
    expect(again.outcome).toBe("duplicate");
    await hooksCalled();
    const payload = { effectId, kind: "breakpoint", status: "ok" };
    expect(inbox.moments()).toMatchObject([{ type: "on-task-complete", payload }]);
    const told = await inbox.run.events("HOOK_DISPATCHED");
    expect(told.map((event) => event.payload)).toMatchObject([{ hookType: "on-task-complete", about: effectId }]);
    expect(inbox.notes()).toEqual([]);
  });

  it("a decision that is refused calls none, and leaves nothing behind", async () => {
    const inbox = await Inbox.begin({ session: "session-1" });
    inbox.hook("on-task-complete");
    const effectId = await inbox.run.effectId();
    const journal = await inbox.run.journal();
    const refused = decide(inbox.desk, journal, { effectId, decision: "approve", evidence: LOCAL });
    await expect(refused).rejects.toThrow("does not count");
    await hooksCalled();
    expect([inbox.moments(), inbox.notes()]).toEqual([[], []]);
  });

  it("whoever decides does not wait for a hook", async () => {
    const inbox = await Inbox.begin();
    const go = inbox.run.path("go");
    inbox.hook("on-task-complete", `until [ -e ${go} ]; do sleep 0.05; done\n${RECORDER}`);
    const effectId = await inbox.run.effectId();
    const words = { effectId, decision: "reject", feedback: "not yet", evidence: LOCAL } as const;
    const { result } = await decide(inbox.desk, await inbox.run.journal(), words);
    expect([result.approved, inbox.moments(), inbox.notes().length]).toEqual([false, [], 1]);
    fs.writeFileSync(go, "");
    await hooksCalled();
    expect([inbox.moments().length, inbox.notes()]).toEqual([1, []]);
  });

  it("of many decisions at once one is told of, without a warning", async () => {
    const warnings: Error[] = [];
    const listener = (warning: Error): void => void warnings.push(warning);
    process.on("warning", listener);
    onTestFinished(() => void process.off("warning", listener));
    const inbox = await Inbox.begin();
    inbox.hook("on-task-complete");
    const effectId = await inbox.run.effectId();
    const decisions = await Promise.allSettled(
      Array.from({ length: 30 }, async (_, n) =>
        decide(inbox.desk, await inbox.run.journal(), {
          effectId,
          decision: n % 2 === 0 ? "approve" : "reject",
          feedback: `because of ${n}`,
          evidence: LOCAL,
        }),
      ),
    );
    await hooksCalled();
    expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(inbox.moments()).toHaveLength(1);
    expect([warnings, inbox.notes()]).toEqual([[], []]);
  });

  it("a question that is asked calls on-run-start and on-breakpoint, once each", async () => {
    const payload = { question: "Deploy?" };
    const inbox = await Inbox.begin({ payload });
    for (const type of ["on-run-start", "on-breakpoint"]) inbox.hook(type);
    const { ports, project } = inbox.run;
    const place = { runsDir: inbox.run.path(".a5c", "runs"), projectRoot: project, env: inbox.desk.env };
    const journal = await askQuestion(ports, place, { payload, runId: "own" });
    await openBreakpoints(journal, localContextFiles);
    await hooksCalled();
    const [effectId] = Object.keys(journal.summary.pending);
    expect(inbox.moments()).toMatchObject([
      { type: "on-run-start", payload: { runId: "own" } },
      { type: "on-breakpoint", payload: { breakpointId: effectId, question: "Deploy?" } },
    ]);
  });
});
