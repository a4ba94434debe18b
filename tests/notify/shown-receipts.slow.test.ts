/** Receipts where people look anyway: `breakpoint:show` and `doctor`. Nothing there may break these commands. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { SeenQuestions } from "../../packages/sdk/src/inbox/seen-questions.js";
import { NotifyScene } from "../fixtures/notify/notify-scene.js";

interface Finding {
  check: string;
  level: string;
  text: string;
}

async function notifications(scene: NotifyScene): Promise<Finding[]> {
  const { stdout } = await scene.project.run(["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return findings.filter(({ check }) => check === "notifications");
}

describe("receipts in breakpoint:show and doctor", () => {
  it("B9: say what is known of a notification, and nothing where nobody is notified", async () => {
    const scene = new NotifyScene();
    const { project, outbox } = scene;
    const id = await scene.ask("r");
    const subjects = [`question:${id}`];
    const silent = await project.run(["breakpoint:show", id]);
    expect({ code: silent.code, told: silent.stdout.includes("channel:") }).toEqual({ code: 0, told: false });
    expect(await notifications(scene)).toEqual([]);
    scene.enable("telegram", { token: "1:a-secret-token" });
    const channel = "telegram";
    outbox.note({ type: "QUEUED", channel, subject: `question:${id}`, due: new Date().toISOString() });
    outbox.note({ type: "SENDING", channel, message: "m", kind: "questions", subjects, attempt: 1, repeat: false });
    outbox.note({ type: "ACCEPTED", message: "m" });
    expect((await project.run(["breakpoint:show", id])).stdout).toMatch(
      /channel: Telegram: accepted at .*not tapped yet/u,
    );
    new SeenQuestions({ home: scene.home, now: () => new Date() }).note(id);
    expect((await project.run(["breakpoint:show", id])).stdout).toMatch(
      /Telegram: sent at .*, opened in the inbox at/u,
    );
    outbox.note({ type: "ACKNOWLEDGED", channel, subjects, how: "a button" });
    const shown = await project.ask(["breakpoint:show", id]);
    expect(shown).toMatchObject({ receipts: [{ channel, state: "acknowledged", why: "a button" }] });
    expect(await notifications(scene)).toMatchObject([
      { level: "warning", text: expect.stringContaining("nothing is sent by Telegram") as string },
      { level: "warning", text: expect.stringContaining("does not know your chat yet") as string },
    ]);
    expect((await project.run(["doctor"])).stdout).not.toContain("a-secret-token");
  });

  it.each([
    ["garbage", (file: string) => fs.writeFileSync(file, "\u0000{not json\n[]\n")],
    ["a folder", (file: string) => fs.mkdirSync(file)],
    ["a pipe that nobody writes to", (file: string) => execFileSync("mkfifo", [file])],
    [
      "something of another shape",
      (file: string) => fs.writeFileSync(file, '{"telegram":{"since":1}}\n{"type":"QUEUED"}\n'),
    ],
  ])("B9: go on when there is %s in the place of what the inbox keeps", async (_, spoil) => {
    const scene = new NotifyScene();
    const id = await scene.ask("r");
    const folder = path.join(scene.home, "inbox");
    fs.mkdirSync(folder, { recursive: true });
    for (const name of ["channels.json", "outbox.jsonl", "chats.jsonl", "seen.jsonl"]) spoil(path.join(folder, name));
    const { code, stdout, stderr } = await scene.project.run(["breakpoint:show", id]);
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: "", stdout: expect.stringContaining(id) as string });
    expect(await notifications(scene)).toMatchObject([
      { level: "warning", text: expect.stringContaining("channels.json") as string },
    ]);
  });
});
