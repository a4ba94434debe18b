/** Files of a question as documents in a chat. */
import type { FileHead } from "../wire/inbox-wire.js";

export const LARGEST_FILE = 5 * 1024 * 1024;
export const MOST_FILES = 10;

const LONGEST_NAME = 80;
/** A phone opens these as text, or not at all. */
const HARMLESS = [
  ..."c cc cfg conf cpp cs css csv diff go h hpp ini java json jsonl kt lock log lua md patch proto py rb rs".split(
    " ",
  ),
  ..."rst scala sql swift tex toml ts tsv tsx txt yaml yml zig".split(" "),
];

/** What its document is called: nothing that a phone would run, and nothing that ends a header. */
export function documentName(path: string): string {
  const last = path.split(/[/\\]/u).findLast((part) => part !== "") ?? "";
  const plain = last
    .replaceAll(/[^\w.-]/gu, "_")
    .replace(/^[.-]+/u, "")
    .slice(-LONGEST_NAME);
  const name = plain === "" ? "file" : plain;
  const [, ending = ""] = /\.(\w+)$/u.exec(name) ?? [];
  return HARMLESS.includes(ending.toLowerCase()) ? name : `${name}.txt`;
}

/** The files that somebody means: all of them, or the one they name by its path, its end or its place in the list. */
export function chosenFiles(files: readonly FileHead[], wanted: string): FileHead[] {
  if (wanted === "") return files.slice(0, MOST_FILES);
  const exact = files.filter(({ path }) => path === wanted);
  if (exact.length > 0) return exact.slice(0, 1);
  const ending = files.filter(({ path }) => path.endsWith(`/${wanted}`));
  if (ending.length === 1) return ending;
  return /^\d{1,4}$/u.test(wanted) ? files.filter(({ n }) => n + 1 === Number(wanted)) : [];
}

/** Why a file is not sent, in words. */
export function whyNoFile({ refused, bytes }: FileHead): string | undefined {
  if (refused !== undefined) return refused;
  return bytes !== undefined && bytes > LARGEST_FILE ? `it is too large (${shownBytes(bytes)})` : undefined;
}

export function shownBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
