import { isSecretName } from "../model/secrets.js";
import { MIN_SECRET } from "./secret-words.js";

export interface ChildEnvironment {
  env: Record<string, string>;
  /** Values to mask in whatever the child prints and answers. */
  secrets: string[];
  /** Secrets that were asked for and that the base does not have. */
  missing: string[];
}

/** Names of variables that are secret in everything that is started, separated by commas or white space. */
const MASK = "BABYSITTER_MASK";
/** Shorter values of variables that nobody has called a secret are likely to be words. */
const MIN_UNDECLARED = 8;
/** A short password of letters alone may be one, such as `postgres`; a path leads to a secret and is none. */
const NO_SECRET = /^(?:[a-z]{1,15}|[A-Z]{1,15}|~?\/[^\s:]*)$/u;

/**
 * The environment of a child: the base, what the task adds, and secrets, which are known by name only
 * and taken from the base. A secret wins over a value of the same name that the task has written down.
 *
 * Secret is what is asked for as a secret, what {@link MASK} lists, and every other variable whose name says that it
 * is one.
 */
export function childEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>>,
  secretNames: readonly string[],
): ChildEnvironment {
  const names = [...new Set(secretNames)];
  const isPresent = (name: string): boolean => Object.hasOwn(base, name) && base[name] !== undefined;
  const resolved = names.filter(isPresent).map((name): [string, string] => [name, base[name] as string]);
  const inherited = Object.entries(base).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const env = Object.fromEntries([...inherited, ...Object.entries(extra), ...resolved]);
  // Files and pastes often add a line end to a secret, which the child cuts off before it prints it.
  const listed = (base[MASK] ?? "").split(/[\s,]+/u).flatMap((name) => (isPresent(name) ? [base[name] as string] : []));
  const declared = [...resolved.map(([, value]) => value), ...listed]
    .map((value) => value.trim())
    .filter((value) => value.length >= MIN_SECRET);
  return {
    env,
    secrets: [...new Set([...declared, ...undeclaredSecrets(env)])],
    missing: names.filter((name) => !isPresent(name)),
  };
}

function undeclaredSecrets(env: Readonly<Record<string, string>>): string[] {
  const named = Object.entries(env).filter(([name]) => isSecretName(name));
  const values = named.map(([, value]) => value.trim());
  return values.filter((value) => value.length >= MIN_UNDECLARED && !NO_SECRET.test(value));
}
