/** Runs: where one stands, its events, its files, and what people do to it. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import { Hono } from "hono";
import { parseRunChange } from "../rules/run-bodies.js";
import { parseRunQuery } from "../rules/run-query.js";
import type { InboxParts, Signed } from "./inbox-parts.js";
import { bodyOf } from "./request-body.js";

export function runRoutes({ runs, board }: Pick<InboxParts, "runs" | "board">): Hono<Signed> {
  const app = new Hono<Signed>();

  app.get("/runs", async (context) => context.json(await board(parseRunQuery(context.req.query()))));

  app.get("/runs/:id", async (context) => context.json(await runs.show(context.req.param("id"))));

  app.get("/runs/:id/events", async (context) =>
    context.json(await runs.events(context.req.param("id"), numberIn("after", context.req.query("after") ?? "0"))),
  );

  app.get("/runs/:id/events/:seq", async (context) =>
    context.json((await runs.event(context.req.param("id"), numberIn("seq", context.req.param("seq")))) as object),
  );

  app.get("/runs/:id/integrity", async (context) => context.json(await runs.integrity(context.req.param("id"))));

  app.get("/runs/:id/files", async (context) => context.json(await runs.files(context.req.param("id"))));

  app.get("/runs/:id/file", async (context) => {
    const { path = "", from = "0" } = context.req.query();
    const { bytes, next, size } = await runs.readFile(context.req.param("id"), path, numberIn("from", from));
    // As bytes: whoever asks decides how to read them, and nothing is ever taken for a page.
    return context.body(new Uint8Array(bytes), 200, {
      "Content-Type": "application/octet-stream",
      "Content-Disposition": "attachment",
      "Babysitter-Next": next === null ? "" : String(next),
      "Babysitter-Size": String(size),
    });
  });

  app.post("/runs/:id/change", async (context) => {
    const change = parseRunChange(await bodyOf(context));
    const evidence = { kind: "session", token: context.get("token") } as const;
    return context.json(await runs.change(context.req.param("id"), change, evidence));
  });
  return app;
}

function numberIn(name: string, text: string): number {
  if (/^-?\d{1,12}$/u.test(text)) return Number(text);
  throw new BabysitterError("USAGE", `"${name}" must be a number.`);
}
