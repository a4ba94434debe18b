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
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_")
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

/** What services hand out as a secret looks like this. */
export const SECRET_SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu,
  /\bsk-(?:ant|proj|or|svcacct|admin)-[\w-]{4,}/gu,
  /\b(?:sk|glpat)-[\w-]{16,}/gu,
  /\b[prs]k_(?:live|test)_\w{10,}/gu,
  /\bgh[oprsu]_[A-Za-z0-9]{10,}/gu,
  /\bgithub_pat_\w{10,}/gu,
  /\b(?:npm|hf)_[A-Za-z0-9]{20,}/gu,
  /\bxox[a-z]-[\w-]{10,}/gu,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/gu,
  /\b(?:AIza|ya29\.)[\w-]{20,}/gu,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/gu,
  /\b\d{8,10}:[\w-]{35}(?![\w-])/gu,
  /(?<=\/\/hooks\.slack\.com\/|\/\/discord(?:app)?\.com\/api\/webhooks\/)(?!\*|\[hidden)[^\s"'<>]+/gu,
  /(?<=:\/\/[^\s/:@]{0,64}:)(?!\*\*\*@|\[hidden\]@)[^\s/@]+(?=@)/gu,
  /(?<=\b(?:[Bb]earer|BEARER) )(?=\S*(?:[\d=]|[a-z][A-Z]|[A-Z]{4}))[\w.~+/=-]{8,}/gu,
  /(?<=(?<![\w-])basic )(?=\S*[\d=])[\w.~+/=-]{8,}/giu,
  /(?<=\s(?:-u|--user) )[^\s:]+:(?!\*\*\*|\[hidden)\S+/gu,
];

const HIDDEN = "[hidden]";
/** `'Name: value'`: a header in quotes is hidden to its end. */
const QUOTED_HEADER = /(["'])([\w-]+)(\s*:\s*)(?=\S)(?:(?!\1)[^\n])+(?=\1)/gu;
/** `NAME=value`, `name: "value"`. Only from the beginning of a word, so that no text takes longer than its length says. */
const ASSIGNED =
  /(?<![\w-])([\w-]+)(\\*["']?\s*[=:]\s*)(?!\[hidden\])(?:"[^"\n]*"|'[^'\n]*'|(?:(?:bearer|basic|token|digest|negotiate)[ \t]+)?(?:\\[ \t]|\S)+?(?=["']?(?:(?<!\\)\s|[\r\n]|$)))/giu;
const FLAG = /(?<![\w-])(--?[\w-]+)([ \t]+)("[^"\n]*"|'[^'\n]*'|(?:\\[ \t]|\S)+?(?=["']?(?:(?<!\\)\s|[\r\n]|$)))/gu;
/** Of these flags, only the value tells whether it is a secret. */
const MAYBE_SECRET = new Set(["-k", "--key", "--auth", "--pass", "--pwd"]);

/** A text in which whatever looks like a secret is hidden. */
export function hideSecrets(text: string): string {
  const headers = text.replaceAll(QUOTED_HEADER, (whole, quote: string, name: string, sign: string) =>
    isHeaderHidden(name) ? `${quote}${name}${sign}${HIDDEN}` : whole,
  );
  const assigned = headers.replaceAll(ASSIGNED, (whole, name: string, sign: string) =>
    isHeaderHidden(name) ? `${name}${sign}${HIDDEN}` : whole,
  );
  return SECRET_SHAPES.reduce((rest, shape) => rest.replaceAll(shape, HIDDEN), assigned);
}

/** The same for a command line, where flags name secrets, too. */
export function hideInCommandLine(text: string): string {
  const flags = text.replaceAll(FLAG, (whole, flag: string, gap: string, value: string) =>
    isSecretFlag(flag, value) ? `${flag}${gap}${HIDDEN}` : whole,
  );
  return hideSecrets(flags);
}

/** The same for a list of words, or an object that holds commands. */
export function hideCommandSecrets(command: Json): Json {
  if (typeof command === "string") return hideInCommandLine(command);
  if (Array.isArray(command)) return command.map((word, index) => hideWord(word, command[index - 1]));
  if (!isJsonObject(command)) return command;
  return Object.fromEntries(Object.entries(command).map(([name, field]) => [name, hideCommandSecrets(field)]));
}

function hideWord(word: Json, before: Json | undefined): Json {
  if (typeof word !== "string") return hideCommandSecrets(word);
  if (typeof before === "string" && /^--?[\w-]+$/u.test(before) && isSecretFlag(before, word)) return HIDDEN;
  const [start, name = ""] = /^([\w-]+):\s*/u.exec(word) ?? [];
  return start !== undefined && isHeaderHidden(name) ? `${start}${HIDDEN}` : hideCommandSecrets(word);
}

function isHeaderHidden(name: string): boolean {
  return isSecretName(name) || /^(?:set-)?cookie$/iu.test(name);
}

function isSecretFlag(flag: string, value: string): boolean {
  if (isSecretName(flag) || (/^(?:-u|--user)$/u.test(flag) && value.includes(":"))) return true;
  return MAYBE_SECRET.has(flag) && /^["']?(?=\S*(?:[a-z]\d|\d[a-z]|[a-z][A-Z]))[\w+=-]{8,}["']?$/u.test(value);
}
