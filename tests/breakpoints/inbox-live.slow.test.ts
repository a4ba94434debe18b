/** The inbox follows what happens in runs, whatever happens to its own files. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../packages/breakpoints/src/index/open-database.js";
import type { QuestionList, QuestionRow } from "../../packages/breakpoints/src/wire/inbox-wire.js";
import { type Browser, breakpoints, InboxServer, type StartOptions } from "../fixtures/breakpoints/inbox-server.js";
import type { LiveReader } from "../fixtures/breakpoints/live-reader.js";
import {
  commented,
  questionId,
  resolved,
  taskRequested,
  type WrittenRun,
  writeEvents,
  writeRun,
} from "../fixtures/breakpoints/many-questions.js";
import { Project } from "../fixtures/project.js";
import { BAD_RUNS, isListed, isUnreadable, makeBadRuns } from "../fixtures/runs/bad-runs.js";
import { copyRuns } from "../fixtures/runs/copy-runs.js";

class Person {
  readonly project = new Project();
  #server: InboxServer | undefined;
  #browser: Browser | undefined;

  static async begin(options: StartOptions = {}): Promise<Person> {
    const person = new Person();
    fs.mkdirSync(person.project.runsDir, { recursive: true });
    await person.start(options);
    return person;
  }

  async start({ env, ...options }: StartOptions = {}): Promise<void> {
    this.#server = await InboxServer.start(this.project, { env: { REPO_ROOT: this.project.dir, ...env }, ...options });
    this.#browser = await this.#server.signIn();
  }

  get server(): InboxServer {
    return this.#server as InboxServer;
  }

  get browser(): Browser {
    return this.#browser as Browser;
  }

  get indexFile(): string {
    return path.join(this.project.home, ".a5c", "inbox", "index.db");
  }

  list(query = ""): Promise<QuestionList> {
    return this.browser.read(`/api/questions?${query}`);
  }

  async ids(query = ""): Promise<string[]> {
    return (await this.list(query)).questions.map(({ id }) => id);
  }

  write(run: WrittenRun): Promise<void> {
    return writeRun(this.project.runsDir, run);
  }
}

const isOpen =
  (id: string) =>
  ({ changed }: { changed: QuestionRow[] }): boolean =>
    changed.some((row) => row.id === id && row.state === "open");

/** What a fresh stream says first. */
async function hello(stream: LiveReader): Promise<unknown> {
  return (await stream.next())?.data;
}

describe("changes in runs", () => {
  it("B6: a new run, a comment and a decision arrive in one stream; one that was away hears what it missed", async () => {
    const person = await Person.begin();
    const { runsDir } = person.project;
    const [stream, other] = [await person.browser.live(), await person.browser.live()];
    expect(await hello(stream)).toMatchObject({ open: 0, resumed: false, version: expect.any(String) as string });
    await person.write({ runId: "one", questions: ["First?"] });
    const id = questionId("one");
    const asked = await stream.until(isOpen(id));
    expect(asked.data).toMatchObject({
      open: 1,
      gone: [],
      changed: [{ question: "First?", stops: "run", commentCount: 0 }],
    });
    await writeEvents(runsDir, "one", [commented("one")]);
    const said = await stream.until(({ changed }) => changed[0]?.commentCount === 1);
    stream.close();
    await writeEvents(runsDir, "one", [resolved("one", 0)]);
    await person.write({ runId: "two", questions: ["Second?"] });
    await other.until(({ changed }) => changed.some((row) => row.id === id && row.state === "approved"));
    await other.until(isOpen(questionId("two")));
    const back = await person.browser.live(said.id);
    expect(await hello(back)).toMatchObject({ resumed: true });
    const decided = await back.until(({ changed }) => changed.some((row) => row.id === id));
    expect(decided.data).toMatchObject({ changed: [{ id, state: "approved", by: "mia", reason: "because of 0" }] });
    await back.until(isOpen(questionId("two")));
    for (const lastId of ["", "x", "x.1", `${said.id}9`, "1", said.id.replace(/\.\d+$/u, ".-1")]) {
      const lost = await person.browser.live(lastId);
      expect([lastId, await hello(lost)]).toMatchObject([lastId, { resumed: false, open: 1 }]);
    }
  });

  it("a run that is deleted, replaced, archived with its project, or comes with a new one", async () => {
    const person = await Person.begin();
    const { project } = person;
    const stream = await person.browser.live();
    await person.write({ runId: "one", questions: ["First?"] });
    await stream.until(isOpen(questionId("one")));
    fs.rmSync(project.runDir("one"), { recursive: true });
    await stream.until(({ gone, open }) => gone.includes(questionId("one")) && open === 0);
    await person.write({ runId: "one", questions: ["Another?", "And this?"] });
    await stream.until(isOpen(questionId("one", 1)));
    expect((await person.list()).questions.map(({ question }) => question)).toEqual(["Another?", "And this?"]);
    fs.rmSync(project.runsDir, { recursive: true });
    await stream.until(({ gone }) => gone.includes(questionId("one", 1)));
    fs.mkdirSync(project.runsDir);
    await person.write({ runId: "three", questions: ["Back?"] });
    await stream.until(isOpen(questionId("three")));
    const other = path.join(project.root, "other");
    const known = path.join(project.home, ".a5c", "projects", "other.json");
    await writeRun(path.join(other, "runs"), { runId: "elsewhere", questions: ["Here too?"] });
    fs.writeFileSync(
      known,
      JSON.stringify({ projectRoot: other, runsDir: path.join(other, "runs"), at: "2026-01-20T08:00:00Z" }),
    );
    const found = await stream.until(isOpen(questionId("elsewhere")));
    expect(found.data.changed[0]?.project).toEqual({ name: "other", root: other });
    fs.rmSync(known);
    await stream.until(({ gone }) => gone.includes(questionId("elsewhere")));
  });

  it("copies of a run in two projects are two questions", async () => {
    const person = await Person.begin();
    const other = path.join(person.project.root, "copy");
    await person.write({ runId: "same", questions: ["Twice?"] });
    expect(await person.ids()).toEqual([questionId("same")]);
    copyRuns(person.project.dir, other);
    const runsDir = path.join(other, ".a5c", "runs");
    const known = path.join(person.project.home, ".a5c", "projects", "copy.json");
    const stream = await person.browser.live();
    fs.writeFileSync(known, JSON.stringify({ projectRoot: other, runsDir, at: "2026-01-20T08:00:00Z" }));
    const { data } = await stream.until(({ changed }) => changed.some(({ project }) => project.root === other));
    const copy = data.changed[0]?.id as string;
    expect(copy).not.toBe(questionId("same"));
    await person.browser.post(`/api/questions/${copy}/decision`, { decision: "approve", shown: null });
    expect(await person.ids()).toEqual([questionId("same")]);
    expect(await person.ids("state=decided")).toEqual([copy]);
  });

  it("a browser that stops reading is dropped, and the others hear on", async () => {
    const person = await Person.begin();
    const [deaf, stream] = [await person.browser.live(), await person.browser.live()];
    deaf.pause();
    const { runsDir } = person.project;
    await person.write({ runId: "long", questions: Array.from({ length: 100 }, () => "x".repeat(5_000)) });
    await stream.until(isOpen(questionId("long")));
    // A task that begins, and one that ends, change what all of them stop.
    for (let n = 100; n < 130; n += 1) {
      await writeEvents(runsDir, "long", [taskRequested("long", n)]);
      await stream.until(({ changed }) => changed[0]?.stops === "part");
      await writeEvents(runsDir, "long", [resolved("long", n)]);
      await stream.until(({ changed }) => changed[0]?.stops === "run");
    }
    deaf.resume();
    await deaf.over();
    await person.write({ runId: "last", questions: ["Still there?"] });
    await stream.until(isOpen(questionId("last")));
    const { questions } = await person.list("limit=2");
    const [long] = questions.filter(({ question }) => question !== "Still there?");
    expect(long?.question).toHaveLength(2_001);
    expect((await person.browser.get(`/api/questions/${long?.id}`)).json()["question"]).toHaveLength(5_000);
  });

  it("a signal ends the server and its streams at once, and its record is gone", async () => {
    const person = await Person.begin();
    const stream = await person.browser.live();
    expect(await hello(stream)).toBeDefined();
    await person.server.kill("SIGTERM");
    await stream.over();
    expect(person.server.exitCode).toBe(0);
    expect((await breakpoints(person.project, ["status", "--json"])).json()).toEqual({ running: false });
  });
});

describe("the index", () => {
  it("B6: is only a view: deleted, damaged, of another version or in another's place it is made again, also while the server runs", async () => {
    const person = await Person.begin();
    for (const runId of ["one", "two", "three"])
      await person.write({ runId, questions: ["Open?", "Decided?"], decided: 1 });
    const before = { open: await person.list(), decided: await person.list("state=decided") };
    expect([before.open.total, before.decided.total]).toEqual([3, 3]);
    expect(fs.statSync(person.indexFile).mode & 0o777).toBe(0o600);
    const expectSame = async (): Promise<void> => {
      expect({ open: await person.list(), decided: await person.list("state=decided") }).toEqual(before);
      expect(fs.readFileSync(person.indexFile, "latin1").slice(0, 15)).toBe("SQLite format 3");
    };
    const all = ["", "-wal", "-shm"].map((ending) => `${person.indexFile}${ending}`);
    const whileRunning: (() => void)[] = [
      () => all.map((file) => fs.rmSync(file, { force: true })),
      () => fs.rmSync(person.indexFile, { force: true }),
      () => {
        fs.rmSync(person.indexFile, { force: true });
        fs.writeFileSync(person.indexFile, "no database ".repeat(1_000));
      },
    ];
    for (const damage of whileRunning) {
      damage();
      await expectSame();
    }
    const atStart: (() => void)[] = [
      () => fs.writeFileSync(person.indexFile, crypto.getRandomValues(new Uint8Array(20_000))),
      () => fs.truncateSync(person.indexFile, 100),
      () => all.map((file) => fs.existsSync(file) && fs.truncateSync(file, 0)),
    ];
    for (const damage of atStart) {
      await person.server.kill();
      damage();
      await person.start();
      await expectSame();
    }
    await person.server.kill();
    const { database: other } = openDatabase(person.indexFile, { isOwnPlace: true });
    other.exec("PRAGMA user_version = 99; DROP TABLE questions;");
    other.close();
    await person.start();
    await expectSame();
  });

  it("DB_PATH names its file; what is no index of ours is left alone, and that is said", async () => {
    const project = new Project({ "notes.db": "my notes, not yours" });
    fs.mkdirSync(project.path("folder.db"));
    for (const [DB_PATH, words] of [
      [project.path("notes.db"), "is not an index"],
      [project.path("folder.db"), "not a regular file"],
      ["/proc/nowhere/index.db", "cannot be used"],
    ] as const) {
      const done = await breakpoints(project, ["start", "--port", "0", "--api-port", "0", "--json"], { DB_PATH });
      expect([done.code, done.json().error]).toMatchObject([
        1,
        {
          code: "SYSTEM_REFUSED",
          message: expect.stringContaining(words) as string,
          hint: expect.stringContaining("DB_PATH") as string,
        },
      ]);
    }
    expect(project.read("notes.db")).toBe("my notes, not yours");
    const person = await Person.begin({ env: { DB_PATH: project.path("deep", "own.db") } });
    await person.write({ runId: "one", questions: ["Here?"] });
    expect((await person.list()).total).toBe(1);
    expect(fs.existsSync(project.path("deep", "own.db"))).toBe(true);
    expect(fs.existsSync(person.indexFile)).toBe(false);
  });
});

describe("runs that cannot be read", () => {
  it("are named, and hide no other; once they are whole their questions are there", async () => {
    const person = new Person();
    const { project } = person;
    await makeBadRuns(project, BAD_RUNS);
    await person.write({ runId: "good", questions: ["Still?"] });
    await person.start();
    const stream = await person.browser.live();
    const { questions, unreadable } = await person.list();
    expect(questions.map(({ id }) => id)).toEqual([questionId("good")]);
    const named = new Set(unreadable.map(({ run }) => run));
    const expected = BAD_RUNS.filter((bad) => isUnreadable(bad) && isListed(bad)).map(({ runId }) => runId);
    expect(expected.filter((runId) => !named.has(runId))).toEqual([]);
    for (const { project: root, problem } of unreadable)
      expect([root, problem.length > 10]).toEqual([project.dir, true]);
    await writeEvents(project.runsDir, "good", [commented("good")]);
    await stream.until(({ changed }) => changed[0]?.commentCount === 1);
  });

  it("a journal of a newer version is shown, and not decided here", async () => {
    const person = await Person.begin();
    await person.write({ runId: "newer", questions: ["Old enough?"], newer: "99.0.0" });
    const id = questionId("newer");
    expect((await person.list()).questions).toMatchObject([
      { id, readOnly: expect.stringContaining("99.0.0") as string },
    ]);
    expect((await person.browser.get(`/api/questions/${id}`)).json()).toMatchObject({ id, state: "open", shown: null });
    const reply = await person.browser.post(`/api/questions/${id}/decision`, { decision: "approve", shown: null });
    expect([reply.status, reply.json()]).toMatchObject([409, { error: { code: "ENGINE_TOO_OLD" } }]);
  });
});
