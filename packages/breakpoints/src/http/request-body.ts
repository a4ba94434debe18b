import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";

const LONGEST_BODY = 1024 * 1024;

/** Refuses what is longer than anyone writes. */
export const limitedBody = bodyLimit({
  maxSize: LONGEST_BODY,
  onError: (context) =>
    context.json({ error: { code: "TOO_LARGE", message: `The body is longer than ${LONGEST_BODY} bytes.` } }, 413),
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
