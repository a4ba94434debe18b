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
    if (isShallow(body)) return body;
  } catch {
    // Said below, without a word of the text.
  }
  throw new BabysitterError("USAGE", `The body must be a JSON object, nested at most ${MAX_DEPTH} levels deep.`);
}

const MAX_DEPTH = 100;

/** Whatever comes after this walks down by calling itself. */
function isShallow(body: unknown): body is Readonly<Record<string, unknown>> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return false;
  let level: unknown[] = [body];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1)
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  return level.length === 0;
}
