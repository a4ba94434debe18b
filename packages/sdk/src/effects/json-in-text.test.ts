import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../model/json.js";
import { findAnswer } from "./json-in-text.js";

/** The value that is most likely meant when JSON is expected. */
function found(text: string): Json | undefined {
  const answer = findAnswer(text, true);
  return answer.kind === "json" ? answer.candidates[0] : undefined;
}

const ENVELOPE = { type: "result", subtype: "success", is_error: false, session_id: "s", num_turns: 3 };
const envelope = (result: string, more: object = {}): string => JSON.stringify({ ...ENVELOPE, result, ...more });

describe("the answer in a text", () => {
  it("is the whole text when that is JSON", () => {
    for (const value of [{ a: 1 }, [1, 2], "text", 42, true, null]) {
      expect(findAnswer(`\n ${JSON.stringify(value, null, 2)} \n`, true)).toEqual({
        kind: "json",
        candidates: [value],
      });
    }
    expect(found('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });

  it("is the last fenced block that holds JSON", () => {
    const text =
      'First:\n```json\n{"a":1}\n```\nthen\n  ```JSON\n{"a":2}\n  ```\nbroken\n```json\n{"a":\n```\nBye [1].';
    expect(found(text)).toEqual({ a: 2 });
    expect(found("```json\n7\n```\nok")).toBe(7);
    expect(found('````json\n{"a":"```"}\n````\nok')).toEqual({ a: "```" });
  });

  it("offers what else may be meant, after the likeliest", () => {
    expect(findAnswer('```json\n{"a":1}\n```\nFinally: {"a":2}', true)).toEqual({
      kind: "json",
      candidates: [{ a: 1 }, { a: 2 }],
    });
  });

  it("is the last complete object or array among prose", () => {
    expect(found('log {"a":1} then {"a":{"b":[2]}} done')).toEqual({ a: { b: [2] } });
    expect(found('```\n{"a":1}\n```\nno language')).toEqual({ a: 1 });
    expect(found('{"half": {"a":1}, oops')).toEqual({ a: 1 });
    expect(found("if (x) { y[0]; } [1, 2")).toEqual([0]);
    expect(found('{"a":1} and {"b":')).toEqual({ a: 1 });
    expect(found("none at all { } ] [")).toEqual({});
  });

  it("is not confused by brackets and quotes, in strings or alone", () => {
    expect(found('say {"a":"}{][\\"","b":"\\\\"} ok')).toEqual({ a: '}{]["', b: "\\" });
    expect(found('it said "{ and then {"a":"it\'s"} "')).toEqual({ a: "it's" });
    expect(found('["] {"a":1}')).toEqual({ a: 1 });
    expect(found('{"x": "never closed\n{"a":1}')).toEqual({ a: 1 });
    expect(found('[[[{{{ "" {"a":1} ]]')).toEqual({ a: 1 });
  });

  it("has to be JSON to the letter", () => {
    for (const text of [
      "{a:1}",
      "{'a':1}",
      "[1,]",
      '{"a":1,}',
      "[01]",
      "[1.]",
      "[+1]",
      '["\\x"]',
      '["\\u12"]',
      "[NaN]",
    ]) {
      expect(findAnswer(`see ${text} there`, true).kind).toBe("text");
    }
    expect(found('first {"a":1} then {"b":"two\nlines"}')).toEqual({ a: 1 });
    expect(found('see ["\\u00e9\\n",-1.5e+3,0,null,true,false] there')).toEqual(["é\n", -1500, 0, null, true, false]);
  });

  it("may be coloured and have titles and links around it", () => {
    expect(found('\u001B[32m{"a":\u001B[0m1}\u001B[K')).toEqual({ a: 1 });
    expect(found('\u001B]0;title {"a":0}\u0007done \u001B]8;;http://x\u001B\\link\u001B]8;;\u001B\\ {"a":2}')).toEqual({
      a: 2,
    });
    expect(found('{"a":2} \u001B]0;title {"a":0}\u0007done')).toEqual({ a: 2 });
    expect(found('\u001B]0;never ends\n{"a":3}')).toEqual({ a: 3 });
  });

  it("is missing in an empty text", () => {
    for (const text of ["", " \n", "\u001B[0m\n"]) expect(findAnswer(text, true)).toEqual({ kind: "nothing" });
  });
});

describe("without a schema", () => {
  it("plain text is the answer, also with brackets in its sentences", () => {
    for (const text of ["All is well.", "See [1] and {} for a[0].", 'Set {"a":1} in the file.']) {
      expect(findAnswer(`${text}\n`, false)).toEqual({ kind: "text", text });
    }
  });

  it("JSON on lines of its own is the answer", () => {
    expect(findAnswer('Here:\n\n  {\n "a": 1\n}  \n\nBye [2].', false)).toEqual({
      kind: "json",
      candidates: [{ a: 1 }],
    });
    expect(findAnswer('Here:\n```json\n{"a":1}\n```', false)).toMatchObject({ candidates: [{ a: 1 }, { a: 1 }] });
    expect(findAnswer("[3]", false)).toEqual({ kind: "json", candidates: [[3]] });
  });
});

describe("the envelope of Claude Code", () => {
  it("is opened, and its text searched", () => {
    expect(found(envelope('{"a":1}'))).toEqual({ a: 1 });
    expect(found(envelope('Sure!\n```json\n{"a":2}\n```\nBye.'))).toEqual({ a: 2 });
    expect(findAnswer(envelope("plain"), false)).toEqual({ kind: "text", text: "plain" });
    expect(findAnswer(envelope(" "), true)).toEqual({ kind: "nothing" });
  });

  it("is found at the end of a stream, in a list of messages and behind logs", () => {
    const stream = `{"type":"system"}\n{"type":"assistant","message":"{\\"a\\":0}"}\n${envelope('{"a":1}')}\n`;
    expect(found(stream)).toEqual({ a: 1 });
    expect(found(`[{"type":"system"},${envelope('{"a":2}')}]`)).toEqual({ a: 2 });
    expect(found(`warning: {x}\n${JSON.stringify(JSON.parse(envelope('{"a":3}')), null, 2)}\nbye`)).toEqual({ a: 3 });
  });

  it("with an error is a failure with its text", () => {
    expect(findAnswer(envelope("Credit too low", { is_error: true }), true)).toEqual({
      kind: "failure",
      message: "Credit too low",
    });
    expect(findAnswer('{"type":"result","subtype":"error_max_turns","is_error":false}', true)).toEqual({
      kind: "failure",
      message: "error_max_turns",
    });
  });

  it("gives structured output first", () => {
    expect(found(envelope("I am done.", { structured_output: { a: 1 } }))).toEqual({ a: 1 });
  });

  it("is not seen in an answer that only resembles it", () => {
    expect(found('{"type":"result","value":1}')).toEqual({ type: "result", value: 1 });
  });
});

describe("any text", () => {
  const value = fc.jsonValue({ maxDepth: 4 }).filter((item) => typeof item === "object" && item !== null);
  const prose = fc.string({ unit: fc.constantFrom("a", " ", "\n", ".", "]", "}", ",", ":", "1") });

  it("gives back the value that was put into it", () => {
    fc.assert(
      fc.property(value, prose, prose, fc.boolean(), (item, before, after, pretty) => {
        const text = `${before} x\n${JSON.stringify(item, null, pretty ? 2 : 0)}\nx${after}`;
        expect(JSON.stringify(found(text))).toBe(JSON.stringify(item));
      }),
      { numRuns: 500 },
    );
  });

  it("gives only what is really in it, like a search of all places would", () => {
    const noise = fc.string({
      unit: fc.constantFrom("{", "}", "[", "]", '"', "\\", ",", ":", "1", " ", "a"),
      maxLength: 24,
    });
    fc.assert(
      fc.property(noise, (text) => {
        const answer = findAnswer(`x${text}`, true);
        const all = completeContainers(`x${text}`);
        const [likeliest] = answer.kind === "json" ? answer.candidates : [];
        expect(answer.kind === "json").toBe(all.length > 0);
        expect([...all, undefined]).toContain(JSON.stringify(likeliest));
      }),
      { numRuns: 5000 },
    );
  });

  it("is never taken for a value that is too deep to be handled", () => {
    const deep = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`;
    const least = found(deep);
    expect(() => JSON.stringify(least)).not.toThrow();
    expect(found(`${"[".repeat(150)}${"]".repeat(150)}`)).toBeDefined();
  });
});

/** The slow and sure way: every start with every end. */
function completeContainers(text: string): string[] {
  const values: string[] = [];
  for (let start = 0; start < text.length; start += 1) {
    if (text[start] !== "{" && text[start] !== "[") continue;
    for (let end = start + 1; end <= text.length; end += 1) {
      try {
        values.push(JSON.stringify(JSON.parse(text.slice(start, end))));
      } catch {
        // not here
      }
    }
  }
  return values;
}
