/** Adding and removing passkeys. */
import { createHash } from "node:crypto";
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import { Hono } from "hono";
import { parseNewPasskey } from "../rules/wire-bodies.js";
import type { NewPasskeyOptions, PasskeyRow } from "../wire/inbox-wire.js";
import type { InboxParts, Signed } from "./inbox-parts.js";
import { bodyOf } from "./request-body.js";

export function passkeyRoutes({ access, newKeys, origin, who }: InboxParts): Hono<Signed> {
  const app = new Hono<Signed>();

  app.post("/passkeys/challenge", (context) =>
    context.json({
      challenge: newKeys.challengeFor(context.get("device")),
      userId: createHash("sha256").update(`babysitter ${who.user}`).digest("base64url"),
      userName: who.user,
      existing: access.keys().map(({ credentialId }) => credentialId),
    } satisfies NewPasskeyOptions),
  );

  app.post("/passkeys", async (context) => {
    const { name, challenge, credentialId, publicKey, proof, vouch } = parseNewPasskey(await bodyOf(context));
    const device = context.get("device");
    if (!newKeys.take(challenge, device))
      throw new BabysitterError("DECISION_NOT_ALLOWED", "This challenge was already used, or has expired.", {
        hint: "Start again.",
      });
    access.enrolKey(device, { credentialId, publicKey, origin: origin(), name }, { challenge, proof, vouch });
    return context.json({ credentialId, name } satisfies PasskeyRow, 201);
  });

  app.delete("/passkeys/:credentialId", (context) => {
    const credentialId = context.req.param("credentialId");
    if (!access.keys().some((key) => key.credentialId === credentialId))
      throw new BabysitterError("INPUT_NOT_FOUND", "There is no such passkey.");
    access.removeKey(context.get("device"), credentialId);
    return context.json({});
  });
  return app;
}
