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

  it("gives back at once what cannot be the beginning of a value", () => {
    const mask = new SecretMask(["secret"]);
    expect(Buffer.concat(mask.push(Buffer.from("progress 10% se"))).toString()).toBe("progress 10% ");
    expect(Buffer.concat(mask.push(Buffer.from("ven"))).toString()).toBe("seven");
  });

  it("gives the same for every way to cut the text into pieces", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 60 });
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
