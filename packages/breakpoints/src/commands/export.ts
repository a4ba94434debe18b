/** `export <run-directory>`: a run as one file that shows it without a server. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import { shownLine } from "@a5c-ai/babysitter-sdk/notify";
import { type InboxDesk, openRuns, parseRunId, secretRules } from "@a5c-ai/babysitter-sdk/operate";
import { OpenRun } from "../desk/open-run.js";
import { runDocument } from "../desk/run-document.js";
import { contentsText, exportPage, redactionSummary } from "../rules/export-page.js";
import { redactDocument } from "../rules/redact-document.js";
import type { RunDocument } from "../wire/run-document.js";
import { type Call, say, usage } from "./command.js";

const PAGE = fileURLToPath(new URL("../ui-export", import.meta.url));
const LICENSES = fileURLToPath(new URL("../third-party-licenses.txt", import.meta.url));

export async function exportRun({ desk, json }: Call, args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      out: { type: "string" },
      redact: { type: "boolean" },
      preview: { type: "boolean" },
      force: { type: "boolean" },
      json: { type: "boolean" },
    },
  });
  const [dir, ...others] = positionals;
  if (dir === undefined || others.length > 0) throw usage("Usage: export <run-directory> [--redact] [--out <file>].");
  if (json && values.out === "-") throw usage("--json and --out - both need stdout; choose one.");
  const runDir = path.resolve(dir);
  const out = path.resolve(values.out ?? `${path.basename(runDir)}.html`);
  const toStdout = values.out === "-";
  const writes = values.preview !== true && !toStdout;
  if (writes && values.force !== true && fs.existsSync(out)) throw exists(out);
  const run = await openRun(desk, runDir);
  const whole = await runDocument(run, new Date());
  const document = values.redact === true ? redactDocument(whole, knownHere(desk, run)) : whole;
  if (values.preview === true) return preview({ json }, document);
  const page = pageOf(document);
  if (writes) write(out, page, { force: values.force === true });
  warn(document);
  return toStdout ? print(page) : told({ json }, document, { out, bytes: Buffer.byteLength(page) });
}

async function openRun(desk: InboxDesk, runDir: string): Promise<OpenRun> {
  const runId = parseRunId(path.basename(runDir));
  const ports = openRuns({ runsDir: path.dirname(runDir), env: desk.env });
  return OpenRun.open(desk, { ports }, { id: runId, runId });
}

/** What tells who has made the document, and on which machine. */
function knownHere({ env }: InboxDesk, { journal }: OpenRun): Parameters<typeof redactDocument>[1] {
  const { username, homedir } = os.userInfo();
  const homes = [env["HOME"], homedir, os.homedir()].filter((home) => home !== undefined && home !== "");
  const host = os.hostname();
  const names = [username, env["USER"], env["LOGNAME"]].filter((name) => name !== undefined && name !== "");
  return {
    secrets: secretRules.secretsIn(env, journal.secretNames()),
    homes: [...homes, ...homes.map(realPath)] as string[],
    users: names as string[],
    hosts: [host, host.split(".")[0] as string],
  };
}

function realPath(folder: string | undefined): string {
  try {
    return fs.realpathSync(folder as string);
  } catch {
    return folder as string;
  }
}

function pageOf(document: RunDocument): string {
  const [script, style] = [partNamed("export.js"), partNamed("export.css")];
  const { id } = document.detail;
  return exportPage({
    title: `${shownLine(id)} · Babysitter`,
    script,
    style,
    hashes: { script: hashOf(script), style: hashOf(style) },
    packed: gzipSync(JSON.stringify(document), { level: 9 }).toString("base64"),
    licenses: fs.readFileSync(LICENSES, "utf8"),
  });
}

function partNamed(name: string): string {
  const file = path.join(PAGE, name);
  if (fs.existsSync(file)) return fs.readFileSync(file, "utf8");
  throw new BabysitterError("INBOX_MISSING", "The page for exported runs is not built.", {
    hint: "In a clone of Babysitter run: npm run build",
    details: { file },
  });
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** All of it or nothing; another file of the name stays, unless it is to be replaced. */
function write(file: string, text: string, { force }: { force: boolean }): void {
  const part = `${file}.${process.pid}.part`;
  try {
    fs.writeFileSync(part, text, { flag: "wx" });
    // Others may have made one meanwhile.
    if (!force && fs.existsSync(file)) throw exists(file);
    fs.renameSync(part, file);
  } finally {
    fs.rmSync(part, { force: true });
  }
}

function exists(file: string): BabysitterError {
  return new BabysitterError("USAGE", `${file} already exists; nothing was written.`, {
    hint: "To replace it: --force. To use another name: --out <file>",
    details: { file },
  });
}

function preview({ json }: Pick<Call, "json">, document: RunDocument): number {
  const { redacted } = document;
  const facts = { runId: document.detail.id, ...countsOf(document), redacted };
  const hint = redacted === null ? "\nNothing is redacted. To redact secrets, names and contents: --redact" : "";
  return say(json ? JSON.stringify(facts) : `${contentsText(document)}${hint}\nNothing was written.`);
}

function countsOf({ events, leftOut, files, transcripts }: RunDocument): object {
  const listed = files.map(({ content, ...file }) => ({ ...file, included: content !== null }));
  return { events: events.length, leftOut, files: listed, transcripts: transcripts.length };
}

/** On stderr: stdout may be the page itself. */
function warn({ redacted }: RunDocument): void {
  const text =
    redacted === null
      ? "Logs and values are in the file unchanged. To remove secrets, names and contents: --redact"
      : `Redacted: ${redactionSummary(redacted)}. To see where: --redact --preview`;
  process.stderr.write(`${text}\n`);
}

function told(
  { json }: Pick<Call, "json">,
  document: RunDocument,
  { out, bytes }: { out: string; bytes: number },
): number {
  const { detail, redacted } = document;
  if (json) return say(JSON.stringify({ runId: detail.id, file: out, bytes, ...countsOf(document), redacted }));
  return say(`${out} (${Math.ceil(bytes / 1024)} KiB, ${document.events.length} events)`);
}

/** The program ends as soon as this is done; whoever has read enough may have gone. */
async function print(page: string): Promise<number> {
  await new Promise<void>((resolve) => {
    process.stdout.once("error", () => resolve());
    process.stdout.write(page, () => resolve());
  });
  return 0;
}
