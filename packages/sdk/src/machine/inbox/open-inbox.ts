/** `babysitter ui`: starts the inbox if it does not run, and signs the browser of a person in. */
import os from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { InboxAccess, signInAddress } from "../../inbox/inbox-access.js";
import type { ServerRecord } from "../../inbox/server-record.js";
import { BabysitterError } from "../../model/errors.js";
import { sessionPlaces } from "../../sessions/session-places.js";
import type { Environment } from "../caller.js";
import { userName } from "../decision-source.js";
import { browserOpener, showFile } from "./browser.js";
import { findInboxProgram, isUsable, notInstalled, realPathOf } from "./inbox-program.js";
import { type InboxSettings, inboxFolder, readInboxSettings } from "./inbox-settings.js";
import { addressOf, type InboxAddress, requirePerson } from "./person-only.js";
import { runningServer } from "./running-inbox.js";
import { logFile, startServer } from "./start-server.js";

export interface OpenInboxOptions {
  env?: Environment;
  /** The program of the inbox itself, when it is that which calls. */
  program?: string | undefined;
  /** If false, the link is only printed. */
  browser?: boolean;
}

export interface OpenedInbox extends InboxAddress {
  /** The browser was told to show it. */
  opened: boolean;
  /** Signs one browser in, until `expires`; absent where the browser was given it. */
  link?: string;
  expires?: string;
}

/** What is open, as data and in words. Refuses agents, and whoever has no terminal. */
export async function openInbox({
  env = process.env,
  program,
  browser = true,
}: OpenInboxOptions = {}): Promise<{ document: OpenedInbox; text: string }> {
  const settings = readInboxSettings(env);
  const folder = inboxFolder(env);
  const running = await runningServer(folder);
  requirePerson(env, "get a link that signs in", running && addressOf(running));
  const record = running ?? (await startAndWait(programOf(settings, program), env, settings));
  const address = addressOf(record);
  const access = new InboxAccess({ home: sessionPlaces({ env, cwd: "/" }).home, now: () => new Date() });
  const { link: secret, expires } = access.makeLink(userName());
  const opener = browser ? browserOpener(env) : undefined;
  if (opener !== undefined && (await showFile(opener, access.writePage(secret, address.url), env)))
    return { document: { ...address, opened: true }, text: openedText(address) };
  const link = signInAddress(address.url, secret);
  return { document: { ...address, opened: false, link, expires }, text: linkText(address, { link, expires }) };
}

function programOf(settings: InboxSettings, given: string | undefined): string {
  if (given !== undefined) return realPathOf(given);
  const found = findInboxProgram(settings.program, process.argv[1] as string);
  if (!isUsable(found)) throw notInstalled(found);
  return found.path;
}

const PATIENCE_MS = 20_000;
const LOOK_MS = 20;
/** After a start that has lost, the one that has won may not have said yet where it is. */
const LOSER_MS = 1_000;

/** Another start at the same time may win; what counts is that a server answers. */
async function startAndWait(program: string, env: Environment, settings: InboxSettings): Promise<ServerRecord> {
  const folder = inboxFolder(env);
  const { child, lastWords } = startServer(program, env, settings);
  for (let patience = Date.now() + PATIENCE_MS; ; await delay(LOOK_MS)) {
    const running = await runningServer(folder);
    if (running !== undefined) return running;
    if (Date.now() > patience) throw notStarted(program, folder, lastWords());
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded) patience = Math.min(patience, Date.now() + LOSER_MS);
  }
}

function notStarted(program: string, folder: string, words: string): BabysitterError {
  const said = words === "" ? "" : ` It says: ${words}`;
  return new BabysitterError("INBOX_NOT_STARTED", `The inbox's server did not start.${said}`, {
    hint: `Its log: ${logFile(folder)}`,
    details: { program, log: logFile(folder) },
  });
}

function openedText({ url }: InboxAddress): string {
  return [`Opening the inbox in your browser: ${url}`, "If no page appears: babysitter ui --no-open"].join("\n");
}

function linkText({ url }: InboxAddress, { link, expires }: { link: string; expires: string }): string {
  const { port } = new URL(url);
  const minutes = Math.round((Date.parse(expires) - Date.now()) / 60_000);
  return [
    `Open this link in your browser within ${minutes} minutes; it signs in one browser, once:`,
    `  ${link}`,
    "From another machine, first forward the port there:",
    `  ssh -L ${port}:localhost:${port} ${userName()}@${os.hostname()}`,
  ].join("\n");
}
