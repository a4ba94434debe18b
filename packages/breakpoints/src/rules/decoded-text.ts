/** Parts of a text that mean another text: base64, escapes of URLs, escapes of JSON. */

const BASE64 = /[A-Za-z0-9+/_-]{16,}={0,2}/gu;
const WORD = /[^\s"'<>]+/gu;
const URL_ESCAPES = /(?:%[0-9a-fA-F]{2})+/gu;
const JSON_ESCAPE = /\\u([0-9a-fA-F]{4})|\\(\/)/gu;
/** Base64 is read in groups of four characters; where the first one begins, nobody says. */
const SHIFTS = [0, 1, 2, 3];

/** Replaces the parts for whose meaning `judge` answers something. */
export function decodedParts(text: string, judge: (decoded: string) => string | undefined): string {
  const unescaped = text.replaceAll(WORD, (word) => {
    if (!word.includes("%") && !word.includes("\\")) return word;
    const decoded = withoutEscapes(word);
    return decoded === word ? word : (judge(decoded) ?? word);
  });
  return unescaped.replaceAll(BASE64, (run) => {
    for (const shift of SHIFTS) {
      const decoded = base64Text(run.slice(shift));
      const verdict = decoded === undefined ? undefined : judge(decoded);
      if (verdict !== undefined) return verdict;
    }
    return run;
  });
}

function withoutEscapes(word: string): string {
  const decoded = word.replaceAll(URL_ESCAPES, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
  return decoded.replaceAll(JSON_ESCAPE, (_, code: string | undefined, slash: string | undefined) =>
    code === undefined ? (slash ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** So many characters tell whether it is worth while to read the rest: of most long ones it is not. */
const SAMPLE = 64;

/** Undefined for what is no text. */
function base64Text(run: string): string | undefined {
  if (run.length > SAMPLE && plainText(run.slice(0, SAMPLE)) === undefined) return undefined;
  return plainText(run);
}

function plainText(run: string): string | undefined {
  const plain = run.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", "");
  const decoded = atob(plain.slice(0, plain.length % 4 === 1 ? -1 : undefined));
  const bytes = new Uint8Array(decoded.length);
  for (let at = 0; at < decoded.length; at += 1) bytes[at] = decoded.charCodeAt(at);
  // Whatever is cut at its end is still a text.
  for (const cut of [0, 1, 2, 3]) {
    const text = utf8(bytes.subarray(0, bytes.length - cut));
    if (text !== undefined) return /(?![\t\n\r])\p{Cc}/u.test(text) ? undefined : text;
  }
  return undefined;
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
