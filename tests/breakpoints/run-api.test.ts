/** Runs as the pages of the inbox see and change them. */
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type {
  EventPage,
  IntegrityView,
  RunChanged,
  RunDetail,
  RunFileList,
} from "../../packages/breakpoints/src/wire/run-wire.js";
import { type JournalEvent, stateAfter, statusOf, timelineOf } from "../../packages/sdk/src/view.js";
import { InboxScene } from "../fixtures/breakpoints/inbox-scene.js";

const scene = new InboxScene({
  "p.mjs": `const shell = (title, command) => ({ kind: "shell", title, shell: { command } });
export async function process(inputs, ctx) {
  await ctx.task(shell("build", "echo built; mkdir -p out"));
  await ctx.parallel.all([() => ctx.task(shell("lint", "true")), () => ctx.task(shell("test", inputs.test))]);
  return { long: "x".repeat(5_000) };
}
`,
});
const { project } = scene;
const get = <T>(target: string): Promise<T> => scene.browser.read<T>(`/api/runs/${target}`);
const change = (run: string, body: object) => scene.browser.post(`/api/runs/${run}/change`, body);

async function drive(runId: string, test: string): Promise<void> {
  await project.run(["run", "p.mjs", "--run-id", runId, "--inputs", JSON.stringify({ test }), "--no-hooks"]);
  // The server hears of a new run by itself; a page may be faster.
  for (let looks = 0; (await scene.browser.get(`/api/runs/${runId}`)).status !== 200; looks += 1)
    if (looks > 600) throw new Error("The server does not see the run.");
}

describe("runs in the inbox", () => {
  beforeAll(async () => {
    await drive("good", "true");
    await drive("bad", "echo broken; exit 3");
  });

  it("B7: where it stands, every event, the state after any of them, and its files", async () => {
    const run = await get<RunDetail>("good");
    expect(run).toMatchObject({ id: "good", state: "completed", ways: [], drivenBy: null, error: null, loop: null });
    expect(run.output).toContain("xxx");
    const { events, total } = await get<EventPage<JournalEvent>>("good/events");
    expect([events.length, total, run.events]).toEqual([total, total, total]);
    expect(timelineOf(events, new Date()).spans.map(({ title, state }) => [title, state])).toEqual([
      ["build", "ok"],
      ["lint", "ok"],
      ["test", "ok"],
    ]);
    const states = events.map(({ seq }) => stateAfter(events, seq)).map((state) => state && statusOf(state));
    expect([states[0], states.at(-1)]).toEqual(["created", "completed"]);
    expect((await get<EventPage>(`good/events?after=${total - 2}`)).events).toHaveLength(2);
    // A long value comes only with its own event.
    expect(JSON.stringify(events)).not.toContain("xxxx");
    expect(JSON.stringify(await get(`good/events/${total}`))).toContain("xxxx");

    const { files } = await get<RunFileList>("good/files");
    const log = files.find(({ kind, path: name }) => kind === "log" && name.endsWith("stdout.log"));
    const reply = await scene.browser.get(`/api/runs/good/file?path=${encodeURIComponent(log?.path ?? "")}`);
    expect([reply.text, reply.headers["content-type"]]).toEqual(["built\n", "application/octet-stream"]);
    expect(await get<IntegrityView>("good/integrity")).toMatchObject({ ok: true, events: total, findings: [] });
  });

  it("B7: the page of a run opens by its address, whatever dots its name has; a file that is not there is missing", async () => {
    const status = async (target: string): Promise<number> => (await scene.browser.get(target)).status;
    expect([await status("/runs/release-2.4.0"), await status("/questions/a.b")]).toEqual([200, 200]);
    expect([await status("/runs/a/b.js"), await status("/assets/none.js")]).toEqual([404, 404]);
  });

  it("B7: a failed run says which command gets it on; retry, fork and cancel append events, and nobody runs its code", async () => {
    const run = await get<RunDetail>("bad");
    expect(run).toMatchObject({ state: "failed", drivenBy: null });
    expect(run.ways[0]?.command).toMatch(/^babysitter run\S* bad/u);
    const before = run.events;
    const retried = (await change("bad", { change: "retry" })).json() as unknown as RunChanged;
    expect(retried.run.events).toBeGreaterThan(before);
    expect(retried.run.ways).toEqual([{ command: "babysitter run bad" }]);
    const forked = (await change("bad", { change: "fork", at: 3 })).json() as unknown as RunChanged;
    expect(fs.existsSync(path.join(project.runsDir, forked.forked ?? "?"))).toBe(true);
    const cancelled = (await change("bad", { change: "cancel", reason: "enough" })).json() as unknown as RunChanged;
    expect(cancelled.run).toMatchObject({ state: "cancelled" });
  });

  it.each<[object, number]>([
    [{}, 400],
    [{ change: "execute" }, 400],
    [{ change: "__proto__" }, 400],
    [{ change: "fork" }, 400],
    [{ change: "fork", at: "1" }, 400],
    [{ change: "fork", at: 10_000 }, 400],
    [{ change: "resume", reason: "x" }, 400],
    [{ change: "cancel", reason: "" }, 400],
  ])("a change that makes no sense is refused: %j", async (body, status) => {
    expect((await change("good", body)).status).toBe(status);
  });

  it("other names, numbers and paths lead nowhere, and without a sign-in there is nothing", async () => {
    for (const target of ["nobody", "..%2f..", "good/events/0", "good/events/999", "good/file?path=../good/run.json"])
      expect([target, (await scene.browser.get(`/api/runs/${target}`)).status >= 400]).toEqual([target, true]);
    for (const name of ["/etc/passwd", "journal/../run.json", "inputs.json", "tasks/../../bad/run.json", ""]) {
      const reply = await scene.browser.get(`/api/runs/good/file?path=${encodeURIComponent(name)}`);
      expect([name, reply.status >= 400]).toEqual([name, true]);
    }
    const stranger = await scene.server.request({ path: "/api/runs/good", port: scene.server.uiPort });
    expect(stranger.status).toBe(401);
  });

  it("what happens while somebody looks is there with the next question, however often they have asked", async () => {
    await project.create("p.mjs", "grows", ["--inputs", JSON.stringify({ test: "true" })]);
    for (let looks = 0; (await scene.browser.get("/api/runs/grows")).status !== 200; looks += 1)
      if (looks > 600) throw new Error("The server does not see the run.");
    const before = await get<EventPage<JournalEvent>>("grows/events");
    await project.ask(["run:iterate", "grows"]);
    const { events: known } = await get<RunDetail>("grows");
    expect(known).toBeGreaterThan(before.total);
    const after = await get<EventPage<JournalEvent>>("grows/events");
    expect(after.events.map(({ seq }) => seq)).toEqual(Array.from({ length: known }, (_, index) => index + 1));
  });

  it("a damaged journal is told, with the file", async () => {
    await drive("hurt", "true");
    const journal = path.join(project.runsDir, "hurt", "journal");
    const file = path.join(journal, fs.readdirSync(journal).toSorted()[1] as string);
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("build", "BUILD"));
    const integrity = await get<IntegrityView>("hurt/integrity");
    expect(integrity.ok).toBe(false);
    expect(integrity.findings.map(({ file: name }) => name)).toContain(`journal/${path.basename(file)}`);
  });
});
