/** In which direction a message runs. Pure. */
import { TURNED } from "./visible.js";

const QUOTED = /("[^"\n]*")/u;
const LETTER = /\p{L}/u;
const IS_TURNED = new RegExp(TURNED, "u");

export interface MessageParts {
  dir: "ltr" | "rtl";
  /** Its own words and what stands in quotes, in turns. */
  parts: string[];
}

/** Messages name things in quotes, often at their beginning: the words around those say the direction. */
export function messageParts(text: string): MessageParts {
  const parts = text.split(QUOTED);
  const own = parts.filter((_, index) => index % 2 === 0).join("");
  const [first = ""] = LETTER.exec(own) ?? LETTER.exec(text) ?? [];
  return { dir: IS_TURNED.test(first) ? "rtl" : "ltr", parts };
}
