/** Parts of files as text. A character may lie across the border of two parts. */
import type { FilePage } from "../../wire/inbox-wire.js";
import type { FilePart } from "../model/run-source.js";

/** How many of the bytes are whole characters; the rest is the beginning of one that the next part ends. */
export function wholeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Where the first whole character begins. */
export function firstCharacter(bytes: Uint8Array): number {
  let at = 0;
  while (at < Math.min(3, bytes.length) && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}

/** A decoder that leaves a byte order mark where it is, to be shown. */
export function makeDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}

/** A part as a page of text that ends between two characters. */
export function textPage({ bytes, next, size }: FilePart, from: number): FilePage {
  const whole = next === null ? bytes.length : wholeLength(bytes) || bytes.length;
  return {
    text: makeDecoder().decode(bytes.subarray(0, whole)),
    from,
    next: next === null ? null : next - (bytes.length - whole),
    bytes: size,
  };
}

/** All bytes of a file, by as many parts as it takes. */
export async function readWhole(readFrom: (from: number) => Promise<FilePart>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const part: FilePart = await readFrom(from);
    parts.push(part.bytes);
    if (part.next !== null && part.next <= from) throw new Error("The rest of the file cannot be read.");
    from = part.next;
  }
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
