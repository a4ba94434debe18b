/** What an agent may say to be done, and what is only talk about it: through the hook, from message and transcript. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { HostSession, rows } from "../fixtures/hosts/host-session.js";
import { Project } from "../fixtures/project.js";

const PROMISE = "ALL  DONE [x]*";
const TASK = `Do it. When you are done, output:\n<promise>${PROMISE}</promise>`;
const SAID = `<promise>${PROMISE}</promise>`;
const DETECTED = `✅ Babysitter run: Detected <promise>${PROMISE}</promise>`;

async function looped(): Promise<{ session: HostSession; runId: string }> {
  const session = new HostSession(new Project());
  return { session, runId: await session.startLoop(TASK, ["--completion-promise", PROMISE]) };
}

describe("the promise in the last message", () => {
  it("L4: exact, case-sensitive, no globbing; not in quotes, fences, prompts or negations", async () => {
    const { session, runId } = await looped();
    const talk = [
      PROMISE,
      `I will not output ${SAID} yet.`,
      `"${SAID}"`,
      `> ${SAID}`,
      `When done I say:\n\n\`\`\`\n${SAID}\n\`\`\``,
      `    ${SAID}`,
      `The tag is \`${SAID}\``,
      "<promise>ALL DONE [x]</promise>",
      "<promise>ALL DONE ?x?*</promise>",
      "<promise>*</promise>",
      "<promise>all done [x]*</promise>",
      "<promise></promise>",
      `<PROMISE>${PROMISE}</PROMISE>`,
      `<promise>${PROMISE}`,
      `- ${SAID}`,
    ];
    for (const [index, says] of talk.entries()) {
      // Something happens in every turn, or the loop would be paused for standing still.
      session.project.write({ "work.txt": String(index) });
      expect({ says, decision: (await session.stop(says)).decision }).toEqual({ says, decision: "block" });
    }
    expect(new Set(session.codes(runId))).toEqual(new Set(["continue_loop"]));
    expect(session.stops(runId)).toHaveLength(talk.length);
  });

  it.each([
    ["alone", SAID],
    ["at the end of a text", `Everything works.\n\n${SAID}\n`],
    ["closing a sentence", `Everything works. ${SAID}`],
    ["with other white space", "<promise>\n  ALL DONE\t[x]*\n</promise>"],
    ["with CRLF", `Done.\r\n\r\n<promise>ALL\r\nDONE [x]*</promise>\r\n`],
    ["before more text", `${SAID}\n\nHave a nice day.`],
    ["as the last of several", `<promise>OTHER</promise>\n\n${SAID}`],
  ])("L4: whitespace-normalised: it counts %s", async (_, says) => {
    const { session, runId } = await looped();
    const { decision, systemMessage } = await session.stop(says);
    expect([decision, systemMessage?.split("\n")[0]]).toEqual([undefined, DETECTED]);
    expect(session.stops(runId)).toMatchObject([
      { decision: "approve", reason: "promise_matched", hasPromise: true, ended: "claim", iteration: 1 },
    ]);
    expect(fs.existsSync(session.file)).toBe(false);
  });
});

describe("the promise in the transcript", () => {
  it("L4: across text blocks: an earlier block of the last words counts", async () => {
    const { session } = await looped();
    session.writes(rows.prompt(TASK), rows.calls(), rows.result("ok"));
    session.writes(rows.says(`Finished.\n\n${SAID}`, "msg_2"), rows.says("Bye.", "msg_2"));
    expect((await session.stop("Bye.")).systemMessage).toContain(DETECTED);
  });

  it("L4: a claim before a tool call does not count, nor one that the transcript has before a last message that it lacks", async () => {
    const { session, runId } = await looped();
    session.writes(rows.prompt(TASK), rows.says(`Finished.\n\n${SAID}`));
    const lacking = await session.stop("Not finished.");
    expect(lacking.reason).toContain("not in the last words of your turn");
    session.writes(rows.calls(), rows.result("red"), rows.says("Not finished.", "msg_2"));
    const withdrawn = await session.stop("Not finished.");
    expect(withdrawn.reason).toContain("not in the last words of your turn");
    expect(session.codes(runId)).toEqual(["continue_loop", "continue_loop"]);
  });

  it("L4: what others said does not count: the user, a hook, a subagent, a tool, an earlier turn", async () => {
    const { session, runId } = await looped();
    const sub = { ...rows.says(`Done.\n${SAID}`), isSidechain: true };
    session.writes(rows.prompt("First."), rows.says(`Done.\n\n${SAID}`), rows.prompt(TASK), rows.feedback(SAID), sub);
    session.writes(rows.calls(), rows.result(SAID), rows.says("Working."));
    expect(await session.stop("Working.")).toMatchObject({ decision: "block" });
    session.writes(rows.feedback(`Go on.\n${SAID}`), rows.says("Still working."));
    expect(await session.stop("Still working.")).toMatchObject({ decision: "block" });
    expect(session.codes(runId)).toEqual(["continue_loop", "continue_loop"]);
  });

  it("L4: the transcript may be late: what is written while the hook waits still counts", async () => {
    const { session } = await looped();
    session.writes(rows.prompt(TASK));
    const late = [rows.calls(), rows.says(`Finished.\n\n${SAID}`), rows.says("Bye.")];
    const env = await writesLate(session, late);
    const { systemMessage } = await session.hook("stop", { last_assistant_message: "Bye." }, { env });
    expect(systemMessage).toContain(DETECTED);
  });

  it("L4: without a message from the host the transcript alone is read, in the host's format and in the seed's", async () => {
    const plain = (role: string, text: string): object => ({
      type: "message",
      role,
      message: { type: "message", content: [{ type: "text", text }] },
    });
    for (const last of [
      [rows.prompt(TASK), rows.says(`Finished.\n\n${SAID}`)],
      [plain("user", TASK), plain("assistant", "I'll build it."), plain("assistant", `Finished!\n\n${SAID}`)],
    ]) {
      const { session, runId } = await looped();
      session.writes(...last);
      const { decision } = await session.stop(undefined, { last_assistant_message: undefined });
      expect([decision, session.codes(runId)]).toEqual([undefined, ["promise_matched"]]);
    }
  });

  it("L4: garbage, a torn last line and a line of half a megabyte do not hide it", async () => {
    const { session } = await looped();
    session.writes(rows.prompt(TASK), rows.result("x".repeat(512 * 1024)));
    session.writes(rows.says(`Finished.\n\n${SAID}`), rows.says("Bye."));
    fs.appendFileSync(session.transcript, '\0\nnot json\n[1]\n{"type":"assist');
    expect((await session.stop("Bye.")).systemMessage).toContain(DETECTED);
  });

  it.each(["a folder", "a pipe nobody writes to", "a link to a device"])(
    "a transcript that is %s is waited for no longer than any other",
    async (kind) => {
      const { session, runId } = await looped();
      const file = path.join(session.project.root, "transcript.jsonl");
      if (kind === "a folder") fs.mkdirSync(file);
      else if (kind === "a link to a device") fs.symlinkSync("/dev/zero", file);
      else await run("mkfifo", [file]);
      expect(await session.stop("Working.", { transcript_path: file })).toMatchObject({ decision: "block" });
      expect(session.codes(runId)).toEqual(["continue_loop"]);
    },
  );
});

/**
 * A process of its own writes the rest of the transcript when the hook has looked at it for the first time; a small
 * module that is loaded before the hook tells of that. Answers the environment for the hook.
 */
async function writesLate(session: HostSession, late: object[]): Promise<Record<string, string>> {
  const [mark, tellTale] = ["looked", "tell-tale.cjs"].map((name) => path.join(session.project.root, name)) as [
    string,
    string,
  ];
  fs.writeFileSync(
    tellTale,
    `const fs = require("node:fs");
const { openSync, closeSync } = fs;
let watched;
fs.openSync = (file, ...rest) => {
  const fd = openSync(file, ...rest);
  if (file === ${JSON.stringify(session.transcript)}) watched = fd;
  return fd;
};
fs.closeSync = (fd) => {
  closeSync(fd);
  if (fd !== watched) return;
  watched = undefined;
  fs.writeFileSync(${JSON.stringify(mark)}, "");
};
`,
  );
  const program = `
    const fs = require("node:fs");
    const [mark, file, text] = process.argv.slice(1);
    const timer = setInterval(() => {
      if (!fs.existsSync(mark)) return;
      clearInterval(timer);
      fs.appendFileSync(file, text);
    }, 2);
    process.stdout.write("ready");
  `;
  const text = late.map((row) => `${JSON.stringify(row)}\n`).join("");
  const args = ["-e", program, mark, session.transcript, text];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return { NODE_OPTIONS: `--require ${tellTale}` };
}

async function run(program: string, args: string[]): Promise<void> {
  await new Promise((resolve) => spawn(program, args, { stdio: "ignore" }).once("close", resolve));
}
