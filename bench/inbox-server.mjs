/** The real inbox, as a program of its own, for measurements. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { openDesk } from "../packages/sdk/dist/operate.js";

export const BIN = path.resolve(import.meta.dirname, "../packages/breakpoints/bin/babysitter-breakpoints.mjs");
/** Those that run. */
const servers = new Set();

export function endServers() {
  for (const child of servers) child.kill("SIGKILL");
}

/** The inbox as a program of its own, with a home folder of its own. */
export async function startServer(home) {
  const project = path.join(home, "project");
  fs.mkdirSync(path.join(project, ".a5c", "runs"), { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, REPO_ROOT: project };
  const began = performance.now();
  const child = spawn(process.execPath, [BIN, "start", "--port", "0", "--api-port", "0", "--json"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  servers.add(child);
  child.once("exit", () => servers.delete(child));
  const { value: line } = await readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const readyMs = performance.now() - began;
  const { port, pid } = JSON.parse(line);
  const origin = `http://localhost:${port}`;
  const makeLink = () => openDesk({ env }).access.makeLink("bench").link;
  const signed = await fetch(`${origin}/api/sign-in`, {
    method: "POST",
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify({ link: makeLink(), name: "bench" }),
  });
  const headers = { Authorization: `Bearer ${(await signed.json()).token}` };
  const end = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  };
  const read = async (address) => (await fetch(`${origin}${address}`, { headers })).json();
  const live = async () => new Stream(await fetch(`${origin}/api/live`, { headers }));
  return { origin, pid, readyMs, signInAddress: () => `${origin}/sign-in#${makeLink()}`, read, live, end };
}

/** The page, and what it names itself, as they travel. */
export async function firstLoad({ origin }) {
  const load = async (address) => {
    const response = await fetch(new URL(address, origin), { headers: { "Accept-Encoding": "gzip" } });
    const text = await response.text();
    return { text, bytes: Number(response.headers.get("content-length")) };
  };
  const { text, bytes } = await load("/");
  const needed = [...text.matchAll(/(?:src|href)="(\.?\/assets\/[^"]+)"/gu)].map(([, address]) => address);
  const loaded = await Promise.all(needed.map(async (address) => (await load(address)).bytes));
  return {
    bytes: loaded.reduce((total, size) => total + size, bytes),
    names: ["/", ...needed.map((name) => name.replace(/^\./u, ""))],
  };
}

/** What a page hears; only when each question was heard of last is kept. */
class Stream {
  count = 0;
  #heard = new Map();
  #wake = () => undefined;

  constructor(response) {
    void this.#listen(response).catch(() => undefined);
  }

  async #listen(response) {
    let text = "";
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const now = performance.timeOrigin + performance.now();
      const parts = (text + piece).split("\n\n");
      text = parts.pop();
      for (const part of parts) {
        const data = /^data: (.*)$/mu.exec(part)?.[1];
        const { changed = [] } = data === undefined ? {} : JSON.parse(data);
        if (changed.length > 0) this.count += 1;
        for (const { id } of changed) this.#heard.set(id, now);
      }
      this.#wake();
    }
  }

  async heardOf(id) {
    while (!this.#heard.has(id)) await new Promise((resolve) => void (this.#wake = resolve));
    return this.#heard.get(id);
  }
}

export function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+) kB/u.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}
