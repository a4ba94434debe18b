/** A question as its page shows it, without the texts of its files. */
import type { BreakpointDescription } from "@a5c-ai/babysitter-sdk/operate";
import type {
  Comparison,
  Decision,
  FileHead,
  QuestionComment,
  QuestionDetail,
  QuestionRow,
} from "../wire/inbox-wire.js";
import type { ApprovedFiles } from "./approved-before.js";

type ShownFile = BreakpointDescription["files"][number];

export function describeQuestion(
  row: QuestionRow,
  description: BreakpointDescription,
  { approved, ...rest }: Pick<QuestionDetail, "needs" | "command" | "receipts"> & { approved: ApprovedFiles },
): QuestionDetail {
  const { shown, options, facts, consequences, files, comments, result, earlier } = description;
  return {
    ...row,
    shown,
    options,
    facts,
    consequences: consequences ?? {},
    files: files.map((file, n) => fileHead(file, n, approved)),
    comments: comments.flatMap(commentIn),
    decision: result === null ? null : decisionOf(result),
    earlier: (earlier ?? []).map(decisionOf),
    ...rest,
  };
}

/** What a file can be compared with. */
function comparisonsOf({ path, base }: ShownFile, approved: ApprovedFiles): Comparison[] {
  const before = approved.get(path)?.comparison;
  return [...(base === undefined ? [] : [comparisonWith(base)]), ...(before === undefined ? [] : [before])];
}

function comparisonWith({ ref, commit, refused, bytes }: NonNullable<ShownFile["base"]>): Comparison {
  const label = commit === undefined || commit.startsWith(ref) ? ref : `${ref} (${commit.slice(0, 10)})`;
  return { side: "base", label, ...given({ refused, bytes }) };
}

function fileHead(file: ShownFile, n: number, approved: ApprovedFiles): FileHead {
  const { path, format, language, bytes, sha256, refused, cutAt, now } = file;
  const head = given({ format, language, bytes, sha256, refused, cutAt, now });
  return { n, path, ...head, comparisons: comparisonsOf(file, approved) };
}

function decisionOf(result: NonNullable<BreakpointDescription["result"]>): Decision {
  const { approved, option, response, feedback, respondedBy: by, via, verified, proof, decidedAt, comments } = result;
  return {
    approved,
    ...texts({ option, response, feedback, by }),
    via,
    verified,
    ...(proof === "session" || proof === "passkey" ? { proof } : {}),
    decidedAt,
    comments: comments.flatMap(commentIn),
  };
}

/** What stands in an answer was written by whoever gave it: only what fits is shown. */
export function commentIn(value: unknown): QuestionComment[] {
  if (typeof value !== "object" || value === null) return [];
  const { text, author, at, verified, path, side, line, endLine, quote } = value as Record<string, unknown>;
  if (typeof text !== "string") return [];
  return [
    {
      text,
      author: typeof author === "string" ? author : "someone",
      at: typeof at === "string" ? at : "",
      verified: verified === true,
      ...texts({ path, quote }),
      ...(side === "base" ? { side } : {}),
      ...numbers({ line, endLine }),
    },
  ];
}

function given<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

function texts<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === "string")) as {
    [K in keyof T]?: string;
  };
}

function numbers<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: number } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === "number")) as {
    [K in keyof T]?: number;
  };
}
