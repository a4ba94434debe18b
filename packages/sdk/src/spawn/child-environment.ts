import { MIN_SECRET } from "./secret-mask.js";

export interface ChildEnvironment {
  env: Record<string, string>;
  /** Values to mask in whatever the child prints. */
  secrets: string[];
  /** Secrets that were asked for and that the base does not have. */
  missing: string[];
}

/**
 * The environment of a child: the base, what the task adds, and secrets, which are known by name only
 * and taken from the base. A secret wins over a value of the same name that the task has written down.
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
  // Files and pastes often add a line end to a secret, which the child cuts off before it prints it.
  const values = resolved.map(([, value]) => value.trim()).filter((value) => value.length >= MIN_SECRET);
  // As it is, and as programs print it that print JSON.
  const forms = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  return {
    env: Object.fromEntries([...inherited, ...Object.entries(extra), ...resolved]),
    secrets: [...new Set(forms)],
    missing: names.filter((name) => !isPresent(name)),
  };
}
