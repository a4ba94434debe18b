/** A request of a host to its model, and what a script wants to know of it. */
import type { IncomingHttpHeaders } from "node:http";

export type Content = Record<string, unknown>;

export interface MessagesBody {
  model: string;
  stream?: boolean;
  system?: string | Content[];
  tools?: { name: string }[];
  messages: { role: string; content: string | Content[] }[];
}

/** The conversation itself, a subagent's, the summary at a compaction, or a small question such as a title. */
export type RequestKind = "main" | "subagent" | "compaction" | "aside";

export interface ModelRequest {
  kind: RequestKind;
  /** Of its kind, from 1. */
  number: number;
  body: MessagesBody;
  headers: IncomingHttpHeaders;
  /** When it came, by the clock of `performance`. */
  at: number;
  /** What came after the model's last words, as text: results of tools, hooks, prompts. */
  news: string;
}

export function readRequest(
  body: MessagesBody,
  headers: IncomingHttpHeaders,
  { at, count }: { at: number; count: (kind: RequestKind) => number },
): ModelRequest {
  const kind = kindOf(body, headers);
  return { kind, number: count(kind), body, headers, at, news: newsOf(body) };
}

function kindOf(body: MessagesBody, headers: IncomingHttpHeaders): RequestKind {
  if (/detailed summary of (the|this|our) conversation/iu.test(newsOf(body))) return "compaction";
  if (headers["x-claude-code-agent-id"] !== undefined) return "subagent";
  return (body.tools ?? []).length === 0 ? "aside" : "main";
}

function newsOf({ messages }: MessagesBody): string {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages
    .slice(last + 1)
    .map(({ content }) => contentText(content))
    .join("\n");
}

export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as Content[])
    .map((block) => (typeof block["text"] === "string" ? block["text"] : contentText(block["content"])))
    .join("\n");
}
