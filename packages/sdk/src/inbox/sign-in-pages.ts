/**
 * Pages that lead a browser to a sign-in link. Whoever lists processes sees what a program was started with, so a
 * browser is given the name of such a file, which only this person can read, instead of the link.
 */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";

const NAME = /^sign-in-([0-9a-f]{16})\.html$/u;

/** `hash`: of the link's secret. `address` contains the secret. */
export function writeSignInPage(folder: string, hash: string, address: string): string {
  makeFolders(folder, 0o700);
  const file = path.join(folder, `sign-in-${hash.slice(0, 16)}.html`);
  fs.writeFileSync(file, pageOf(address), { mode: 0o600, flag: "wx" });
  return file;
}

/** Removes those whose link is none of these hashes: it was used, or its time is over. */
export function removeSignInPages(folder: string, current: readonly string[]): void {
  const kept = new Set(current.map((hash) => hash.slice(0, 16)));
  for (const name of namesIn(folder)) {
    const hash = NAME.exec(name)?.[1];
    if (hash !== undefined && !kept.has(hash)) fs.rmSync(path.join(folder, name), { force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** The address is ours: an origin on this machine and a secret in base64url, nothing that HTML would read otherwise. */
function pageOf(address: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Babysitter</title>
<p><a href="${address}" rel="noreferrer">Sign in to the inbox</a></p>
</html>
`;
}
