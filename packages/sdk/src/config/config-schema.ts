import type { JsonObject } from "../model/json.js";
import { isMadeIn, SETTING_NAMES, settingOf } from "./settings.js";

/** The JSON Schema of the team file, for editors. The personal file has the same keys except `checks`, and `inbox` besides. */
export function configSchema(): JsonObject {
  const properties: JsonObject = { $schema: { type: "string" } };
  const groups: Record<string, JsonObject> = {};
  for (const name of SETTING_NAMES) {
    const setting = settingOf(name);
    if (!isMadeIn(setting, "team")) continue;
    const [group, key] = name.split(".") as [string, string?];
    const schema = schemaOf(name);
    if (key === undefined) properties[group] = schema;
    else {
      const members = (groups[group] ??= {});
      members[key] = schema;
      properties[group] = { type: "object", properties: members, additionalProperties: false };
    }
  }
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Babysitter settings",
    type: "object",
    properties,
    additionalProperties: false,
  };
}

function schemaOf(name: (typeof SETTING_NAMES)[number]): JsonObject {
  const { type, doc, combine } = settingOf(name);
  const rule = combine === "stricter wins" ? " If several values are set, the strictest wins." : "";
  const value = settingOf(name).default;
  return {
    description: `${doc}${rule}`,
    ...type.schema,
    ...(value === null ? {} : { default: value as JsonObject[string] }),
  };
}
