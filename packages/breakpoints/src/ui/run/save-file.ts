/** Hands a file to whoever looks at the page. */
import { nameIn } from "./file-kinds.js";

/** Only signs that every system takes in a name. */
const STRANGE = /[^\p{L}\p{N} ._-]/gu;

export function saveFile(path: string, bytes: Uint8Array<ArrayBuffer>, type = "application/octet-stream"): void {
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = nameIn(path).replaceAll(STRANGE, "_");
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
