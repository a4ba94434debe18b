/** Questions: the lists, one of them, and what people say to it. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import type { Evidence } from "@a5c-ai/babysitter-sdk/operate";
import { Hono } from "hono";
import { parseQuery } from "../rules/question-query.js";
import { parseComment, parseDecision, parseDecisionWords } from "../rules/wire-bodies.js";
import type { Side } from "../wire/inbox-wire.js";
import type { InboxParts, Signed } from "./inbox-parts.js";
import { bodyOf } from "./request-body.js";

export function questionRoutes({ questions, list, streams }: InboxParts): Hono<Signed> {
  const app = new Hono<Signed>();

  app.get("/questions", async (context) => context.json(await list(parseQuery((name) => context.req.query(name)))));

  app.get("/questions/:id", async (context) => context.json(await questions.show(context.req.param("id"))));

  app.get("/questions/:id/files/:n", async (context) => {
    const [n, from] = [numberIn("n", context.req.param("n")), numberIn("from", context.req.query("from") ?? "0")];
    const side = sideIn(context.req.query("side") ?? "file");
    return context.json(await questions.filePage(context.req.param("id"), { n, side, from }));
  });

  app.post("/questions/:id/decision", async (context) => {
    const { assertion, ...words } = parseDecision(await bodyOf(context));
    const token = context.get("token");
    const evidence: Evidence =
      assertion === undefined ? { kind: "session", token } : { kind: "passkey", token, assertion };
    return context.json(await questions.decide(context.req.param("id"), words, evidence));
  });

  app.post("/questions/:id/challenge", async (context) => {
    const words = parseDecisionWords(await bodyOf(context));
    return context.json(await questions.challenge(context.req.param("id"), words));
  });

  app.post("/questions/:id/comments", async (context) => {
    const comment = parseComment(await bodyOf(context));
    const evidence: Evidence = { kind: "session", token: context.get("token") };
    return context.json(await questions.comment(context.req.param("id"), comment, evidence), 201);
  });

  app.post("/questions/:id/seen", async (context) =>
    context.json({ seenAt: await questions.seen(context.req.param("id")) }),
  );

  app.get("/live", (context) => {
    const signed = { device: context.get("device"), token: context.get("token") };
    const stream = streams.open(signed, context.req.header("last-event-id"));
    if (stream === undefined)
      return context.json({ error: { code: "TOO_MANY", message: "Too many browsers are connected." } }, 503);
    return context.body(stream, 200, { "Content-Type": "text/event-stream; charset=utf-8" });
  });
  return app;
}

const SIDES: readonly string[] = ["file", "base", "approved"];

function sideIn(text: string): Side {
  if (SIDES.includes(text)) return text as Side;
  throw new BabysitterError("USAGE", `"side" must be one of ${SIDES.join(", ")}.`);
}

function numberIn(name: string, text: string): number {
  if (/^\d{1,12}$/u.test(text)) return Number(text);
  throw new BabysitterError("USAGE", `"${name}" must be a number.`);
}
