/** Every example verifies itself; here all of them are run, side by side. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { CLI, execute } from "../fixtures/command-line.js";
import { makeTempDir, removeTempDir } from "../fixtures/temp-dir.js";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
let home: string;
const NAMES = [
  "01-hello",
  "02-parallel",
  "03-breakpoint",
  "04-sleep",
  "05-retry-and-failure",
  "06-agent-command",
  "07-loop",
  "08-release",
  "09-bad-json",
  "10-night-shift",
] as const;

/** What the example's own verification says. */
async function verify(name: (typeof NAMES)[number]): Promise<string> {
  const script = path.join(EXAMPLES, name, "verify.mjs");
  const { code, stdout, stderr } = await execute(process.execPath, [script], {
    cwd: home,
    home,
    env: { BABYSITTER_CLI: CLI },
  });
  return `${stdout}${stderr}exit ${code}`;
}

beforeAll(() => {
  home = makeTempDir();
  return () => removeTempDir(home);
});

describe.concurrent("the examples", () => {
  it("C6: node and shell tasks, a question and a sleep lead to a published summary", async () => {
    expect(await verify("01-hello")).toBe("ok 01-hello\nexit 0");
  });

  it("C9: batches are asked for at once, keep order and limit, and fail after the rest has ended", async () => {
    expect(await verify("02-parallel")).toBe("ok 02-parallel\nexit 0");
  });

  it("C21: a driven run takes answers from outside and from policies, and overlooks no rejection", async () => {
    expect(await verify("03-breakpoint")).toBe("ok 03-breakpoint\nexit 0");
  });

  it("C21: a run that was interrupted while it slept is driven on", async () => {
    expect(await verify("04-sleep")).toBe("ok 04-sleep\nexit 0");
  });

  it("C6: a failure reports what is known about it, and only the failed step is retried", async () => {
    expect(await verify("05-retry-and-failure")).toBe("ok 05-retry-and-failure\nexit 0");
  });

  it("C21: an agent's answer that does not fit is repaired by its second try", async () => {
    expect(await verify("06-agent-command")).toBe("ok 06-agent-command\nexit 0");
  });

  it("L10: wrong claims are refused, the true one ends the loop", async () => {
    expect(await verify("07-loop")).toBe("ok 07-loop\nexit 0");
  });

  it("C6 C9 C22: a release checklist waits for a decision about its notes, and an upload is tried until it works", async () => {
    expect(await verify("08-release")).toBe("ok 08-release\nexit 0");
  });

  it("C6: an agent that stops in the middle of its JSON is asked again, and one that always does is a failure to catch", async () => {
    expect(await verify("09-bad-json")).toBe("ok 09-bad-json\nexit 0");
  });

  it("C9 C21: two hundred tasks at once, a sleep that is interrupted, and hooks that are called once", async () => {
    expect(await verify("10-night-shift")).toBe("ok 10-night-shift\nexit 0");
  });
});

it("every folder of examples is verified here and explained in its README", () => {
  const folders = fs.readdirSync(EXAMPLES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).toSorted()).toEqual(NAMES);
  for (const name of NAMES) {
    const text = fs.readFileSync(path.join(EXAMPLES, name, "README.md"), "utf8");
    expect(text).toMatch(
      new RegExp(
        `babysitter run examples/${name}/process.mjs|node examples/${name}/play.mjs|cd examples/${name}\nbabysitter run`,
      ),
    );
  }
});
