/** `babysitter config:show`: what counts here, and why. */
import fs from "node:fs";
import { configFiles, readConfig } from "../../config/read-config.js";
import { originText, type ResolvedOrigin } from "../../config/resolve-config.js";
import { SETTING_NAMES } from "../../config/settings.js";
import type { Json } from "../../model/json.js";
import { hideCommandSecrets } from "../../model/secrets.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { alignColumns } from "../output/output.js";
import { areSecretsShown } from "../output/secret-logs.js";

export const command: Command = async (invocation) => {
  const { env, options, paint } = invocation;
  const { projectRoot } = invocation.places();
  const files = configFiles(projectRoot, env);
  const resolved = readConfig({ projectRoot, env, flags: {} });
  const hide = hider(invocation);
  const values = Object.fromEntries(SETTING_NAMES.map((name) => [name, hide(resolved.values[name])]));
  const origins = Object.fromEntries(SETTING_NAMES.map((name) => [name, hideIn(resolved.origins[name], hide)]));
  const document = {
    projectRoot,
    files: Object.fromEntries(
      Object.entries(files).map(([tier, file]) => [tier, { path: file, exists: fs.existsSync(file) }]),
    ),
    values,
    origins,
  };
  const withOrigin = options.flag("origin");
  const rows = SETTING_NAMES.map((name) => {
    const origin = origins[name] as ResolvedOrigin;
    const where = originText(origin);
    return [
      name,
      shown(values[name]),
      ...(withOrigin ? [origin.source === "default" ? paint("dim", where) : where] : []),
    ];
  });
  const overruled = SETTING_NAMES.flatMap((name) =>
    (origins[name] as ResolvedOrigin).overruled.map((other) => [
      `  ${name}`,
      shown(other.value),
      originText(other),
      other.why,
    ]),
  );
  return { document, text: [alignColumns(rows), ...overruledText(overruled, withOrigin)].join("\n") };
};

function overruledText(rows: string[][], withOrigin: boolean): string[] {
  if (rows.length === 0) return [];
  if (withOrigin) return ["", "overruled:", alignColumns(rows)];
  const count = rows.length === 1 ? "One value is" : `${rows.length} values are`;
  return ["", `${count} overridden: babysitter config:show --origin`];
}

function shown(value: unknown): string {
  if (value === null) return "none";
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.length === 0 ? "none" : JSON.stringify(value);
}

type Hide = (value: unknown) => unknown;

/** Commands may carry secrets; they are shown in the same cases as those of tasks. */
function hider(invocation: Invocation): Hide {
  return areSecretsShown(invocation) ? (value) => value : (value) => hideCommandSecrets(value as Json);
}

function hideIn(origin: ResolvedOrigin, hide: Hide): ResolvedOrigin {
  return { ...origin, overruled: origin.overruled.map((other) => ({ ...other, value: hide(other.value) })) };
}
