import { type AnswerOption, optionsNamed } from "./breakpoint-question.js";
import { isJsonObject, type Json } from "./json.js";

/** What a human answered, as `ctx.breakpoint` returns it. */
export interface BreakpointResult {
  approved: boolean;
  option?: string;
  response?: string;
  feedback?: string;
  comments: Json[];
  respondedBy?: string;
  allResponses: Json[];
  decidedAt: string;
  /** The way the answer came: `task:post`, `cli`, `web`, `telegram`, `policy` … */
  via: string;
  /** True when the identity of the person was established, not merely stated. */
  verified: boolean;
  /** How they were identified on the web; only a passkey is beyond an agent with the same rights. */
  proof?: "session" | "passkey";
  /** Hash of what the person was shown. */
  shown?: string;
  author?: string;
  comment?: string;
  release: boolean;
}

/** True, false, or undefined when the value does not say. */
export function approvalOf(value: Json): boolean | undefined {
  if (!isJsonObject(value)) return undefined;
  if (typeof value["approved"] === "boolean") return value["approved"];
  return value["release"] === true ? true : undefined;
}

/** Why a new answer cannot be taken for a yes or a no; undefined when it can. Recorded ones stay what they were. */
export function whyUnclear(value: Json, options: AnswerOption[]): string | undefined {
  const approved = approvalOf(value);
  if (approved === undefined || !isJsonObject(value)) return "neither approves nor rejects";
  if (["approved", "release"].some((name) => (value[name] ?? approved) !== approved))
    return 'contradicts itself: its fields "approved" and "release" differ';
  const option = value["option"] ?? undefined;
  if (option === undefined || options.length === 0) return undefined;
  const named = typeof option === "string" ? optionsNamed({ options }, option) : [];
  if (named.length === 0) return `names an option other than ${options.map(({ label }) => label).join(", ")}`;
  // Whoever says no in so many words may name any option: to most processes it is a reason.
  return approved && named.every(({ rejects }) => rejects)
    ? "contradicts itself: it approves, and its option rejects"
    : undefined;
}

/** A recorded answer in the one shape that processes see. Anything but a clear yes is a no. */
export function toBreakpointResult(value: Json, decidedAt: string): BreakpointResult {
  const fields = isJsonObject(value) ? value : {};
  const approved = approvalOf(value) === true;
  const respondedBy = text(fields["respondedBy"]) ?? text(fields["author"]);
  const feedback =
    text(fields["feedback"]) ?? text(fields["comment"]) ?? text(fields["reason"]) ?? text(fields["response"]);
  return {
    ...fields,
    approved,
    release: approved,
    comments: Array.isArray(fields["comments"]) ? fields["comments"] : [],
    allResponses: Array.isArray(fields["allResponses"]) ? fields["allResponses"] : [],
    decidedAt: text(fields["decidedAt"]) ?? decidedAt,
    via: text(fields["via"]) ?? "task:post",
    verified: fields["verified"] === true,
    ...(respondedBy === undefined ? {} : { respondedBy }),
    ...(feedback === undefined ? {} : { feedback }),
  };
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
