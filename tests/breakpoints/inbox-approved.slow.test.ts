/** What was approved last is there to compare with, in the next run that asks about the same files. */
import { describe, expect, it } from "vitest";
import type { FilePage } from "../../packages/breakpoints/src/wire/inbox-wire.js";
import { InboxScene } from "../fixtures/breakpoints/inbox-scene.js";

const scene = new InboxScene({
  "plan.md": "first\n",
  "notes.md": "same\n",
  "p.mjs": `export async function process(inputs, ctx) {
  const files = ["plan.md", "notes.md", "new.md"];
  return (await ctx.breakpoint({ question: "Is this the plan?", context: { files } }, { onReject: "return" })).approved;
}
`,
});
const { project } = scene;

async function askAbout(runId: string, text: string): Promise<string> {
  project.write({ "plan.md": text });
  await project.create("p.mjs#process", runId);
  const { nextActions } = await project.ask(["run:iterate", runId]);
  return nextActions[0]?.effectId as string;
}

async function decide(id: string, decision: "approve" | "reject"): Promise<void> {
  const { shown } = await scene.detail(id);
  const reply = await scene.browser.post(`/api/questions/${id}/decision`, { decision, feedback: "…", shown });
  expect(reply.status).toBe(200);
}

describe("the last approved version", () => {
  it("B2: is what a file is compared with, named by when and by whom; a file that is the same is said to be", async () => {
    const first = await askAbout("one", "first\n");
    expect((await scene.detail(first)).files.map(({ comparisons }) => comparisons)).toEqual([[], [], []]);
    expect((await scene.browser.get(`/api/questions/${first}/files/0?side=approved`)).status).toBe(404);
    await decide(first, "approve");
    await decide(await askAbout("two", "refused\n"), "reject");
    project.write({ "new.md": "new\n" });
    const third = await askAbout("three", "third\n");
    const { user } = await scene.browser.read<{ user: string }>("/api/me");
    const { decidedAt = "" } = await scene.detail(first);
    const label = `${decidedAt.slice(0, 16).replace("T", " ")} UTC by ${user}`;
    const { files } = await scene.detail(third);
    expect(files.map(({ path, comparisons }) => [path, comparisons])).toEqual([
      ["plan.md", [{ side: "approved", label, bytes: 6 }]],
      ["notes.md", [{ side: "approved", label, bytes: 5, unchanged: true }]],
      ["new.md", [{ side: "approved", label, refused: "missing" }]],
    ]);
    const read = (n: number, side: string): Promise<FilePage> =>
      scene.browser.read(`/api/questions/${third}/files/${n}?side=${side}`);
    expect((await read(0, "approved")).text).toBe("first\n");
    expect((await read(0, "file")).text).toBe("third\n");
    expect((await read(1, "approved")).text).toBe("same\n");
    expect((await scene.browser.get(`/api/questions/${third}/files/2?side=approved`)).status).toBe(404);
  });

  it("B2: pages of files are those of the version that the question has named, whatever is approved meanwhile", async () => {
    await decide(await askAbout("four", "fourth\n"), "approve");
    const open = await askAbout("five", "fifth\n");
    const [named] = (await scene.detail(open)).files;
    await decide(await askAbout("six", "sixth\n"), "approve");
    const page = await scene.browser.read<FilePage>(`/api/questions/${open}/files/0?side=approved`);
    expect([named?.comparisons[0]?.bytes, page.text]).toEqual([7, "fourth\n"]);
  });
});
