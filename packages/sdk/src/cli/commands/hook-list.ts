import path from "node:path";
import { type FoundHooks, findHooks } from "../../hooks/find-hooks.js";
import { type HookPlaces, listHookTypes, parseHookType } from "../../hooks/hook-folders.js";
import { hookContext } from "../../machine/lifecycle/hook-context.js";
import { HOOK_TYPES } from "../../model/hook-types.js";
import { line } from "../../model/terminal-text.js";
import { callerOf } from "../arguments/caller.js";
import type { Command } from "../grammar/invocation.js";
import { alignColumns } from "../output/output.js";

interface Row extends FoundHooks {
  hookType: string;
  /** False for names that only processes and `hook:dispatch` call. */
  known: boolean;
}

export const command: Command = async (invocation) => {
  const [named] = invocation.positionals;
  const places = hookContext(callerOf(invocation));
  const rows = named === undefined || named === "" ? allTypes(places) : [describe(parseHookType(named), places)];
  const { projectRoot } = places;
  return { document: { projectRoot, types: rows }, text: render(rows, places, named) };
};

/** Every type that has something in its folders, hooks or not. */
function allTypes(places: HookPlaces): Row[] {
  return listHookTypes(places)
    .map((hookType) => describe(hookType, places))
    .filter(({ hooks, skipped, builtIn: shipped }) => hooks.length + skipped.length + shipped.length > 0);
}

function describe(hookType: string, places: HookPlaces): Row {
  return { hookType, known: Object.hasOwn(HOOK_TYPES, hookType), ...findHooks(hookType, places) };
}

function render(rows: Row[], { projectRoot }: HookPlaces, named: string | undefined): string {
  const some = rows.filter((row) => row.hooks.length + row.skipped.length + builtIn(row).length > 0);
  if (some.length === 0) return renderNothing(rows, named);
  return some.map((row) => renderType(row, projectRoot)).join("\n\n");
}

/** What the command line does by itself when no plugin has a hook for it. */
const BUILT_IN: Readonly<Record<string, string>> = { "on-iteration-start": "native-orchestrator" };

function builtIn({ hookType, hooks, builtIn: shipped }: Row): string[][] {
  const hasPlugin = hooks.some(({ tier }) => tier === "plugin");
  const usual = Object.hasOwn(BUILT_IN, hookType) && !hasPlugin && shipped.length === 0 ? [BUILT_IN[hookType]] : [];
  return [...usual, ...shipped.map(({ name }) => name)].map((name, index) => [
    `  ${hooks.length + index + 1}`,
    "native",
    `${name} (built in)`,
  ]);
}

function renderType(row: Row, projectRoot: string): string {
  const { hookType, known, hooks, skipped } = row;
  const shown = (file: string): string => {
    const relative = path.relative(projectRoot, file);
    return relative.startsWith("..") ? file : relative;
  };
  const table = alignColumns([
    ...hooks.map(({ tier, file }, index) => [`  ${index + 1}`, tier, shown(file)]),
    ...builtIn(row),
    ...skipped.map(({ tier, file, reason }) => ["  -", tier, shown(file), reason]),
  ]);
  const fixes = skipped.flatMap(({ fix }) => (fix === undefined ? [] : [line`  to make it run: ${fix}`]));
  const title = known ? hookType : line`${hookType} (called by processes and hook:dispatch only)`;
  return [title, table, ...fixes].join("\n");
}

function renderNothing(rows: Row[], named: string | undefined): string {
  const [row] = rows;
  if (row !== undefined)
    return [line`No hooks for ${row.hookType}. Looked in:`, ...row.folders.map(({ dir }) => line`  ${dir}`)].join("\n");
  return [
    line`No hooks${named ? ` for ${named}` : ""}. Put an executable file in .a5c/hooks/<type>/, for example`,
    "  .a5c/hooks/on-run-complete/notify.sh",
    "Types that the engine calls:",
    ...Object.entries(HOOK_TYPES)
      .filter(([, { called }]) => called === "by the engine")
      .map(([hookType]) => `  ${hookType}`),
  ].join("\n");
}
