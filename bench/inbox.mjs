/** Measures the inbox: its start, how fast a question is on the page, long lists, its pages, and its memory over time. */
import path from "node:path";
import { endServers, firstLoad, residentMb, startServer } from "./inbox-server.mjs";
import { at } from "./numbers.mjs";
import { effectIdOf, WrittenRun } from "./written-run.mjs";

/** One question of a run in the long test, with what is said to it. */
const EVENTS_OF_QUESTION = 10;
const RUNS = 100;

/** Adds the rows about the inbox to a benchmark. */
export async function measureInbox({ work, rounds, quick, row, note }) {
  try {
    await starts({ work, rounds, row, note });
    await manyQuestions({ work, rounds, note }, quick ? 1_000 : 10_000);
    await latency({ work, note }, quick ? 50 : 300);
    await memory({ work, row, note }, quick ? 10_000 : 100_000);
  } finally {
    endServers();
  }
}

async function starts({ work, rounds, note }) {
  const samples = [];
  for (let n = 0; n < rounds; n += 1) {
    const server = await startServer(path.join(work, "inbox-start"));
    samples.push(server.readyMs);
    if (n === 0)
      note("first load of the inbox: all that the first page needs, gzipped", firstLoadText(await firstLoad(server)));
    await server.end();
  }
  note("inbox: from the start of its process until it listens, ms, median", at(samples, 0.5).toFixed(0));
}

async function manyQuestions({ work, rounds, note }, count) {
  const home = path.join(work, "inbox-many");
  const journals = Array.from({ length: RUNS }, (_, n) => new WrittenRun(home, `many-${n}`));
  for (const journal of journals) {
    journal.create();
    for (let n = 0; n < count / RUNS; n += 1) journal.ask(n);
    await journal.write();
  }
  const began = performance.now();
  const server = await startServer(home);
  while ((await server.read("/api/questions?limit=1")).open < count);
  const readMs = performance.now() - began;
  const times = async (query) => {
    const samples = [];
    for (let n = 0; n < rounds * 2; n += 1) {
      const before = performance.now();
      await server.read(`/api/questions?${query}`);
      samples.push(performance.now() - before);
    }
    return `${at(samples, 0.5).toFixed(1)} / ${at(samples, 0.95).toFixed(1)}`;
  };
  note(
    `${count} open questions in ${RUNS} runs: from the start of the process until all are listed, s`,
    (readMs / 1_000).toFixed(1),
  );
  note(`a page of 50 of ${count} open questions, ms, median / p95`, await times("limit=50"));
  note(`the same, searched for two words, ms, median / p95`, await times("limit=50&search=question+99"));
  await server.end();
  const again = await startServer(home);
  note(`inbox that has read ${count} questions before: until it listens, ms`, again.readyMs.toFixed(0));
  await again.end();
}

/** From the time that the file of an event has until a listening page has heard of it. */
async function latency({ work, note }, count) {
  const home = path.join(work, "inbox-live");
  const journal = new WrittenRun(home, "live");
  journal.create();
  await journal.write();
  const server = await startServer(home);
  const stream = await server.live();
  const samples = [];
  for (let n = 0; n < count; n += 1) {
    journal.ask(n);
    await journal.write();
    const writtenAt = journal.lastWrittenAt();
    samples.push((await stream.heardOf(effectIdOf("live", n))) - writtenAt);
    // A run that writes all the time is read a few times a second; this is one that asks now and then.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const numbers = [0.5, 0.95, 1].map((share) => at(samples, share).toFixed(0));
  note(`question in a journal until a page has heard of it, ms, median / p95 / worst of ${count}`, numbers.join(" / "));
  await server.end();
}

/** Runs that ask, comment and decide as fast as the disk takes it, while a page listens. */
async function memory({ work, row, note }, events) {
  const home = path.join(work, "inbox-memory");
  const journals = Array.from({ length: RUNS }, (_, n) => new WrittenRun(home, `memory-${n}`));
  for (const journal of journals) {
    journal.create();
    await journal.write();
  }
  const server = await startServer(home);
  const stream = await server.live();
  const questions = events / EVENTS_OF_QUESTION;
  const began = performance.now();
  const samples = [];
  for (let done = 0; done < questions; done += 1) {
    const journal = journals[done % RUNS];
    const n = Math.floor(done / RUNS);
    journal.ask(n);
    for (let said = 2; said < EVENTS_OF_QUESTION; said += 1) journal.comment(n);
    journal.decide(n);
    await journal.write();
    if ((done + 1) % (questions / 20) !== 0) continue;
    // Nobody is so far behind that what comes now would be left out.
    await stream.heardOf(effectIdOf(journal.runId, n));
    samples.push(residentMb(server.pid));
  }
  const seconds = (performance.now() - began) / 1_000;
  note(
    `${events} events in ${RUNS} runs at ${Math.round(events / seconds)} events per second: changes heard`,
    String(stream.count),
  );
  const [tenth, half, end] = [samples[1], samples[9], samples[19]];
  note(
    "memory of the inbox meanwhile, MB at 10 % / 50 % / 100 %",
    [tenth, half, end].map((mb) => mb.toFixed(0)).join(" / "),
  );
  row("memory of the inbox at the end / at half", end / half, "flat", { samples });
  await server.end();
}

function firstLoadText({ bytes, names }) {
  return `${(bytes / 1024).toFixed(1)} KiB in ${names.length} files`;
}
