import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { describe, expect, it } from "vitest";
import { questionRow, troubleRow } from "../../../../tests/fixtures/notify/imagined-worker.js";
import { composeMessage, type MessageFacts, type MessageFrame, outcomeOfSubject, shownBy } from "./notify-messages.js";
import type { Outgoing } from "./notify-outgoing.js";

const SECRETS = {
  title: "T-title",
  question: "T-question that is longer than its title",
  risk: "T-risk",
  run: { id: "T-run", process: "T-process" },
  project: { name: "T-project", root: "/T-root" },
};

function composed(frame: Partial<MessageFrame>, facts: Partial<MessageFacts> = {}): Outgoing {
  return composeMessage(
    {
      id: "m",
      kind: "questions",
      subjects: ["question:a"],
      repeat: false,
      fields: [],
      publicUrl: "https://inbox.example",
      ...frame,
    },
    {
      questions: new Map(["a", "b"].map((id) => [id, questionRow(id, SECRETS)])),
      options: new Map([["a", ["T-yes", "T-no"]]]),
      troubles: new Map(),
      outcomeOf: () => undefined,
      lines: [],
      ...facts,
    },
  );
}

describe("a message", () => {
  it("B9: says nothing but what its channel may say", () => {
    const marks: Readonly<Record<notices.Field, string[]>> = {
      title: ["T-title"],
      question: ["T-question"],
      run: ["T-run", "T-process"],
      project: ["T-project"],
      link: ["https://inbox.example/questions/a"],
      options: ["T-yes", "T-no"],
      risk: ["T-risk"],
    };
    const found = (fields: readonly notices.Field[]): string[] => {
      const text = JSON.stringify(composed({ fields }));
      expect(text).not.toContain("T-root");
      return Object.values(marks)
        .flat()
        .filter((mark) => text.includes(mark));
    };
    expect(found([])).toEqual([]);
    for (const field of notices.FIELDS) expect([field, found([field])]).toEqual([field, marks[field]]);
    expect(found(notices.FIELDS).toSorted()).toEqual(Object.values(marks).flat().toSorted());
    expect(found(notices.USUAL_FIELDS)).not.toContain("T-question");
  });

  it("has links only with an address that a phone can reach", () => {
    const fields = [...notices.FIELDS];
    expect(JSON.stringify(composed({ fields, publicUrl: undefined }))).not.toContain("link");
    expect(composed({ fields }).link).toBe("https://inbox.example/questions/a");
    expect(composed({ fields, subjects: ["question:a", "question:b"] }).link).toBe("https://inbox.example/");
    expect(composed({ fields, kind: "report", subjects: ["report:2026-01-20"] }).link).toBe(
      "https://inbox.example/report",
    );
    const odd = composed(
      { fields, subjects: ["question:x/../y"] },
      { questions: new Map([["x/../y", questionRow("x/../y")]]) },
    );
    expect(odd.link).toBe("https://inbox.example/questions/x%2F..%2Fy");
  });

  it("names a question by its beginning where it has no title, on one line", () => {
    const question = `First\nline \u202e${"x".repeat(500)}`;
    const questions = new Map([["a", questionRow("a", { question })]]);
    const [item] = composed({ fields: ["title"] }, { questions }).items;
    expect(item?.title).toMatch(/^First line \\u\{202e\}x+…$/u);
    expect(item?.title.length).toBeLessThan(150);
    expect(
      composed({ fields: ["title", "question"] }, { questions: new Map([["a", questionRow("a")]]) }).items[0]?.details,
    ).toEqual([]);
  });

  it.each([
    ["questions", 1, 0, "A question is waiting for you"],
    ["questions", 3, 0, "3 questions are waiting for you"],
    ["questions", 3, 1, "2 of 3 questions are still waiting for you"],
    ["questions", 1, 1, "The question is answered"],
    ["questions", 3, 3, "All 3 questions are answered"],
    ["reminder", 1, 0, "A question is still waiting for you"],
    ["reminder", 2, 0, "2 questions are still waiting for you"],
    ["trouble", 1, 0, "A run needs you"],
    ["trouble", 2, 0, "2 runs need you"],
    ["trouble", 2, 1, "1 of 2 runs still need you"],
    ["trouble", 1, 1, "The run no longer needs you"],
  ] as const)("of kind %s about %i, of which %i are over: %s", (kind, count, over, heading) => {
    const subjects = Array.from({ length: count }, (_, n) => `${kind === "trouble" ? "run" : "question"}:${n}`);
    const outcomeOf = (subject: string): string | undefined => (subjects.indexOf(subject) < over ? "Done." : undefined);
    expect(composed({ kind, subjects }, { outcomeOf }).heading).toBe(heading);
  });

  it("names twenty, and counts the others", () => {
    const ids = Array.from({ length: 25 }, (_, n) => `q${n}`);
    const questions = new Map(ids.map((id) => [id, questionRow(id)]));
    const { items, lines, heading } = composed({ subjects: ids.map((id) => `question:${id}`) }, { questions });
    expect([items.length, lines, heading]).toEqual([20, ["… and 5 more"], "25 questions are waiting for you"]);
  });

  it("says what came of each, and why a run needs somebody", () => {
    const trouble = troubleRow("r", 5, { why: "no\nluck", state: "blocked" });
    const troubles = new Map([[trouble.subject, trouble]]);
    const { items } = composed(
      { kind: "trouble", subjects: [trouble.subject], fields: ["title", "run"] },
      { troubles },
    );
    expect(items).toEqual([
      { subject: "run:r@5", title: "A run is blocked: no luck", details: [{ name: "run", text: "x, r" }] },
    ]);
    const failed = troubleRow("r", 5, { why: "T-output" });
    const told = (fields: notices.Field[]): string | undefined =>
      composed(
        { kind: "trouble", subjects: [failed.subject], fields },
        { troubles: new Map([[failed.subject, failed]]) },
      ).items[0]?.title;
    expect([told([...notices.USUAL_FIELDS]), told(["question"])]).toEqual([
      "A run has failed",
      "A run has failed: T-output",
    ]);
    const over = composed({ kind: "trouble", subjects: ["run:r@5"], fields: [] }, { outcomeOf: () => "It resumed." });
    expect(over.items).toEqual([{ subject: "run:r@5", title: "A run", details: [], outcome: "It resumed." }]);
    expect(composed({ kind: "test", subjects: ["test:1"], repeat: true, tap: "t" })).toMatchObject({
      repeat: true,
      tap: "t",
      items: [],
    });
  });
});

describe("what came of something", () => {
  it("is told in one line, and a message is changed only for that", () => {
    const row = questionRow("a", { state: "rejected", by: "Mia\nMio", via: "telegram" });
    const situation = { decided: new Map([["a", row]]), overcome: new Set(["run:r@1"]) };
    expect(outcomeOfSubject(situation, "question:a")).toBe("Rejected by Mia Mio in Telegram.");
    expect(outcomeOfSubject(situation, "run:r@1")).toBe("It resumed.");
    expect([outcomeOfSubject(situation, "question:b"), outcomeOfSubject(situation, "run:r@2")]).toEqual([
      undefined,
      undefined,
    ]);
    const { via: _, by: _by, ...nobody } = row;
    expect(
      outcomeOfSubject({ ...situation, decided: new Map([["a", { ...nobody, via: "__proto__" }]]) }, "question:a"),
    ).toBe("Rejected.");
    const shown = (decided: string[]): string =>
      shownBy(["question:a", "question:b"], (one) => (decided.includes(one) ? "Yes." : undefined));
    expect(
      new Set([shown([]), shown(["question:a"]), shown(["question:b"]), shown(["question:a", "question:b"])]).size,
    ).toBe(4);
    expect(shown([])).toBe(shown([]));
  });
});
