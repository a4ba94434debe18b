/** The inbox: its pages, and what they ask for. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import { Hono, type MiddlewareHandler } from "hono";
import { accessRoutes, signIn } from "./access-routes.js";
import { channelRoutes } from "./channel-routes.js";
import { describeProblem } from "./describe-problem.js";
import type { InboxParts, Signed } from "./inbox-parts.js";
import { passkeyRoutes } from "./passkey-routes.js";
import { questionRoutes } from "./question-routes.js";
import { reportRoutes } from "./report-routes.js";
import { limitedBody } from "./request-body.js";
import { runRoutes } from "./run-routes.js";
import { staticPages } from "./static-pages.js";

export function inboxApi(parts: InboxParts): Hono<Signed> {
  const app = new Hono<Signed>();
  app.use(limitedBody);
  app.onError((error, context) => {
    const { status, document } = describeProblem(error);
    if (status === 500) parts.onError(error);
    return context.json(document, status);
  });
  app.notFound((context) => context.json({ error: { code: "NOT_FOUND", message: "There is nothing here." } }, 404));

  app.post("/api/sign-in", signIn(parts));
  app.use("/api/*", signedIn(parts));
  app.route("/api", accessRoutes(parts));
  app.route("/api", passkeyRoutes(parts));
  app.route("/api", questionRoutes(parts));
  app.route("/api", channelRoutes(parts));
  app.route("/api", runRoutes(parts));
  app.route("/api", reportRoutes(parts));
  app.all("/api/*", (context) => context.notFound());
  app.get("*", staticPages(parts));
  return app;
}

const MAX_TOKEN = 200;

/** Whoever shows no token, or one that does not count, gets nothing but the pages. */
function signedIn({ access }: InboxParts): MiddlewareHandler<Signed> {
  return async (context, next) => {
    const [, token] = /^Bearer ([A-Za-z0-9_-]+)$/u.exec(context.req.header("authorization") ?? "") ?? [];
    const device = token === undefined || token.length > MAX_TOKEN ? undefined : access.deviceOf(token);
    if (token === undefined || device === undefined)
      throw new BabysitterError("SIGN_IN_REFUSED", "This browser is not signed in, or its session has ended.", {
        hint: "Sign in again: babysitter ui",
      });
    context.set("token", token);
    context.set("device", device.device);
    await next();
  };
}
