import type { Json } from "../model/json.js";
import { maskSecrets } from "./secret-mask.js";

/** A copy in which no text holds a secret. A number that holds one becomes a text. */
export function maskJson(value: Json, secrets: readonly string[]): Json {
  if (typeof value === "string") return maskSecrets(value, secrets);
  if (typeof value === "number") return maskNumber(value, secrets);
  if (Array.isArray(value)) return value.map((item) => maskJson(item, secrets));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(fields.map(([key, field]) => [maskSecrets(key, secrets), maskJson(field, secrets)]));
}

function maskNumber(value: number, secrets: readonly string[]): Json {
  const text = String(value);
  const masked = maskSecrets(text, secrets);
  return masked === text ? value : masked;
}
