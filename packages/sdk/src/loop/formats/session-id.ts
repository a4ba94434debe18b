/** The id that an agent host gives to a session. It becomes the name of a file, so it is checked first. */

const SAFE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** The id, or undefined for anything that is none. */
export function parseSessionId(value: unknown): string | undefined {
  return typeof value === "string" && SAFE_ID.test(value) && !value.includes("..") ? value : undefined;
}
