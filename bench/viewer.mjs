/** Measures the viewer of runs: its pages in a real browser, long runs, many runs, search, live news, and its file. */
import fs from "node:fs";
import path from "node:path";
import { BIN, endServers, firstLoad, residentMb, startServer } from "./inbox-server.mjs";
import { measuredCommand } from "./measured-command.mjs";
import { at } from "./numbers.mjs";
import { moveSlider, openPage, startBrowser } from "./viewer-page.mjs";
import { WrittenRun } from "./written-run.mjs";

/** Tasks at once, three events each. */
const WIDTH = 8;
/** So much of a run is written at once. */
const BATCH = 50;
/** Of those on the board, each hundredth waits for an answer. */
const OPEN_EACH = 100;
/** Between two events of the run that is looked at. */
const APART_MS = 400;
const PICTURE = ".fall-rows canvas";
/** Every page loads it when it has nothing else to do. */
const LOADED_LATER = /\/render-markdown-/u;
const CARD = ".card[data-id]";

/** Adds the rows about the viewer to a benchmark. */
export async function measureViewer({ work, rounds, quick, row, note }) {
  const browser = await startBrowser();
  const parts = { browser, work: path.join(work, "viewer"), rounds, row, note };
  try {
    await longRun(parts, { events: quick ? 500 : 5_000, isCold: true });
    await longRun(parts, { events: quick ? 5_000 : 100_000, isCold: false });
    await board(parts, quick ? 300 : 10_000);
    await search(parts, quick ? 100 : 1_000);
    await live(parts, quick ? 20 : 100);
  } finally {
    endServers();
    await browser.close();
  }
}

/** Cold: nobody has opened the run before. Warm: the server has it in memory, and another page has shown it. */
async function longRun({ browser, work, rounds, row, note }, { events, isCold }) {
  const home = path.join(work, `events-${events}`);
  const { steps, runDir } = await writeLongRun(home, "long", events);
  const server = await startServer(home);
  await allListed(server, 1);
  const person = await browser.person(server);
  const wanted = [PICTURE, `[aria-setsize="${steps}"]`];
  const open = () => openPage(person, `${server.origin}/runs/long`, wanted);
  if (!isCold) await (await open()).page.close();
  const { page, times, assets, memoryMb } = await open();
  const how = `${events} events in one run, ${isCold ? "cold" : "warm"}`;
  note(
    `${how}: first picture / all of it, ms; memory of page / server, MB`,
    `${times.map((ms) => ms.toFixed(0)).join(" / ")}; ${(await memoryMb()).toFixed(0)} / ${residentMb(server.pid).toFixed(0)}`,
  );
  const moves = [];
  for (let n = 1; n <= rounds; n += 1) moves.push(await moveSlider(page, Math.round((events * n) / (rounds + 2))));
  note(`${how}: move of the slider, ms, median / p95`, spread(moves));
  if (isCold) {
    await bytesOnWire({ row, server, assets });
    exported({ note, home, runDir, events });
  }
  await person.close();
  await server.end();
}

async function bytesOnWire({ row, server, assets }) {
  const first = await firstLoad(server);
  const more = [...assets].filter(([name]) => !first.names.includes(name) && !LOADED_LATER.test(name));
  const bytes = more.reduce((sum, [, size]) => sum + size, 0);
  row("first load, KiB gzipped", first.bytes / 1024, "≤ 40", { files: first.names.length });
  row("what the page of a run needs beyond that, KiB gzipped", bytes / 1024, "≤ 80", Object.fromEntries(more));
}

function exported({ note, home, runDir, events }) {
  const out = path.join(home, "long.html");
  const env = { PATH: process.env.PATH, HOME: home };
  const { cpuMs, kilobytes } = measuredCommand([BIN, "export", runDir, "--out", out], { env });
  note(
    `export of ${events} events as a file: KiB; CPU in ms; memory in MB`,
    `${(fs.statSync(out).size / 1024).toFixed(0)}; ${cpuMs.toFixed(0)}; ${(kilobytes / 1024).toFixed(0)}`,
  );
}

async function board({ browser, work, rounds, note }, runs) {
  const home = path.join(work, `runs-${runs}`);
  await writeRuns(home, runs);
  const began = performance.now();
  const server = await startServer(home);
  await allListed(server, runs);
  note(
    `${runs} runs: from the start of the process until all are on the board, s; memory of the server then, MB`,
    `${((performance.now() - began) / 1_000).toFixed(1)}; ${residentMb(server.pid).toFixed(0)}`,
  );
  note(`the board of ${runs} runs, ms, median / p95`, await asked(server, "/api/runs", rounds * 2));
  const person = await browser.person(server);
  const { times, memoryMb } = await openPage(person, `${server.origin}/runs`, [CARD]);
  note(
    `the board of ${runs} runs: first picture, ms; memory of page, MB`,
    `${times[0].toFixed(0)}; ${(await memoryMb()).toFixed(0)}`,
  );
  await person.close();
  await server.end();
}

async function search({ work, rounds, note }, runs) {
  const home = path.join(work, `search-${runs}`);
  await writeRuns(home, runs);
  const server = await startServer(home);
  await allListed(server, runs);
  // Once in a log, once in a title of many, once nowhere.
  const words = [`kumquat-${runs - 2}`, "step 2", "nowhere to be found"];
  const samples = [];
  for (let n = 0; n < rounds * 2; n += 1)
    samples.push(await timed(() => server.read(`/api/runs?search=${encodeURIComponent(words[n % words.length])}`)));
  note(`search over ${runs} runs, ms, median / p95`, spread(samples));
  await server.end();
}

/** From the time that the file of an event has until a page shows it. */
async function live({ browser, work, note }, count) {
  const home = path.join(work, "live");
  const journal = new WrittenRun(home, "live");
  journal.create();
  await journal.write();
  const server = await startServer(home);
  // Two people: of one person's tabs only that in front is painted all the time.
  const people = [await browser.person(server), await browser.person(server)];
  // Not before: the list that they see first would show it, and say so in the journal.
  journal.ask(0);
  await journal.write();
  await allListed(server, 1);
  const { page: run } = await openPage(people[0], `${server.origin}/runs/live`, ['[aria-setsize="1"]']);
  const { page: cards } = await openPage(people[1], `${server.origin}/runs`, [CARD]);
  const samples = { run: [], board: [] };
  journal.lastWrittenAt();
  for (let n = 1; n <= count; n += 1) {
    // A card shows only the first few questions that are open.
    journal.decide(n - 1);
    journal.ask(n);
    const seen = [whenSeen(run, `[aria-setsize="${n + 1}"]`), whenSeen(cards, CARD, `question ${n} of`)];
    const written = journal.write().then(() => journal.lastWrittenAt());
    const [onRun, onBoard, writtenAt] = await Promise.all([...seen, written]);
    samples.run.push(onRun - writtenAt);
    samples.board.push(onBoard - writtenAt);
    // What comes at once is told a few times a second; this is a run that says something now and then.
    await new Promise((resolve) => setTimeout(resolve, APART_MS));
  }
  note(`event in a journal until the page of its run shows it, ms, median / p95 of ${count}`, spread(samples.run));
  note(`event in a journal until the board shows it, ms, median / p95 of ${count}`, spread(samples.board));
  for (const person of people) await person.close();
  await server.end();
}

function whenSeen(page, selector, text = "") {
  return page.evaluate((wanted) => globalThis.whenSeen(...wanted), [selector, text]);
}

/** A run that goes on: so many events, a few more or less. */
async function writeLongRun(home, runId, events) {
  const run = new WrittenRun(home, runId);
  run.create();
  const waves = Math.floor((events - 1) / (3 * WIDTH));
  for (let wave = 0; wave < waves; wave += 1) {
    run.wave(wave * WIDTH, WIDTH);
    if (wave % BATCH === BATCH - 1) await run.write();
  }
  const left = events - 1 - waves * 3 * WIDTH;
  for (let n = 0; n < left; n += 1) run.request(waves * WIDTH + n, waves);
  await run.write();
  run.log(0, "compiled part 0\n".repeat(1_000));
  return { steps: waves * WIDTH + left, runDir: path.join(run.runsDir, runId) };
}

async function writeRuns(home, count) {
  for (let n = 0; n < count; n += 1) {
    const run = new WrittenRun(home, `run-${n}`);
    run.create();
    run.wave(0, 3);
    if (n % OPEN_EACH === OPEN_EACH - 1) run.ask(3);
    else run.complete(3);
    await run.write();
    run.log(0, `${"compiled a part\n".repeat(50)}found kumquat-${n}\n`);
  }
}

async function allListed(server, count) {
  for (;;) {
    const { counts } = await server.read("/api/runs?limit=1");
    if (Object.values(counts).reduce((sum, more) => sum + more, 0) >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function asked(server, address, rounds) {
  const samples = [];
  for (let n = 0; n < rounds; n += 1) samples.push(await timed(() => server.read(address)));
  return spread(samples);
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function spread(samples) {
  return [0.5, 0.95].map((share) => at(samples, share).toFixed(0)).join(" / ");
}
