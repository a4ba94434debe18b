/** Texts of files that are being read page by page: finding one takes as long as looking at the whole question. */
import type { Side } from "../wire/inbox-wire.js";

interface TextKey {
  id: string;
  n: number;
  side: Side;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** A question that is asked again may show other files. */
const GOOD_FOR_MS = 5_000;

export class ReadTexts {
  readonly #texts = new Map<string, { text: Buffer; until: number }>();

  get(key: TextKey): Buffer | undefined {
    const found = this.#texts.get(nameOf(key));
    return found !== undefined && performance.now() < found.until ? found.text : undefined;
  }

  keep(key: TextKey, content: string): Buffer {
    const text = Buffer.from(content);
    this.#texts.set(nameOf(key), { text, until: performance.now() + GOOD_FOR_MS });
    let bytes = [...this.#texts.values()].reduce((sum, kept) => sum + kept.text.length, 0);
    for (const [name, kept] of this.#texts) {
      if (bytes <= MAX_BYTES && performance.now() < kept.until) continue;
      bytes -= kept.text.length;
      this.#texts.delete(name);
    }
    return text;
  }
}

function nameOf({ id, n, side }: TextKey): string {
  return `${id} ${n} ${side}`;
}
