/** Which names stand for secrets: by their words, so that MAX_TOKENS and sortKeys are left alone. */
import { isJsonObject, type Json } from "./json.js";

const ANYWHERE = new Set([
  "SECRET",
  "SECRETS",
  "PASSWORD",
  "PASSWD",
  "PASSPHRASE",
  "CREDENTIAL",
  "CREDENTIALS",
  "AUTHORIZATION",
  "APIKEY",
]);
const AT_THE_END = new Set(["TOKEN", "KEY", "PASS", "PWD"]);

/** Two words that are a secret together wherever they stand, as in `API_KEY_PROD`. */
const PAIR = /(^|_)(API|ACCESS|PRIVATE|SIGNING|AUTH|BEARER|SESSION)_(KEY|TOKEN)(_|$)/;

/** True for names such as `API_TOKEN`, `signingKey`, `db-password`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    // A number at the end only counts: GITHUB_TOKEN_2 is a token.
    .filter((word) => word !== "" && !/^\d+$/.test(word));
  const last = words.at(-1) ?? "";
  if (words.some((word) => ANYWHERE.has(word)) || PAIR.test(words.join("_"))) return true;
  // A lone "key" is usually the key of something, not to something.
  return AT_THE_END.has(last) && (words.length > 1 || last === "TOKEN");
}

/** Variables that a task's definition names as secrets. */
export function secretNamesIn(definition: Json): string[] {
  if (!isJsonObject(definition)) return [];
  const sections = [definition, ...Object.values(definition).filter(isJsonObject)];
  const names = sections.flatMap(({ secretEnv }) => (Array.isArray(secretEnv) ? secretEnv : []));
  return [...new Set(names.map(String))];
}

/** A text in which the values of `NAME=value` are hidden where the name says that it is a secret. */
export function hideAssignedSecrets(text: string): string {
  // Only from the beginning of a word, so that no text takes longer than its length says.
  return text.replaceAll(/(?<![\w-])([\w-]+)(\s*[=:]\s*)(\S+)/g, (whole, name: string, sign: string) =>
    isSecretName(name) ? `${name}${sign}[hidden]` : whole,
  );
}
