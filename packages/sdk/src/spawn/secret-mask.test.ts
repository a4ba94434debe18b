import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskSecrets, SecretMask } from "./secret-mask.js";

function maskInPieces(pieces: readonly Buffer[], values: readonly string[]): string {
  const mask = new SecretMask(values);
  const out = pieces.flatMap((piece) => mask.push(piece).map((part) => Buffer.from(part)));
  return Buffer.concat([...out, ...mask.flush()]).toString("latin1");
}

describe("masking of secrets", () => {
  it("masks every occurrence and nothing else", () => {
    expect(maskSecrets("key=hunter22, again hunter22; hunter2 is not it", ["hunter22"])).toBe(
      "key=***, again ***; hunter2 is not it",
    );
  });

  it("leaves values alone that are too short to be secret", () => {
    expect(maskSecrets("abc abc", ["abc", ""])).toBe("abc abc");
  });

  it("shows no end of a value that overlaps with another one", () => {
    expect(maskSecrets("<abcdef>", ["abcd", "cdef"])).toBe("<***>");
    expect(maskSecrets("<abcdef>", ["abcd", "abcdef"])).toBe("<***>");
    expect(maskSecrets("<aaaaaaa>", ["aaaa"])).toBe("<***>");
  });

  it("takes the longer value also when its second half comes later", () => {
    expect(maskInPieces([Buffer.from("<abcd"), Buffer.from("ef>")], ["abcd", "abcdef"])).toBe("<***>");
    expect(maskInPieces([Buffer.from("<abcd"), Buffer.from("e!>")], ["abcd", "abcdef"])).toBe("<***e!>");
  });

  it("masks values beyond ASCII, and of several lines", () => {
    expect(maskSecrets("a schlüssel€ b", ["schlüssel€"])).toBe("a *** b");
    expect(maskSecrets("x\nline one\nline two\ny", ["line one\nline two"])).toBe("x\n***\ny");
  });

  const SECRET = 'p@ss/w+rd "ü" <&> $1.*[x]\\end';
  const bytes = Buffer.from(SECRET);
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const inJson = JSON.stringify(SECRET);

  it.each([
    ["as JSON", inJson],
    ["as JSON in JSON", JSON.stringify(inJson)],
    ["as JSON in ASCII", inJson.replaceAll("ü", "\\u00fc")],
    ["as JSON in ASCII, in capitals", inJson.replaceAll("ü", "\\u00FC")],
    ["as JSON that is safe in HTML", inJson.replace("<", "\\u003c").replace("&", "\\u0026").replace(">", "\\u003E")],
    ["as JSON with escaped slashes", inJson.replaceAll("/", "\\/")],
    ["in a URL", encodeURIComponent(SECRET)],
    ["in a URL, with small letters", encodeURIComponent(SECRET).replaceAll(/%../gu, (code) => code.toLowerCase())],
    ["in a path of a URL", encodeURI(SECRET)],
    ["in a form", encodeURIComponent(SECRET).replaceAll("%20", "+")],
    ["in a URL, each byte escaped", percent],
    ["in hexadecimal", bytes.toString("hex")],
    ["in hexadecimal, in capitals", bytes.toString("hex").toUpperCase()],
  ])("masks a value %s", (_way, text) => {
    const masked = maskSecrets(`<${text}>`, [SECRET]);
    expect(masked.replaceAll(/["\\]/gu, "")).toBe("<***>");
    expect(
      maskInPieces(
        [...Buffer.from(`<${text}>`)].map((byte) => Buffer.from([byte])),
        [SECRET],
      ),
    ).toBe(masked);
  });

  it.each(["base64", "base64url"] as const)("masks a value in %s, whatever is around it", (encoding) => {
    const secret = "sk-live-ÿÿ?>~0123456789abcdef";
    for (let before = 0; before < 7; before += 1) {
      for (let behind = 0; behind < 4; behind += 1) {
        const text = Buffer.from(`${"u".repeat(before)}${secret}${"v".repeat(behind)}`).toString(encoding);
        const masked = maskSecrets(text, [secret]);
        expect(masked).toContain("***");
        // What remains belongs to the neighbours, but for a few bits.
        const around = Buffer.from("u".repeat(before) + "v".repeat(behind)).toString(encoding).length;
        expect(masked.length - 3).toBeLessThanOrEqual(around + 4);
        expect(maskSecrets(encodeURIComponent(text), [secret])).toContain("***");
      }
    }
  });

  it.each(["\n", "\r\n"])("masks what is wrapped into lines with %j", (lineEnd) => {
    const secret = "github_pat_".padEnd(300, "0123456789abcdefghijklmnopqrstuvwxyz");
    for (const width of [64, 76])
      for (const encoding of ["base64", "hex"] as const) {
        const text = Buffer.from(`user:${secret}`).toString(encoding);
        const wrapped = text.replaceAll(new RegExp(`.{${width}}`, "gu"), (line) => `${line}${lineEnd}`);
        const masked = maskSecrets(`before\n${wrapped}\nafter\n`, [secret]);
        expect(masked.length).toBeLessThan(40);
        expect(masked).toMatch(/^before\n.*\*\*\*[^]*\nafter\n$/u);
      }
  });

  it("takes short lines for what they are", () => {
    expect(maskSecrets("1\n2\n3\n4\n5\n6\n7\n8\n9\n", ["12345678"])).toBe("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  });

  it("masks values of several lines with other line ends, escaped, or one line at a time", () => {
    const key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\nxyz=\n-----END KEY-----";
    expect(maskSecrets(`<${key.replaceAll("\n", "\r\n")}>`, [key])).toBe("<***>");
    expect(maskSecrets(`<${key}>`, [key.replaceAll("\n", "\r\n")])).toBe("<***>");
    expect(maskSecrets(`<${JSON.stringify(key)}>`, [key])).toBe('<"***">');
    expect(maskSecrets(`<${JSON.stringify(key.replaceAll("\n", "\r\n"))}>`, [key])).toBe('<"***">');
    expect(maskSecrets("  | kqhkiG9w0BAQEF\n  | xyz=\n", [key])).toBe("  | ***\n  | xyz=\n");
  });

  it.each([
    ["blank lines", "\n", "aaaaaaaa"],
    ["what begins like a secret", "a", `${"a".repeat(4000)}b`],
    ["nothing but the secret", "a", "a".repeat(4000)],
    ["unfinished escapes", "%", "%%%%%%%%%%"],
    ["backslashes", "\\", "\\".repeat(500)],
    ["pairs", "ab", `${"ab".repeat(2000)}c`],
  ])(
    "takes no longer for %s than the size says",
    (_what, unit, secret) => {
      const size = 4 * 1024 * 1024;
      const mask = new SecretMask([secret]);
      const piece = Buffer.from(unit.repeat(16 * 1024));
      let given = 0;
      for (let done = 0; done < size; done += piece.length) for (const part of mask.push(piece)) given += part.length;
      for (const part of mask.flush()) given += part.length;
      expect(given).toBeGreaterThan(0);
    },
    60_000,
  );

  it("gives back at once what cannot be the beginning of a value", () => {
    const mask = new SecretMask(["secret"]);
    expect(Buffer.concat(mask.push(Buffer.from("progress 10% se"))).toString()).toBe("progress 10% ");
    expect(Buffer.concat(mask.push(Buffer.from("ven"))).toString()).toBe("seven");
  });

  it.each([
    ["half of a value", "<sk-live-0123"],
    ["half of it as JSON", '{"a":"\\u0073k-live-01'],
    ["half of it in a URL", "?key=sk%2Dlive%2D0123"],
    ["half of a value that begins with another one", "<sk-live-0123456789abcdef-and"],
  ])("does not show %s when whoever printed it was stopped", (_what, text) => {
    const mask = new SecretMask(["sk-live-0123456789abcdef", "sk-live-0123456789abcdef-and-more", "k-live-0"]);
    const shown = Buffer.concat([...mask.push(Buffer.from(text)), ...mask.cutOff()]).toString();
    expect(shown).toBe(`${text.slice(0, text.indexOf(text.includes("u0073") ? "\\u0073" : "sk"))}***`);
  });

  it("shows an end that only a few bytes have in common with a value", () => {
    const mask = new SecretMask(["postgres://user:word@host/"]);
    expect(Buffer.concat([...mask.push(Buffer.from("is postgre")), ...mask.cutOff()]).toString()).toBe("is postgre");
  });

  it("gives the same for every way to cut the text into pieces", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "%61", "\\", "\n", "\r", "\\u0061"), maxLength: 60 });
    const values = fc.array(fc.string({ unit: fc.constantFrom("a", "b"), minLength: 4, maxLength: 7 }), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(
        text,
        values,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 60 }),
        (all, secrets, cuts) => {
          const pieces: Buffer[] = [];
          for (let at = 0, index = 0; at < all.length; index += 1) {
            const length = cuts[index % cuts.length] as number;
            pieces.push(Buffer.from(all.slice(at, at + length)));
            at += length;
          }
          const masked = maskInPieces(pieces, secrets);
          expect(masked).toBe(maskSecrets(all, secrets));
          for (const secret of secrets) expect(masked).not.toContain(secret);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
