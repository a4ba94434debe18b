/** What follows from the table of settings: the schema that is shipped, and the table of the guide. Pure functions. */

/** The text of packages/sdk/config.schema.json; `built` is the module dist/config/config-schema.js. */
export function renderConfigSchema({ configSchema }) {
  const text = JSON.stringify(configSchema(), null, 2);
  // Lists of plain values stand on one line, as the formatter wants them.
  return `${text.replaceAll(/\[\s*([^[\]{}]*?)\s*\]/gu, (_list, items) => `[${items.replaceAll(/,\s+/gu, ", ")}]`)}\n`;
}

/** The table of docs/guide/configuration.md; `built` is the module dist/config/settings.js. */
export function renderSettings({ SETTINGS }) {
  const rows = Object.entries(SETTINGS).map(([name, setting]) => [
    `\`${name}\``,
    renderDefault(setting.default),
    setting.doc,
    renderPlaces(setting),
    setting.combine.replace(" wins", ""),
  ]);
  const header = ["setting", "default", "meaning", "also", "of several"];
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** An empty list or object sets nothing either. */
export function renderDefault(value) {
  const isNone = value === null || (typeof value === "object" && Object.keys(value).length === 0);
  return isNone ? "none" : `\`${typeof value === "object" ? JSON.stringify(value) : value}\``;
}

function renderPlaces({ env, flag, only }) {
  const others = [flag && `\`--${flag.name}\``, env && `\`${env}\``].filter(Boolean).join(", ");
  if (!only) return others;
  const files = only.filter((place) => place === "team" || place === "person");
  if (files.length === 2) return "files only";
  return files.length === 1 ? `${files[0] === "team" ? "team" : "personal"} file only` : `${others}; not in files`;
}
