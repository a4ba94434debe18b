/** Signing in and out. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import { type Handler, Hono } from "hono";
import { parseSignIn } from "../rules/wire-bodies.js";
import type { Me, SignInReply } from "../wire/inbox-wire.js";
import type { InboxParts, Signed } from "./inbox-parts.js";
import { bodyOf } from "./request-body.js";

export function signIn({ access }: InboxParts): Handler {
  return async (context) => {
    const { link, name } = parseSignIn(await bodyOf(context));
    const { token, device, expires } = access.signIn(link, name);
    return context.json({ token, device, expires } satisfies SignInReply);
  };
}

export function accessRoutes({ access, streams, who }: InboxParts): Hono<Signed> {
  const app = new Hono<Signed>();

  app.get("/me", (context) => {
    const devices = access.devices().map(({ device, name, at, expires }) => ({
      device,
      name,
      at,
      expires,
      current: device === context.get("device"),
    }));
    const passkeys = access.keys().map(({ credentialId, name }) => ({ credentialId, name }));
    return context.json({ ...who, devices, passkeys } satisfies Me);
  });

  app.post("/sign-out", (context) => {
    access.signOut(context.get("device"));
    streams.check();
    return context.json({});
  });

  app.delete("/devices/:device", (context) => {
    const device = context.req.param("device");
    if (!access.devices().some((known) => known.device === device))
      throw new BabysitterError("INPUT_NOT_FOUND", "No such browser is signed in.");
    access.signOut(device);
    streams.check();
    return context.json({});
  });
  return app;
}
