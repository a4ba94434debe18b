/** The bytes as text; undefined when they are none. A cut in the middle of a character leaves it out. */
export function textOfBytes(bytes: Buffer, { isCut = false } = {}): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}
