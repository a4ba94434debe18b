/** Files in which a task hands over what it has to say: nobody reads them before they are free of secrets. */
import fs from "node:fs";
import { textIfRegular } from "../files/read-regular-file.js";
import { DEEPEST_VALUE, isDeeperThan, type Json } from "../model/json.js";
import { maskJson } from "../spawn/mask-json.js";
import { SecretMask } from "../spawn/secret-mask.js";
import { writePrivately } from "./agent-files.js";

/** Results are read into memory and journaled; more than this is a file, not a result. */
export const MAX_RESULT = 64 * 1024 * 1024;
/** JSON can be read at any depth, but written only as deep as the stack allows. */
const PIECE = 256 * 1024;

/**
 * Puts a private copy without secrets in the place of a file that holds some. What is no file stays as it is, and is
 * no result. A file that cannot be made safe is removed.
 */
export function sealFile(file: string, secrets: readonly string[]): void {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat?.isFile() !== true) return;
    if (secrets.length > 0) maskFile(file, stat.size, secrets);
    if (!fs.lstatSync(file).isSymbolicLink()) fs.chmodSync(file, 0o600);
  } catch (error) {
    fs.rmSync(file, { force: true, recursive: true });
    throw error;
  }
}

function maskFile(file: string, size: number, secrets: readonly string[]): void {
  const json = size > MAX_RESULT ? undefined : parsed(textIfRegular(fs.realpathSync(file), MAX_RESULT) ?? "");
  if (json === undefined) return maskText(file, secrets);
  const masked = JSON.stringify(maskJson(json.value, secrets));
  if (masked !== JSON.stringify(json.value)) writePrivately(file, masked);
}

function parsed(text: string): { value: Json } | undefined {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/u, "")) as Json;
    return isDeeperThan(value, DEEPEST_VALUE) ? undefined : { value };
  } catch {
    return undefined;
  }
}

/** However large it is. */
function maskText(file: string, secrets: readonly string[]): void {
  const mask = new SecretMask(secrets);
  const from = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    fs.rmSync(file);
    const to = fs.openSync(file, "wx", 0o600);
    try {
      const buffer = Buffer.alloc(PIECE);
      for (let count = 1; count > 0; ) {
        count = fs.readSync(from, buffer);
        const parts = count > 0 ? mask.push(buffer.subarray(0, count)) : mask.cutOff();
        for (const part of parts) fs.writeFileSync(to, part);
      }
    } finally {
      fs.closeSync(to);
    }
  } finally {
    fs.closeSync(from);
  }
}
