import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DocumentFile, RunDocument } from "../wire/run-document.js";
import { redactDocument } from "./redact-document.js";
import type { Known } from "./redact-text.js";

const KNOWN: Known = { secrets: [], homes: ["/srv/people/mia"], users: ["miamueller"], hosts: ["bluewhale.local"] };

interface Parts {
  /** The value of a task's result. */
  result?: unknown;
  /** Further fields of the definition of a task. */
  definition?: object;
  log?: string;
  files?: DocumentFile[];
  transcripts?: RunDocument["transcripts"];
  output?: string;
}

function file(kind: DocumentFile["kind"], path: string, text: string): DocumentFile {
  const content = { from: 0, text };
  const modifiedAt = "2026-11-17T10:00:00.000Z";
  return { kind, path, bytes: text.length, modifiedAt, content, missing: null, sha256: "5".repeat(64) };
}

function documentOf({ result = null, definition = {}, log, files = [], transcripts = [], output }: Parts): RunDocument {
  const frame = (seq: number) => ({ seq, timestamp: "2026-11-17T10:00:00.000Z", checksum: "a".repeat(64) });
  const effect = { effectId: "effect-1", invocationKey: "step:1", taskId: "step" };
  return {
    format: 1,
    exportedAt: "2026-11-17T10:00:00.000Z",
    version: "0.1.0",
    redacted: null,
    detail: { id: "run-1", state: "completed", output: output ?? null, createdAt: "x" } as RunDocument["detail"],
    events: [
      { ...frame(1), type: "RUN_CREATED", payload: { runId: "run-1", processId: "test/p" } },
      {
        ...frame(2),
        ...effect,
        type: "EFFECT_REQUESTED",
        payload: { kind: "shell", definition: { value: definition } },
      },
      { ...frame(3), ...effect, type: "EFFECT_STARTED", payload: { attempt: 1, executor: "shell", host: "build-7" } },
      {
        ...frame(4),
        ...effect,
        type: "EFFECT_RESOLVED",
        payload: { status: "ok", by: "post", result: { value: result } },
      },
    ],
    leftOut: { values: 0, bytes: 0 },
    integrity: { ok: true, events: 4, signed: 0, findings: [] },
    files: [...(log === undefined ? [] : [file("log", "tasks/effect-1/stdout.log", log)]), ...files],
    moreFiles: false,
    transcripts,
  };
}

function resultOf(value: unknown, known: Partial<Known> = {}): unknown {
  const { events } = redactDocument(documentOf({ result: value }), { ...KNOWN, ...known });
  return (events[3] as { payload: { result: { value: unknown } } }).payload.result.value;
}

describe("redactDocument", () => {
  it.each<[string, unknown, unknown]>([
    ["by their names", { dbPassword: "hunter", note: "fine" }, { dbPassword: "***", note: "fine" }],
    ["in texts", "API_TOKEN=abc123 MAX_TOKENS=5", "API_TOKEN=*** MAX_TOKENS=5"],
    ["in JSON in a text", '{"clientSecret": "a b c"}', '{"clientSecret": "***"}'],
    ["in JSON in JSON", String.raw`"{\"clientSecret\":\"abc\"}"`, String.raw`"{\"clientSecret\":\"***\"}"`],
    ["as flags", "deploy --token abc --user-name x", "deploy --token *** --user-name x"],
    ["by their look", "use ghp_0123456789abcdefghijABCDEFGHIJ now", "use *** now"],
    ["of a bot", `to 123456789:${"aB3_".repeat(8)}xyz now`, "to *** now"],
    ["of a bot, with a dash at its end", `to 123456789:${"aB3_".repeat(8)}xy- now`, "to *** now"],
    ["in addresses", "https://me:s3cret@db.test/x", "https://me:***@db.test/x"],
    ["in headers", "Authorization: Bearer abcdefABCDEF", "Authorization: ***"],
    ["as keys", "a\n-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nb", "a\n***\nb"],
    ["of an environment", { env: { LEVEL: "debug" } }, { env: { LEVEL: "***" } }],
    ["e-mail addresses", "ask Mia.M+x@mail.example.org, please", "ask <email>, please"],
    ["the home folder", "/srv/people/mia/x and /srv/people/miao", "~/x and /srv/people/miao"],
    ["home folders of others", "/home/tom/x, C:\\Users\\tom\\x", "~/x, ~\\x"],
    ["the user", "-srv-miamueller-x by miamueller", "-srv-<user>-x by <user>"],
    ["the machine", "on bluewhale.local", "on <host>"],
    ["encoded for a URL", "?mail=mia%40example.org&x", "***"],
    ["encoded in base64", `x ${btoa("password=hunter22 and more")} y`, "x *** y"],
  ])("B7: takes out secrets and names: %s", (_, value, clean) => {
    expect(resultOf(value)).toEqual(clean);
  });

  it("leaves alone what only looks alike", () => {
    const plain = {
      text: "The root cause: a token is missing. See /usr/home and https://x.test/home/page, a5c@1.2.3",
      sortKeys: ["a"],
      hash: "f".repeat(64),
      at: "2026-11-17T10:00:00.000Z",
      count: 123_456,
    };
    expect(resultOf(plain, { users: ["root"], hosts: ["localhost"] })).toEqual(plain);
  });

  it("B7: what was masked in the journal stays masked, and a picture of the run stays possible", () => {
    const { events, redacted } = redactDocument(documentOf({ result: { token: "***", text: "PASSWORD=***" } }), {
      ...KNOWN,
      users: ["shell", "EFFECT_STARTED", "completed"],
    });
    expect(events).toMatchObject([
      { type: "RUN_CREATED" },
      { invocationKey: "step:1", payload: { kind: "shell" } },
      { type: "EFFECT_STARTED", payload: { executor: "shell", host: "<host>" } },
      { payload: { by: "post", result: { value: { token: "***", text: "PASSWORD=***" } } } },
    ]);
    expect(redacted?.secret).toBeUndefined();
  });

  it("B7: contents of artifacts and transcripts become their size and hash; logs stay, without secrets", () => {
    const said = { who: "agent", at: null, name: null, text: "I have read everything.", cut: false } as const;
    const transcript = { id: "s1", session: "s1", bytes: 99, entries: [said], missing: null, sha256: "6".repeat(64) };
    const clean = redactDocument(
      documentOf({
        log: "built by miamueller\n",
        files: [file("artifact", "artifacts/plan.md", "the plan")],
        transcripts: [transcript],
      }),
      KNOWN,
    );
    expect(clean.files).toMatchObject([
      { content: { text: "built by <user>\n" }, missing: null },
      { content: null, missing: `its content was redacted (8 bytes, SHA-256 ${"5".repeat(64)})` },
    ]);
    expect(clean.transcripts[0]?.entries).toEqual([]);
    expect(clean.redacted?.content).toEqual({ count: 2, places: ["file artifacts/plan.md", "transcript s1"] });
  });

  it("B7: values of a declared environment are nowhere else either, unless they are plain words", () => {
    const said = "got envvalue777 in production at /srv/data, debug";
    const env = { MYVAR: "envvalue777", MODE: "production", DIR: "/srv/data", LEVEL: "debug" };
    const clean = redactDocument(
      documentOf({ definition: { shell: { command: "run", env } }, log: said, result: { said } }),
      KNOWN,
    );
    const text = "got *** in production at /srv/data, debug";
    expect(clean.files).toMatchObject([{ content: { text } }]);
    expect(clean.events[3]).toMatchObject({ payload: { result: { value: { said: text } } } });
    expect(JSON.stringify(clean)).not.toContain("envvalue777");
  });

  it("B7: places name the event and the field, never the value", () => {
    const { redacted } = redactDocument(documentOf({ result: { "mia@example.org": { apiKey: "k3yk3yk3y" } } }), KNOWN);
    expect(redacted?.secret?.places).toEqual(["event 4 (EFFECT_RESOLVED), payload, result, value, <email>, apiKey"]);
    expect(JSON.stringify(redacted)).not.toMatch(/k3y|mia@/u);
  });

  const secret = fc
    .tuple(
      fc.string({
        unit: fc.constantFrom(..."abcdefGHIJKLM0123456789_-+/!$&é ".split("")),
        minLength: 10,
        maxLength: 40,
      }),
      fc.integer({ min: 0, max: 9 }),
    )
    .map(([text, digit]) => `q${text.trim()}${digit}Z`);

  it("B7: a secret that is known once is nowhere, in whatever way it is written", () => {
    fc.assert(
      fc.property(secret, fc.string(), (value, before) => {
        const ways = [
          value,
          encodeURIComponent(value),
          Buffer.from(value).toString("base64"),
          Buffer.from(value).toString("base64url"),
          Buffer.from(`${before}${value}`).toString("base64"),
          Buffer.from(value).toString("hex"),
          JSON.stringify(value),
        ];
        const document = documentOf({
          result: { apiToken: value, others: ways },
          definition: { [`x ${value}`]: 1, shell: { command: `curl ${ways.join(" ")}` } },
          log: ways.join("\n"),
          output: JSON.stringify(ways),
        });
        const text = JSON.stringify(redactDocument(document, KNOWN));
        for (const way of ways) expect(text).not.toContain(JSON.stringify(way).slice(1, -1));
      }),
      { numRuns: 60 },
    );
  });

  it("B7: to redact twice is to redact once", () => {
    const piece = fc.constantFrom(
      ..."TOKEN= password: \" ' \\ /home/tom /srv/people/mia miamueller bluewhale.local mia@example.org ghp_0123456789abcdefghijABCDEFGHIJ --token eyJhbGciOiJI.eyJzdWIiOiIx.abc Bearer %40 *** [hidden] <user> ~ - : = & x1y2z3w4".split(
        " ",
      ),
      " ",
      "\n",
    );
    const text = fc
      .array(fc.oneof(piece, fc.string({ unit: "binary", maxLength: 6 })), { maxLength: 14 })
      .map((all) => all.join(""));
    const value = fc.oneof(
      text,
      text.map(btoaUtf8),
      text.map(encodedForUrl),
      fc.record({ secretKey: text, by: text, host: text, env: fc.record({ A: text }) }),
    );
    fc.assert(
      fc.property(value, text, text, (result, log, output) => {
        const once = redactDocument(documentOf({ result, log, output, definition: { run: output } }), KNOWN);
        expect(redactDocument(once, KNOWN)).toEqual(once);
      }),
      { numRuns: 120 },
    );
  });
});

function btoaUtf8(text: string): string {
  return Buffer.from(text).toString("base64");
}

function encodedForUrl(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
