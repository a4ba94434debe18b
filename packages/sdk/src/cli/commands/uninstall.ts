/** `babysitter uninstall`: what we have on this machine, and the way to remove each part. */
import { byHand } from "../../machine/removal/by-hand.js";
import { ALL_BUT_RUNS, type Inventory, type Item, PART_NAMES, type Part } from "../../machine/removal/parts.js";
import { type Removed, removeParts } from "../../machine/removal/remove-parts.js";
import { takeInventory } from "../../machine/removal/take-inventory.js";
import { shellQuoted } from "../../model/shell-quoted.js";
import { inLine } from "../../model/terminal-text.js";
import type { Command, CommandResult, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";
import { alignColumns } from "../output/output.js";
import { onScreen } from "../output/wrapped.js";

export const command: Command = async (invocation) => {
  const parts = partsNamed(invocation);
  const inventory = await takeInventory(invocation.env, invocation.places().runsDir);
  if (parts.length === 0) return listed(inventory);
  const removed = await removeParts(invocation.env, inventory, parts);
  return told(removed, inventory, parts);
};

function partsNamed(invocation: Invocation): Part[] {
  const words = invocation.options.texts("remove").flatMap((list) => list.split(","));
  const named = words.map((word) => word.trim()).filter((word) => word !== "");
  const unknown = named.find((word) => word !== "all" && !(PART_NAMES as readonly string[]).includes(word));
  if (unknown !== undefined)
    throw usageError(invocation, `--remove ${unknown} is not a part; the parts are ${PART_NAMES.join(", ")} and all.`);
  const wanted = new Set(named.flatMap((word) => (word === "all" ? ALL_BUT_RUNS : [word as Part])));
  return PART_NAMES.filter((part) => wanted.has(part));
}

function listed({ items, kept }: Inventory): CommandResult {
  const document = { items: items.map((item) => ({ ...item, remove: removalOf(item) })), kept, removed: [] };
  if (items.length === 0) return { document, text: "Babysitter has nothing on this machine." };
  const parts = PART_NAMES.filter((part) => items.some((item) => item.part === part));
  return {
    document,
    text: [
      ...rowLines(items.map(row)),
      "",
      "Nothing has been removed. To remove a part, name it:",
      alignColumns(parts.map((part) => [`  babysitter uninstall --remove ${part}`, ...alsoBy(items, part)])),
      onScreen("Several: --remove state,inbox. Everything but runs: --remove all. Runs too: --remove all,runs.", "  "),
      ...keptLines(kept),
    ].join("\n"),
  };
}

function told(removed: readonly Removed[], { kept, items }: Inventory, parts: readonly Part[]): CommandResult {
  const failed = removed.filter(({ problem }) => problem !== undefined);
  const gone = removed.filter(({ problem }) => problem === undefined);
  const left = items.filter(({ part }) => !parts.includes(part));
  const lines = [
    ...(removed.length === 0 ? ["There is nothing to remove."] : []),
    ...(gone.length === 0 ? [] : ["Removed:", ...rowLines(gone.map(({ item }) => ["", ...row(item)]))]),
    ...failed.map(({ item, problem }) => onScreen(`Not removed: ${item.what}. ${problem}`, "  ")),
    ...(left.length === 0 ? [] : ["Still there:", ...rowLines(left.map((item) => ["", ...row(item)]))]),
    ...laterLines(left, gone),
    // Whoever removes the list of projects does not find them again.
    ...(parts.includes("state") || parts.includes("runs") ? keptLines(kept) : []),
  ];
  return {
    document: { items: left, kept, removed },
    text: lines.join("\n"),
    exitCode: failed.length === 0 ? 0 : 1,
  };
}

/** How what is still there can be removed, where this command or its list of projects has gone. */
function laterLines(left: readonly Item[], gone: readonly Removed[]): string[] {
  const hasGone = (name: Part): boolean => gone.some(({ item }) => item.part === name);
  if (left.length > 0 && hasGone("command"))
    return ["The command has gone too. To remove what is still there:", ...left.map((item) => `  ${byHand(item)}`)];
  return hasGone("state") && left.some(({ part }) => part === "runs")
    ? ["To remove these runs later, call in their project:", "  babysitter uninstall --remove runs"]
    : [];
}

function row({ part, what, bytes, pid }: Item): string[] {
  const size = bytes === undefined ? "" : readable(bytes);
  return [part, pid === undefined ? size : `process ${pid}`, what];
}

/** On a terminal the last column is wrapped within itself. */
function rowLines(rows: readonly string[][]): string[] {
  return alignColumns(rows)
    .split("\n")
    .map((line, at) => onScreen(line, " ".repeat(line.length - inLine(rows[at]?.at(-1) ?? "").length)));
}

function removalOf({ part, commands = [] }: Item): string[] {
  return [`babysitter uninstall --remove ${part}`, ...commands.map((words) => words.map(shellQuoted).join(" "))];
}

function alsoBy(items: readonly Item[], part: Part): string[] {
  const commands = items.filter((item) => item.part === part).flatMap((item) => removalOf(item).slice(1));
  return commands.length === 0 ? [] : [`or: ${commands.join(" && ")}`];
}

function keptLines(kept: Inventory["kept"]): string[] {
  if (kept.length === 0) return [];
  return [
    "",
    onScreen("Settings, hooks, processes and loop files of projects are kept:", "  "),
    alignColumns(kept.map(({ path, bytes }) => ["", readable(bytes), path])),
  ];
}

function readable(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
