/** The texts that `babysitter init` writes to a project. */
import { configSchema } from "../../config/config-schema.js";
import type { Check } from "../../config/setting-types.js";

/** Specific to this machine or version: not for git. */
const LOCAL_FILES = ["config.schema.json", "jsconfig.json"];

/** What git ignores in `.a5c`: all runs or, with tracking, only what can be regenerated. */
export function ignoredLines({ trackRuns }: { trackRuns: boolean }): string[] {
  return [...(trackRuns ? UNTRACKED_IN_RUNS : [RUNS_LINE]), "archive/", ...LOCAL_FILES];
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

export const EXAMPLE_FILE = ".a5c/processes/example.mjs";

export const EXAMPLE_PROCESS = `// @ts-check
/**
 * Runs some commands in parallel, asks you whether to continue, and returns their output.
 *
 *   babysitter run ${EXAMPLE_FILE}
 *
 * Press Ctrl-C at any time; \`babysitter run\` resumes, and finished work is not repeated.
 */
import { defineTask } from "@a5c-ai/babysitter-sdk";

const execute = defineTask("execute", (/** @type {{ command: string }} */ { command }) => ({
  kind: "shell",
  title: command,
  shell: { command },
}));

/**
 * @param {{ commands?: string[] }} inputs
 * @param {import("@a5c-ai/babysitter-sdk").ProcessContext} ctx
 */
export async function process({ commands = ["node --version", "ls"] }, ctx) {
  const results = await ctx.parallel.map(commands, (command) => ctx.task(execute, { command }));

  const answer = await ctx.breakpoint({
    title: "Continue?",
    question: \`\${results.length} commands have run. Use their output as the result?\`,
  });
  if (!answer.approved) return { stopped: answer.feedback ?? "no reason given" };

  return { finishedAt: ctx.now().toISOString(), results };
}
`;

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
