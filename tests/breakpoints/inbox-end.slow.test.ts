/** How the server ends: with what it owes done, and in any case. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { InboxServer } from "../fixtures/breakpoints/inbox-server.js";
import { until } from "../fixtures/processes.js";
import { Project } from "../fixtures/project.js";

/** Notes that it has begun, waits until it may go on, and notes that it was called. */
const HOOK = `#!/bin/sh
touch "$REPO_ROOT/begun"
until [ -e "$REPO_ROOT/go" ]; do sleep 0.05; done
echo "$HOOK_TYPE" >> "$REPO_ROOT/moments.log"
echo '{"ok": true}'
`;

/** A server that was told to end while the hook of a decision runs. */
async function endWhileHookRuns(): Promise<{ project: Project; ended: Promise<void>; server: InboxServer }> {
  const project = new Project({ ".a5c/hooks/on-task-complete/hook.sh": HOOK });
  fs.chmodSync(project.path(".a5c/hooks/on-task-complete/hook.sh"), 0o755);
  onTestFinished(() => project.write({ go: "" }));
  const server = await InboxServer.start(project, { env: { REPO_ROOT: project.dir } });
  const asked = (await server.post("/api/breakpoints", { question: "Go?" })).json();
  const id = asked["breakpointId"] as string;
  const answer = await server.post(`/api/breakpoints/${id}/feedback`, {
    feedback: "yes",
    release: true,
    author: "ada",
  });
  expect(answer.status).toBe(200);
  await until(() => fs.existsSync(project.path("begun")));
  return { project, ended: server.kill("SIGTERM"), server };
}

function isNoted(project: Project): boolean {
  return fs.existsSync(path.join(project.home, ".a5c", "inbox", "server.json"));
}

/** The notes by which the next command knows which hooks were not called to the end. */
function owed(project: Project): string[] {
  const names = fs.readdirSync(project.runsDir, { recursive: true, encoding: "utf8" });
  return names.filter((name) => path.basename(name).startsWith("telling-"));
}

describe("the server that is told to end", () => {
  it("waits for the hooks of the last decision", async () => {
    const { project, ended, server } = await endWhileHookRuns();
    await until(() => !isNoted(project));
    // First nobody is led here any more, then nobody is let in.
    const health = (): Promise<string> => server.get("/health").then(({ text }) => text, String);
    await expect.poll(health, { timeout: 10_000 }).toMatch(/ECONNREFUSED|ECONNRESET/u);
    project.write({ go: "" });
    await ended;
    expect([server.exitCode, server.log]).toEqual([0, ""]);
    expect(project.read("moments.log")).toBe("on-task-complete\n");
    expect(owed(project)).toEqual([]);
  });

  it("does not wait for a hook that does not end", async () => {
    const { project, ended, server } = await endWhileHookRuns();
    await ended;
    expect([server.exitCode, fs.existsSync(project.path("moments.log"))]).toEqual([0, false]);
    expect(owed(project)).toHaveLength(1);
  });
});
