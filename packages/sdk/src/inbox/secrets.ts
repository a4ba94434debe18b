/** Secrets that people or their programs show once; only their hashes are kept. */
import crypto from "node:crypto";

const USUAL_BYTES = 32;

export function newSecret(bytes = USUAL_BYTES): string {
  return crypto.randomBytes(bytes).toString("base64url");
}

export function hashOf(secret: string): string {
  return crypto.createHash("sha256").update(secret).digest("hex");
}
