/** The interface for programs: lists and shows questions, and takes answers for what it is worth that somebody can reach it. */
import { Hono } from "hono";
import type { Questions } from "../desk/questions.js";
import {
  type Answer,
  type Body,
  parseAsking,
  parseEnding,
  parseFeedback,
  parseRejection,
} from "../rules/parse-answer.js";
import { describeProblem } from "./describe-problem.js";
import { bodyOf, limitedBody } from "./request-body.js";

export interface MachineApiParts {
  questions: Questions;
  version: string;
  /** Of the pages: whoever looks for them need not believe a file. */
  port: () => number;
  /** Told of errors that nobody has foreseen. */
  onError: (error: unknown) => void;
}

export function machineApi({ questions, version, port, onError }: MachineApiParts): Hono {
  const app = new Hono();
  app.use(limitedBody);
  app.onError((error, context) => {
    const { status, document } = describeProblem(error);
    if (status === 500) onError(error);
    return context.json(document, status);
  });
  app.notFound((context) => context.json({ error: { code: "NOT_FOUND", message: "There is nothing here." } }, 404));

  app.get("/health", (context) =>
    context.json({ ok: true, name: "babysitter-breakpoints", version, pid: process.pid, port: port() }),
  );

  app.get("/api/breakpoints", async (context) => {
    const wanted = context.req.query("status") ?? "waiting";
    if (wanted !== "waiting" && wanted !== "all")
      return context.json({ error: { code: "USAGE", message: '"status" is waiting or all.' } }, 400);
    const { questions: breakpoints, unreadable } = await questions.list({ all: wanted === "all" });
    return context.json({ breakpoints, unreadable });
  });

  app.post("/api/breakpoints", async (context) =>
    context.json(await questions.ask(parseAsking(await bodyOf(context))), 201),
  );

  app.get("/api/breakpoints/:id", async (context) => context.json(await questions.show(context.req.param("id"))));

  /** A file as it was when the question was asked; only those that the question names are there. */
  app.get("/api/breakpoints/:id/context", async (context) => {
    const { files } = await questions.show(context.req.param("id"));
    const wanted = context.req.query("path");
    const file = files.find(({ path }) => path === wanted);
    if (file?.text === undefined)
      return context.json(
        { error: { code: "NOT_SHOWN", message: file?.refused ?? "The question does not include this file." } },
        403,
      );
    return context.text(file.text);
  });

  const answers: Readonly<Record<string, (body: Body) => Answer>> = {
    feedback: parseFeedback,
    reject: parseRejection,
    cancel: (body) => parseEnding(body, "cancelled"),
    expire: (body) => parseEnding(body, "expired"),
  };
  for (const [name, parse] of Object.entries(answers)) {
    app.post(`/api/breakpoints/:id/${name}`, async (context) => {
      const answer = parse(await bodyOf(context));
      const evidence = { kind: "local", author: answer.author } as const;
      return context.json(await questions.answer(context.req.param("id"), answer, evidence));
    });
  }
  return app;
}
