import type { Problem } from "./doc-blocks.mjs";

export function codeProblems(text: string, vocabulary: { schema: object }): Problem[];
