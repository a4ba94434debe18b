/** What happened while nobody looked. */
import { Hono } from "hono";
import { parseSince } from "../rules/report-query.js";
import type { NightReport } from "../wire/report-wire.js";
import type { InboxParts, Signed } from "./inbox-parts.js";

export function reportRoutes({ report }: InboxParts): Hono<Signed> {
  const app = new Hono<Signed>();
  app.get("/report", async (context) => {
    const since = parseSince(context.req.query("since"), new Date());
    return context.json((await report(since)) satisfies NightReport);
  });
  return app;
}
