/**
 * The session that the README shows. `npm run record` plays it and draws the picture; otherwise what the host shows today
 * is compared with the picture.
 */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Frame, movingPicture } from "../fixtures/terminal-picture.js";
import { HostProject } from "./rig/host-run.js";
import { type HostTerminal, openTerminal } from "./rig/host-terminal.js";
import { NEWEST_HOST } from "./rig/install-hosts.js";
import { callsTool, inTurn, type ModelRequest, type Reply, says } from "./rig/scripted-model.js";

const RECORDS = process.env["RECORD"] !== undefined;
const PICTURE = fileURLToPath(new URL("../../docs/images/session.svg", import.meta.url));
const SIZE = { columns: 100, rows: 34 };
const LABEL = "A session of Claude Code with Babysitter: a loop from its start to its verified end";

const CART = `export function total(items) {
  return items.reduce((sum, { price, count }) => sum + price, 0);
}

export function discount(sum, percent) {
  return sum - sum * percent;
}
`;
const TEST = `import { discount, total } from "./cart.js";

let failed = false;
function check(what, is, wanted) {
  console.log(is === wanted ? \`ok    \${what}\` : \`FAIL  \${what}: \${is}, not \${wanted}\`);
  failed ||= is !== wanted;
}
check("total counts every piece", total([{ price: 100, count: 2 }]), 200);
check("discount is a percentage", discount(200, 10), 180);
process.exitCode = failed ? 1 : 0;
`;
const TYPED = "/babysit Make the tests pass --criteria 'tests: node test.js' --max-iterations 20";

/** Lines of Babysitter's own; what the host says around them changes with its versions. */
const OURS = /(?:🔄|✅|goal:|ends:|limits:|to stop:|status:|clarity:|You said|Not met:|FAIL |Iterations:|Report:)/u;
/** What is never the same in them, once blanks are left out. */
const CHANGING: readonly [RegExp, string][] = [
  [/run-[\w-]+-loop-\w{6}/gu, "<run>"],
  [/DONE-\w{6}/gu, "<promise>"],
  [/[\d.,]+(?=ms|s,|tokens)/gu, "<n>"],
  [/\$[\d.]+/gu, "$<n>"],
];

class Session {
  readonly frames: Frame[] = [];
  /** Of all frames. */
  readonly lines: string[] = [];
  readonly terminal: HostTerminal;

  constructor(terminal: HostTerminal) {
    this.terminal = terminal;
  }

  take(ms: number): void {
    const rows = this.terminal.looks.map((runs) => runs.map((run) => ({ ...run, text: drawable(run.text) })));
    this.frames.push({ rows, ms });
    this.lines.push(...this.terminal.text.split("\n"));
  }

  /** Where the picture is there already: as soon as our lines are those of it. A screen may be half painted. */
  async takeWhen(wanted: string, ms: number): Promise<void> {
    await this.terminal.shows(wanted);
    if (!RECORDS)
      await this.terminal.until(() => missingIn(this.terminal.text).length === 0, "the lines of the picture");
    this.take(ms);
  }
}

/** Few fonts have these characters, and nobody wants to know where the test was. */
function drawable(text: string): string {
  return text
    .replaceAll("⎿", "└")
    .replaceAll("⏵", "›")
    .replaceAll(/\S+\/project\b/gu, "~/shop");
}

function steady(text: string): string {
  // Emoji are drawn in the picture, and are no text there.
  return CHANGING.reduce((before, [what, name]) => before.replaceAll(what, name), text.replaceAll(/[\s🔄✅]/gu, ""));
}

/** Everything that the picture says, one frame after the other. */
function textOf(svg: string): string {
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/gu)].map(([, text = ""]) => text);
  return texts.join("").replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

/** Lines of ours that the picture does not have. */
function missingIn(text: string): string[] {
  const shown = steady(textOf(fs.readFileSync(PICTURE, "utf8")));
  return text.split("\n").filter((line) => OURS.test(line) && !shown.includes(steady(drawable(line))));
}

function edit(file: string, from: string, to: string): Reply {
  return callsTool("Edit", { file_path: file, old_string: from, new_string: to });
}

function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test("the picture in the README shows what a session shows", async () => {
  const [version] = NEWEST_HOST;
  const project = new HostProject(
    version,
    { "cart.js": CART, "test.js": TEST, "package.json": '{"type":"module"}\n' },
    { shipped: true },
  );
  const file = project.path("cart.js");
  let promise = "";
  const claims = (text: string) => () => says(`${text}\n\n${promise}`);
  const replies: ((request: ModelRequest) => Reply)[] = [
    (request) => {
      promise = /<promise>[^<]+<\/promise>/u.exec(request.news)?.[0] ?? "";
      return callsTool("Read", { file_path: file });
    },
    () => edit(file, "sum + price,", "sum + price * count,"),
    claims("The total is right now, so the tests pass."),
    () => edit(file, "sum * percent", "(sum * percent) / 100"),
    claims("Both functions are fixed, and every test passes."),
  ];
  const turns = replies.map((reply) => ({ reply, ...gate() }));
  const scenario = inTurn(
    turns.map(
      ({ reply, opened }) =>
        async (request) => (await opened, reply(request)),
    ),
  );
  const options = { sessionId: randomUUID(), prompt: "", permissionMode: "acceptEdits", scenario, ...SIZE };
  const terminal = await openTerminal(project, options);
  const session = new Session(terminal);
  const goOn = (turn: number): void => turns[turn]?.open();
  await terminal.shows("❯");
  for (const part of TYPED.match(/.{1,16}/gu) ?? []) {
    terminal.press(part);
    await terminal.shows(part.trim().slice(-4));
  }
  // It begins with something to read: an empty terminal says nothing.
  session.take(2_000);
  await terminal.pressUntil("\r", "🔄 Babysitter loop");
  await terminal.until(() => terminal.model.main.length > 0, "the first request");
  await session.takeWhen("limits:", 3_000);
  goOn(0);
  goOn(1);
  await terminal.until(() => terminal.model.main.length > 2, "the first change");
  await session.takeWhen("price * count", 2_500);
  goOn(2);
  await session.takeWhen("Not met: tests", 5_500);
  goOn(3);
  await terminal.until(() => terminal.model.main.length > 4, "the second change");
  await session.takeWhen("/ 100", 2_500);
  goOn(4);
  await session.takeWhen("done and verified: tests.", 500);
  await session.takeWhen("Report:", 7_000);
  const ours = session.lines.filter((line) => OURS.test(line));
  expect(new Set(ours).size).toBeGreaterThan(8);
  if (RECORDS) fs.writeFileSync(PICTURE, movingPicture(session.frames, { ...SIZE, label: LABEL }));
  expect(missingIn(ours.join("\n"))).toEqual([]);
});
