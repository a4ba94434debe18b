/** Reads the files of the pages once: an update in place must not mix two versions of them. */
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
};

export interface PageFile {
  bytes: Uint8Array<ArrayBuffer>;
  packed: Uint8Array<ArrayBuffer>;
  type: string;
  /** Its name changes with its content. */
  immutable: boolean;
}

/** By their addresses; empty when the pages are not built. */
export function readPages(folder: string): Map<string, PageFile> {
  const pages = new Map<string, PageFile>();
  if (!fs.existsSync(folder)) return pages;
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[path.extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = path.join(entry.parentPath, entry.name);
    const address = `/${path.relative(folder, file).split(path.sep).join("/")}`;
    const bytes = new Uint8Array(fs.readFileSync(file));
    pages.set(address, {
      bytes,
      packed: new Uint8Array(gzipSync(bytes)),
      type,
      immutable: address.startsWith("/assets/"),
    });
  }
  return pages;
}
