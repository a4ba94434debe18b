import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SOURCES = fileURLToPath(new URL("../../packages/sdk/src", import.meta.url));

/** A host is known in its own room and in the lists of hosts. Help names hosts for people, and models have names of makers. */
const MAY_NAME_IT = [
  /^hosts\/claude-code\//u,
  /^hosts\/(?:registry|environments|host-parts)\.ts$/u,
  /^cli\/grammar\//u,
  /^loop\/transcript\/price-table\.ts$/u,
];

/** Its name, and words that nobody else would write: of its hooks, tools, transcripts and command line. */
const ITS_WORDS =
  /claude|anthropic|AskUserQuestion|"Bash"|hookSpecificOutput|hook_event_name|tool_(?:name|input|response|use|result)\b|transcript_path|last_assistant_message|background_tasks|isSidechain|stop_reason|stream-json|rate_limit_event|permissionDecision/iu;

test("what we know of a host is in its room: nothing else names it or speaks its language", () => {
  const found = fs
    .readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .filter((file) => !MAY_NAME_IT.some((allowed) => allowed.test(file)))
    .flatMap((file) =>
      fs
        .readFileSync(path.join(SOURCES, file), "utf8")
        .split("\n")
        .flatMap((line, index) => (ITS_WORDS.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    );
  expect(found).toEqual([]);
});
