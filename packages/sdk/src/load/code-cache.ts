/**
 * Runs a CommonJS file of ours with what V8 has compiled of it the last time. A hook is over after a few
 * milliseconds of work, and compiling what does the work would take longer than that.
 */
import crypto from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import v8 from "node:v8";
import vm from "node:vm";
import { writeCacheFile } from "./atomic-file.js";

export interface CompiledFile {
  exports: unknown;
  /** To be called when the work is done: remembers what was compiled for it, unless that is known. Never fails. */
  remember(): void;
}

export interface CodePlace {
  /** May be deleted or damaged at any time. */
  cacheDir: string;
  /** Other work compiles other functions. */
  purpose: string;
}

/** Code of files that no longer exist is useless. */
const FORGET_AFTER_MS = 30 * 24 * 3_600_000;
const ENDING = ".code";
const SUM_BYTES = 32;

/** Undefined when there is no such file. */
export function runCompiled(file: string, { cacheDir, purpose }: CodePlace): CompiledFile | undefined {
  const read = readWithIdentity(file);
  if (read === undefined) return undefined;
  const key = keyOf([file, read.identity, v8.cachedDataVersionTag()]);
  const cacheFile = path.join(cacheDir, `${purpose}-${key}${ENDING}`);
  const cachedData = readCode(cacheFile, key);
  const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${read.text}\n})`, {
    filename: file,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const module = { exports: {} as unknown };
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  // Under its real path, as Node has read the program: its files must not be read a second time under another one.
  run(module.exports, createRequire(fs.realpathSync(file)), module, file, path.dirname(file));
  const isKnown = cachedData !== undefined && script.cachedDataRejected !== true;
  return {
    exports: module.exports,
    remember: () => {
      if (isKnown) return;
      writeCacheFile(cacheFile, sealed(script.createCachedData(), key));
      forgetOld(cacheDir);
    },
  };
}

/** V8 only compares lengths of sources, so that it is for us to see that a file is another one. */
function readWithIdentity(file: string): { text: string; identity: unknown } | undefined {
  let fd: number;
  try {
    fd = fs.openSync(file, "r");
  } catch {
    return undefined;
  }
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = fs.fstatSync(fd);
    return { text: fs.readFileSync(fd, "utf8"), identity: [dev, ino, size, mtimeMs, ctimeMs] };
  } finally {
    fs.closeSync(fd);
  }
}

function keyOf(parts: unknown): string {
  return crypto.createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

/** V8 trusts what it is given, and damaged code would end the process: so there is a sum of it. */
function sealed(code: Uint8Array, key: string): Uint8Array {
  return Buffer.concat([sumOf(code, key), code]);
}

function readCode(cacheFile: string, key: string): Buffer | undefined {
  try {
    const bytes = fs.readFileSync(cacheFile);
    const code = bytes.subarray(SUM_BYTES);
    return sumOf(code, key).equals(bytes.subarray(0, SUM_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

function sumOf(code: Uint8Array, key: string): Buffer {
  return crypto.createHash("sha256").update(key).update(code).digest();
}

function forgetOld(cacheDir: string): void {
  try {
    for (const name of fs.readdirSync(cacheDir).filter((entry) => entry.endsWith(ENDING))) {
      const file = path.join(cacheDir, name);
      if (Date.now() - fs.statSync(file).mtimeMs > FORGET_AFTER_MS) fs.rmSync(file, { force: true });
    }
  } catch {
    // Someone else tidies up, or nobody can.
  }
}
