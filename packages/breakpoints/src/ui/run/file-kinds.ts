/** What is in a file, by its first bytes and not by its name, and which others are versions of it. */
import type { RunFileList } from "../../wire/run-wire.js";
import { makeDecoder, wholeLength } from "./byte-text.js";

export type RunFile = RunFileList["files"][number];

export type Content = { kind: "text" } | { kind: "image"; type: string } | { kind: "binary" };

/** Only formats that browsers draw and never execute. */
const IMAGES: readonly { type: string; starts: readonly (number | undefined)[] }[] = [
  { type: "image/png", starts: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: "image/jpeg", starts: [0xff, 0xd8, 0xff] },
  { type: "image/gif", starts: [0x47, 0x49, 0x46, 0x38] },
  {
    type: "image/webp",
    starts: [0x52, 0x49, 0x46, 0x46, undefined, undefined, undefined, undefined, 0x57, 0x45, 0x42, 0x50],
  },
];
const LOOKED_AT = 8_192;

export function contentOf(bytes: Uint8Array): Content {
  const image = IMAGES.find(
    ({ starts }) =>
      bytes.length >= starts.length && starts.every((byte, at) => byte === undefined || bytes[at] === byte),
  );
  if (image !== undefined) return { kind: "image", type: image.type };
  const start = bytes.subarray(0, LOOKED_AT);
  if (start.includes(0)) return { kind: "binary" };
  const text = makeDecoder().decode(start.subarray(0, wholeLength(start)));
  const unreadable = text.split("\u{fffd}").length - 1;
  return unreadable * 10 > text.length ? { kind: "binary" } : { kind: "text" };
}

/** An address that holds the image itself. */
export function dataAddress(type: string, bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += LOOKED_AT)
    text += String.fromCharCode(...bytes.subarray(at, at + LOOKED_AT));
  return `data:${type};base64,${btoa(text)}`;
}

export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The name without what tells attempts and versions apart: `plan.attempt-2.md` and `plan.md` are the same thing. */
function thingOf({ path }: RunFile): string {
  return nameIn(path).replace(/\.(?:attempt-|v)\d+(?=\.|$)/u, "");
}

/** Other files of the same kind and name, the newest first. */
export function otherVersions(files: readonly RunFile[], file: RunFile): RunFile[] {
  return files
    .filter((one) => one.path !== file.path && one.kind === file.kind && thingOf(one) === thingOf(file))
    .toSorted((a, b) => b.modifiedAt.localeCompare(a.modifiedAt) || b.path.localeCompare(a.path));
}

/** What it is compared with at first: the version before it, where there is one. */
export function versionBefore(files: readonly RunFile[], file: RunFile): RunFile | undefined {
  return otherVersions(files, file).find(({ modifiedAt }) => modifiedAt < file.modifiedAt);
}
