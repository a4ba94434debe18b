/** The texts that `babysitter init` writes to a project. */
import path from "node:path";
import { configSchema } from "../../config/config-schema.js";
import type { Check } from "../../config/setting-types.js";

/** What git ignores in `.a5c`: all runs or, with tracking, only what can be regenerated; and what holds for this machine only. */
export function ignoredLines({ trackRuns, language }: { trackRuns: boolean; language: Language }): string[] {
  const localFiles = ["config.schema.json", path.basename(EDITOR_FILES[language])];
  return [...(trackRuns ? UNTRACKED_IN_RUNS : [RUNS_LINE]), "archive/", ...localFiles];
}

/** The line that keeps runs out of git, as the first run writes it too. */
export const RUNS_LINE = "runs/";

const UNTRACKED_IN_RUNS = ["runs/.*", "runs/*/state/", "runs/*/blobs/", "runs/*/quarantine/", "runs/**/*.log"];

/** Checksums cover bytes, so git must not change line endings. */
export const ATTRIBUTES_LINE = ".a5c/runs/** -text";

export function configText(checks: readonly Check[]): string {
  return json({ $schema: "./config.schema.json", checks });
}

export function schemaText(): string {
  return json(configSchema());
}

/** Maps the package name to its types, so that editors know `ctx` even when nothing is installed. */
export function editorText(typesDir: string): string {
  return json({
    compilerOptions: {
      target: "es2022",
      lib: ["es2023"],
      module: "nodenext",
      moduleResolution: "nodenext",
      allowJs: true,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      paths: {
        "@a5c-ai/babysitter-sdk": [`${typesDir}/index.d.ts`],
        "@a5c-ai/babysitter-sdk/testing": [`${typesDir}/testing/index.d.ts`],
      },
    },
    include: ["processes"],
  });
}

/** What a project's processes are written in. */
export type Language = "javascript" | "typescript";

export const EXAMPLE_FILES = {
  javascript: ".a5c/processes/example.mjs",
  typescript: ".a5c/processes/example.ts",
} as const satisfies Record<Language, string>;

/** Where editors and the compiler look for their settings. */
export const EDITOR_FILES = {
  javascript: ".a5c/jsconfig.json",
  typescript: ".a5c/tsconfig.json",
} as const satisfies Record<Language, string>;

export function exampleText(language: Language): string {
  const { before, begin, end } = EXAMPLE_PARTS[language];
  return `${before}/**
 * Runs some commands in parallel, asks you whether to continue, and returns their output.
 *
 *   babysitter run ${EXAMPLE_FILES[language]}
 *
 * Press Ctrl-C at any time; \`babysitter run\` resumes, and finished work is not repeated.
 */
${begin}  const results = await ctx.parallel.map(commands, (command) => ctx.task(execute, { command }));

  const answer = await ctx.breakpoint({
    title: "Continue?",
    question: \`\${results.length} commands have run. Use their output as the result?\`,
  });
  if (!answer.approved) return { stopped: answer.feedback ?? "no reason given" };

  return { finishedAt: ctx.now().toISOString(), results };
${end}`;
}

const EXAMPLE_PARTS = {
  javascript: {
    before: "// @ts-check\n",
    begin: `import { defineTask } from "@a5c-ai/babysitter-sdk";

const execute = defineTask("execute", (/** @type {{ command: string }} */ { command }) => ({
  kind: "shell",
  title: command,
  shell: { command },
}));

/** @type {import("@a5c-ai/babysitter-sdk").ProcessFunction<{ commands?: string[] }>} */
export default async function example({ commands = ["node --version", "ls"] }, ctx) {
`,
    end: "}\n",
  },
  typescript: {
    before: "",
    begin: `import { defineTask, type ProcessFunction } from "@a5c-ai/babysitter-sdk";

const execute = defineTask("execute", ({ command }: { command: string }) => ({
  kind: "shell",
  title: command,
  shell: { command },
}));

const example: ProcessFunction<{ commands?: string[] }> = async ({ commands = ["node --version", "ls"] }, ctx) => {
`,
    end: "};\nexport default example;\n",
  },
} as const satisfies Record<Language, object>;

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
