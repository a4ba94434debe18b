/** What people do to a run on its page, who may, and what the page says about runs that are not as they should be. */
import fs from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeRun } from "../fixtures/breakpoints/many-questions.js";
import { newPerson, startChrome } from "../fixtures/browser/chrome.js";
import { addNight } from "../fixtures/browser/night.js";
import { button, chip, RunPages } from "../fixtures/browser/run-pages.js";
import { STEP_PROCESS, StepRuns } from "../fixtures/browser/step-runs.js";
import { WebInbox } from "../fixtures/browser/web-inbox.js";
import { MORNING } from "../fixtures/runs/nights.js";

const THROWING = `export async function process() {
  const files = Array.from({ length: 10 }, (_, n) => "\\u001b[31mfile-" + n + ".ts\\u001b[39m");
  throw new Error(["\\u001b[1m10 files differ\\u001b[22m", ...files].join("\\n"));
}
`;
const BROKEN = { title: "test", command: "seq 1 5; seq 101 140 >&2; exit 3" };

/** So long that events come without it. */
const longStep = (letter: string) => ({ title: "long", command: `: ${letter.repeat(3_000)}` });

let browser: Browser;
let inbox: WebInbox;
let pages: RunPages;
let person: BrowserContext;
let page: Page;

beforeAll(async () => {
  [browser, inbox] = await Promise.all([startChrome(), WebInbox.start({ ...STEP_PROCESS, "throwing.mjs": THROWING })]);
  pages = new RunPages(inbox);
  const runs = new StepRuns(inbox);
  const built = { title: "build", command: "true" };
  await Promise.all([
    runs.finish("bad", { steps: [built, BROKEN] }),
    runs.finish("stale", { steps: [BROKEN] }),
    runs.finish("good", { steps: [built, { title: "test", command: "true" }], output: { tests: 12 } }),
    runs.finish("hurt", { steps: [built] }),
    runs.finish("unknown", { steps: [built] }),
    runs.finish("kept", { steps: [built] }),
    runs.finish("lost", { steps: [built] }),
    runs.finish("long-a", { steps: [longStep("a")] }),
    runs.finish("long-b", { steps: [longStep("b")] }),
    runs.finish("long-c", { steps: [longStep("a")] }),
    inbox.project.run(["run", "throwing.mjs", "--run-id", "threw", "--no-hooks"]),
    changedOnTheWay("changed"),
  ]);
  await writeRun(inbox.project.runsDir, { runId: "newer", questions: ["Sow?"], newer: "99.0.0" });
  const goal = { at: MORNING - 30, goal: "Make it fast", happens: [{ what: "turn" as const, usd: 1 }] };
  await addNight(inbox.project, [
    { name: "loop", ...goal },
    { name: "agents", ...goal },
  ]);
  person = await newPerson(browser);
  page = await inbox.signIn(person);
});
afterAll(async () => {
  await Promise.all([browser.close(), inbox.end()]);
});

/** Its code is another one when it goes on. */
async function changedOnTheWay(runId: string): Promise<void> {
  const { project } = inbox;
  const code = (more: string): string => `export async function process(inputs, ctx) {
  await ctx.task({ kind: "agent", title: "plan", agent: { prompt: "do" } });
  ${more}await ctx.breakpoint({ question: "Deploy?" });
}
`;
  project.write({ "changing.mjs": code("") });
  await project.create("changing.mjs", runId);
  await project.ask(["run:iterate", runId]);
  const { tasks } = await project.ask(["task:list", runId, "--pending"]);
  await project.post(runId, tasks[0]?.effectId ?? "", "planned");
  project.write({ "changing.mjs": code('ctx.log("a new line"); ') });
  await project.ask(["run:iterate", runId]);
}

/** Answers the file that was changed. */
function tamperWith(runId: string): string {
  const journal = path.join(inbox.project.runDir(runId), "journal");
  const name = fs.readdirSync(journal).toSorted()[1] as string;
  const file = path.join(journal, name);
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("build", "BUILD"));
  return name;
}

const types = (runId: string): string[] => inbox.project.events(runId).map(({ type }) => type);
const command = (text: string) => page.locator(".command").getByText(text);

describe("what went wrong", () => {
  it("B7: stands above everything else, with the last 30 lines, and leads to the whole log", async () => {
    await pages.open(page, "bad");
    const red = page.getByRole("region", { name: "test failed" });
    await red.locator(".log-tail code").nth(29).waitFor();
    const lines = await red.locator(".log-tail code").allTextContents();
    expect(lines.map((line) => line.trim())).toEqual(Array.from({ length: 30 }, (_, n) => String(111 + n)));
    const tops = await page.evaluate(() =>
      [".red-first", ".run-actions", ".run-next", ".run-tabs"].map(
        (name) => document.querySelector(name)?.getBoundingClientRect().top ?? Number.NaN,
      ),
    );
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    await button(red.page(), "Whole log").first().click();
    await page.waitForURL(/part=logs/u);
    await page.locator(".log .code-text").getByText("140", { exact: true }).waitFor();
    await page.locator(".part-row[aria-current=true]").getByText("errors").waitFor();
  });

  it("an error is shown without colour codes, and one that is cut says so and can be opened", async () => {
    await pages.open(page, "threw");
    const error = page.getByRole("region", { name: "The process itself failed" }).getByRole("group", { name: "Error" });
    await error.getByText("10 files differ").waitFor();
    const heightOf = async () => (await error.boundingBox())?.height ?? 0;
    const before = await heightOf();
    await error.getByRole("button", { name: "Show all" }).click();
    await error.getByRole("button", { name: "Show less" }).waitFor();
    expect(await heightOf()).toBeGreaterThan(before);
    const files = Array.from({ length: 10 }, (_, n) => `file-${n}.ts`);
    expect(await error.locator(".pre").textContent()).toBe(["10 files differ", ...files].join("\n"));
    await pages.open(page, "bad");
    expect(await button(page, "Show all").count()).toBe(0);
  });

  it("B7: a journal that was tampered with says so, with the file", async () => {
    await pages.heardOf("hurt");
    const name = tamperWith("hurt");
    await pages.open(page, "hurt");
    await page.getByRole("button", { name: /^Integrity broken: \d+ problems?$/u }).click();
    await page.locator(".run-findings").getByText(name).first().waitFor();
    expect(await page.getByRole("alert").textContent()).toContain(`${name} is damaged`);
  });

  it("B7: a journal that was tampered with before the server has read it is named, with the command that says more", async () => {
    await inbox.kill();
    const name = tamperWith("unknown");
    fs.rmSync(path.join(inbox.project.runDir("unknown"), "state", "head.json"));
    await inbox.startAgain();
    await expect.poll(async () => (await pages.ask("/api/runs/unknown")).text).toContain("JOURNAL_BROKEN");
    await page.goto(`${inbox.origin}/runs/unknown`);
    await page.getByRole("heading", { name: "Run unknown cannot be shown" }).waitFor();
    await page.getByRole("alert").getByText(`${name} is damaged`).waitFor();
    await command("babysitter run:check unknown").waitFor();
  });

  it("B7: code that was changed on the way is shown with its difference", async () => {
    await pages.open(page, "changed");
    await page.getByText("Code changed", { exact: true }).first().click();
    const changes = page.getByRole("region", { name: "What changed along the way" });
    await changes.getByText("changing.mjs").first().waitFor();
    await changes.getByText('ctx.log("a new line");').first().waitFor();
    expect(types("changed")).toContain("CODE_CHANGED");
  });

  it("B7: archived and deleted runs say so, with the command that brings the one back", async () => {
    await pages.open(page, "lost");
    fs.rmSync(inbox.project.runDir("lost"), { recursive: true });
    await page.reload();
    await page.getByRole("heading", { name: "Run lost was deleted" }).waitFor();
    await pages.open(page, "kept");
    await inbox.project.ask(["run:archive", "kept"]);
    await page.getByRole("alert").getByText("This run was archived").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Run kept is archived" }).waitFor();
    await command("babysitter run:archive kept --restore").waitFor();
    await inbox.project.ask(["run:archive", "kept", "--restore"]);
    await chip(page, "Completed").waitFor();
    await expect.poll(() => page.getByRole("alert").count(), { timeout: 30_000 }).toBe(0);
  });

  it("B7: two runs of a process, side by side, say where they part", async () => {
    await page.goto(`${inbox.origin}/compare?left=good&right=stale`);
    await page.getByText(/^First difference: step 1, build/u).waitFor();
    await page.goto(`${inbox.origin}/compare?left=good&right=bad`);
    await page.getByText("step 2, test. Its input changed; it succeeded in good and failed in bad.").waitFor();
    const parts = page.locator(".compare-step[data-parts]");
    expect(await parts.locator(".compare-side").allTextContents()).toEqual([
      expect.stringMatching(/^good Done/u),
      expect.stringMatching(/^bad Failed/u),
    ]);
    await parts.locator("summary").click();
    await parts.getByRole("region", { name: "input.json, difference" }).getByText("seq 101 140").waitFor();
    await parts.getByRole("region", { name: "result.json, difference" }).getByText("error").first().waitFor();
    await page.getByText("Only good has an output.").waitFor();
  });

  it("B7: two runs side by side show first what differs between them, and all of it when asked to", async () => {
    await page.goto(`${inbox.origin}/compare?left=good&right=bad`);
    const facts = page.getByRole("region", { name: "Facts" });
    await facts.getByText("State", { exact: true }).waitFor();
    expect(await facts.getByText("Process", { exact: true }).count()).toBe(0);
    await facts.getByRole("button", { name: /^Show \d+ identical facts$/u }).click();
    await facts.getByText("Process", { exact: true }).waitFor();
  });

  it("B7: long values of the same size are read before two runs are called the same", async () => {
    await page.goto(`${inbox.origin}/compare?left=long-a&right=long-b`);
    await page.getByText("step 1, long. Its input changed.").waitFor();
    await page.goto(`${inbox.origin}/compare?left=long-a&right=long-c`);
    await page.getByText("All steps are the same.").waitFor();
    expect(await page.locator(".compare-step[data-parts]").count()).toBe(0);
  });

  it("B7: a run to compare that is not there is said beside its name, and another one can be chosen", async () => {
    await page.goto(`${inbox.origin}/compare?left=good&right=never-was`);
    const second = page.getByRole("combobox", { name: "Second run" });
    await page.getByRole("alert").getByText('There is no run "never-was".').waitFor();
    expect(await second.getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByRole("combobox", { name: "First run" }).getAttribute("aria-invalid")).toBeNull();
    await page.locator("datalist option[value=bad]").waitFor({ state: "attached" });
    await second.fill("bad");
    await button(page, "Compare").click();
    await page.waitForURL("**/compare?left=good&right=bad");
    await page.getByText(/^First difference: step 2/u).waitFor();
  });
});

describe("what is not there yet, or any more", () => {
  let owner: BrowserContext;
  let phone: Page;
  beforeAll(async () => {
    owner = await newPerson(browser, { viewport: { width: 390, height: 844 } });
    phone = await inbox.signIn(owner);
  });
  afterAll(() => owner.close());

  it("events, logs and the check of integrity move nothing when they arrive", async () => {
    const held: (() => void)[] = [];
    const hold = /\/api\/runs\/bad\/(?:events|integrity)/u;
    await phone.route(hold, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    const places = () =>
      phone.evaluate(() =>
        [".red-first", ".chip-button", ".run-actions", ".travel", ".run-tabs"].map((name) => {
          const { top, width } = (document.querySelector(name) as Element).getBoundingClientRect();
          return { name, top, width };
        }),
      );
    await phone.goto(`${inbox.origin}/runs/bad`);
    await button(phone, "Checking integrity…").waitFor();
    await phone.locator(".log-tail code").nth(29).waitFor();
    const before = await places();
    const verified = button(phone, "Integrity verified");
    for (; !(await verified.isVisible()); await phone.waitForTimeout(50)) for (const go of held.splice(0)) go();
    await phone.locator(".run-panel [role=option]").first().waitFor();
    expect(await places()).toEqual(before);
    await phone.unroute(hold);
  });

  it("on a phone a part begins in the first screen, its name can be read, and the rest can be opened", async () => {
    await pages.open(phone, "bad", { part: "transcripts" });
    const tabs = await phone.evaluate(() => {
      const { left, right } = (document.querySelector("#run-tab-transcripts") as Element).getBoundingClientRect();
      const { bottom } = (document.querySelector(".run-tabs") as Element).getBoundingClientRect();
      return { left, right, bottom };
    });
    expect(tabs.left).toBeGreaterThanOrEqual(0);
    expect(tabs.right).toBeLessThanOrEqual(390);
    expect(tabs.bottom).toBeLessThan(700);
    const slider = phone.getByRole("slider", { name: "Show the run after event" });
    expect(await slider.isVisible()).toBe(false);
    await phone.getByText("More about this run").click();
    await slider.waitFor();
    await phone.getByText("Go back in time").waitFor();
    await phone.locator(".run-next").getByText("In a terminal:").waitFor();
  });

  it("the heading stays where it is while the page is loaded", async () => {
    const wide = await person.newPage();
    await wide.setViewportSize({ width: 1_600, height: 900 });
    const lefts = new Set<number>();
    await wide.exposeFunction("sawHeading", (left: number) => void lefts.add(left));
    await wide.addInitScript(() => {
      const look = (): void => {
        const heading = document.querySelector("main h1");
        if (heading !== null)
          (window as unknown as { sawHeading: (left: number) => void }).sawHeading(
            heading.getBoundingClientRect().left,
          );
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await wide.route(/\/api\/runs\/good$|\/assets\/run-.*\.(?:js|css)$/u, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      await route.continue();
    });
    await pages.open(wide, "good");
    expect([...lefts]).toHaveLength(1);
    await wide.close();
  });

  it("that the server does not answer is said once", async () => {
    await pages.open(phone, "good");
    await phone.route("**/api/**", (route) => route.abort());
    await button(phone, "Fork").click();
    await phone.locator(".banner").waitFor();
    await phone.locator(".run-actions").getByRole("alert").waitFor();
    expect(await phone.locator(".run > .callout").count()).toBe(0);
    await phone.unroute("**/api/**");
  });

  it("offline a run and a comparison say how old they are, nothing can be sent, and what was typed stays", async () => {
    const age = (on: Page) => on.locator("main").getByText(/^Last updated \d\d:\d\d$/u);
    await page.goto(`${inbox.origin}/compare?left=long-a&right=long-c`);
    await page.getByText("All steps are the same.").waitFor();
    await pages.open(phone, "stale");
    await button(phone, "Cancel run…").click();
    await phone.getByLabel("Reason").fill("not now");
    expect(await age(phone).count()).toBe(0);
    await inbox.kill();
    await age(phone).waitFor();
    await age(page).waitFor();
    for (const name of ["Retry", "Fork", "Cancel the run"]) {
      await expect.poll(() => button(phone, name).isDisabled()).toBe(true);
      const described = await button(phone, name).getAttribute("aria-describedby");
      expect(await phone.locator(`#${described}`).textContent()).toBe(
        "Not available while the server is not responding.",
      );
    }
    await phone.keyboard.press("Control+Enter");
    expect(await phone.getByLabel("Reason").inputValue()).toBe("not now");
    await inbox.startAgain();
    await age(phone).waitFor({ state: "detached" });
    await age(page).waitFor({ state: "detached" });
    expect(await button(phone, "Cancel the run").isEnabled()).toBe(true);
    expect(types("stale")).not.toContain("RUN_CANCELLED");
  });
});

describe("buttons", () => {
  it("B7: a fork makes a run and leads there", async () => {
    await pages.open(page, "bad", { query: "&at=4" });
    await button(page, "Fork from here").click();
    const link = page.getByRole("link", { name: /^Open the copy/u });
    const forked = (await link.textContent())?.replace("Open the copy: ", "") ?? "";
    await link.click();
    await page.waitForURL(`**/runs/${forked}`);
    await page.getByText("Forked from bad after event 4").waitFor();
    const [created] = inbox.project.events(forked);
    expect(created?.payload).toMatchObject({ forkedFrom: { runId: "bad", at: 4 } });
  });

  it("B7: a failed run is retried; where nobody drives it, the command stands there, and nothing has run", async () => {
    await pages.open(page, "bad");
    const before = types("bad");
    await button(page, "Retry").click();
    await page.getByText("The failed steps will be retried.").waitFor();
    const next = page.locator(".run-next", {
      hasText: "Nothing is driving this run. To continue it, run in a terminal:",
    });
    await next.getByText("babysitter run bad", { exact: true }).first().waitFor();
    await next.getByText(`In the project's folder, ${inbox.project.dir}`).waitFor();
    const after = types("bad").slice(before.length);
    expect(after).toContain("RUN_REOPENED");
    expect(after).not.toContain("EFFECT_STARTED");
  });

  it("B7: cancelling asks first, and the reason is recorded with who it was", async () => {
    await pages.open(page, "bad");
    const before = types("bad");
    await button(page, "Cancel run…").click();
    await button(page, "Keep it").click();
    await button(page, "Cancel the run").waitFor({ state: "detached" });
    expect(types("bad")).toEqual(before);
    await button(page, "Cancel run…").click();
    await page.getByLabel("Reason").fill("no longer needed");
    await button(page, "Cancel the run").click();
    await page.getByText("The run is cancelled.").waitFor();
    await chip(page, "Cancelled").waitFor();
    const [cancelled] = inbox.project.events("bad", "RUN_CANCELLED");
    expect(cancelled?.payload).toMatchObject({ reason: "no longer needed" });
    for (const name of ["Retry", "Cancel run…", "Pause"]) expect(await button(page, name).count()).toBe(0);
  });

  it("B7: a loop is paused and goes on", async () => {
    await pages.open(page, "loop");
    await button(page, "Pause").click();
    await chip(page, "Paused").waitFor();
    expect(types("loop").at(-1)).toBe("LOOP_PAUSED");
    await button(page, "Resume").click();
    await button(page, "Pause").waitFor();
    expect(types("loop").at(-1)).toBe("LOOP_RESUMED");
  });

  it("B7: a run of an agent's session is changed by nobody who is not signed in, and by a person who is", async () => {
    await pages.open(page, "agents");
    const before = types("agents");
    for (const token of ["", "made-up"]) {
      for (const body of [{ change: "cancel" }, { change: "pause" }, { change: "fork", at: 2 }])
        expect((await pages.change("agents", body, token)).status).toBe(401);
      // The door for machines knows no such thing.
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
      const body = JSON.stringify({ change: "cancel" });
      const reply = await inbox.request({
        method: "POST",
        path: "/api/runs/agents/change",
        port: inbox.apiPort,
        headers,
        body,
      });
      expect(reply.status).toBeGreaterThanOrEqual(400);
    }
    expect(types("agents")).toEqual(before);
    expect((await pages.change("agents", { change: "pause" })).status).toBe(200);
    await chip(page, "Paused").waitFor();
    await button(page, "Cancel run…").click();
    await button(page, "Cancel the run").click();
    await page.getByText("The run is cancelled.").waitFor();
    expect(types("agents").at(-1)).toBe("RUN_CANCELLED");
  });

  it("B7: a run that a newer version has written to offers no button, and says why", async () => {
    await pages.open(page, "newer");
    await page.getByText("This run was written by version 99.0.0").waitFor();
    expect(await page.locator(".run-buttons button").count()).toBe(0);
    const before = types("newer");
    expect((await pages.change("newer", { change: "cancel" })).status).toBe(409);
    expect(types("newer")).toEqual(before);
  });

  it("B7: what is refused, because somebody was faster, is told in words", async () => {
    const late = await newPerson(browser);
    const old = await inbox.signIn(late);
    // It hears of nothing, from a server that answers.
    await late.route("**/api/live*", (route) => route.fulfill({ status: 503 }));
    await pages.open(old, "stale");
    await inbox.project.ask(["run:cancel", "stale", "--reason", "too late"]);
    await button(old, "Retry").click();
    await old
      .locator(".run-actions")
      .getByRole("alert")
      .getByText(/has finished/u)
      .first()
      .waitFor();
    await chip(old, "Cancelled").waitFor();
    expect(types("stale").at(-1)).toBe("RUN_CANCELLED");
    await late.close();
  });
});
