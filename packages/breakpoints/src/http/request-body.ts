import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { LONGEST_BODY, TOO_LARGE } from "../rules/refuse-request.js";

/** Refuses a body that does not say how long it is, when it has become too long. */
export const limitedBody = bodyLimit({
  maxSize: LONGEST_BODY,
  onError: (context) => context.json({ error: TOO_LARGE }, 413),
});

export async function bodyOf(context: Context): Promise<Readonly<Record<string, unknown>>> {
  const text = await context.req.text();
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  } catch {
    // Said below, without a word of the text.
  }
  throw new BabysitterError("USAGE", "The body must be a JSON object.");
}
