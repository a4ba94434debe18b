import type { Problem } from "./doc-blocks.mjs";

export const THAT_RUN: string;
export function runProblems(text: string, about: { page: string; minimum: number | undefined }): Problem[];
