/** One request to the server that has served the page. */
import type { QuestionDetail, WireError } from "../../wire/inbox-wire.js";
import { serverSeen } from "./connection.js";
import { sessionEnded, token } from "./session.js";

/** A request that has not worked, in words for people. */
export class RequestProblem extends Error {
  /** `OFFLINE` when the server did not answer at all. */
  readonly code: string;
  readonly status: number;
  readonly hint: string | undefined;
  /** What the code alone does not say, such as that a run was archived. */
  readonly details: unknown;
  /** How the question stands now, where it has moved on. */
  readonly question: QuestionDetail | undefined;

  constructor(status: number, { error, question }: WireError) {
    super(error.message);
    this.name = "RequestProblem";
    this.code = error.code;
    this.status = status;
    this.hint = error.hint;
    this.details = error.details;
    this.question = question;
  }
}

interface Call {
  method?: "GET" | "POST" | "DELETE";
  body?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Without the token: whatever is answered says nothing about it. */
  unsigned?: boolean;
}

export async function request<T>(path: string, call: Call = {}): Promise<T> {
  const response = await send(path, call);
  const text = await bodyOf(response);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** The answer, unless it is an error: that is thrown. */
export async function send(path: string, { method = "GET", body, headers, signal, unsigned }: Call): Promise<Response> {
  const used = unsigned === true ? null : token.peek();
  const response = await fetch(path, {
    method,
    cache: "no-store",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(used === null ? {} : { authorization: `Bearer ${used}` }),
      ...headers,
    },
  }).catch((error: unknown) => {
    throw signal?.aborted === true ? error : offline();
  });
  serverSeen(true);
  if (response.ok) return response;
  const problem = problemIn(response.status, await bodyOf(response));
  if (response.status === 401 && used !== null) sessionEnded(used);
  throw problem;
}

async function bodyOf(response: Response): Promise<string> {
  return response.text().catch(() => {
    throw offline();
  });
}

function offline(): RequestProblem {
  serverSeen(false);
  const message = "The inbox server is not responding.";
  const hint = "Nothing is lost. Start it with: babysitter ui";
  return new RequestProblem(0, { error: { code: "OFFLINE", message, hint } });
}

function problemIn(status: number, body: string): RequestProblem {
  try {
    const said = JSON.parse(body) as WireError;
    if (typeof said.error?.message === "string") return new RequestProblem(status, said);
  } catch {
    // Not ours: described by its status.
  }
  const message = `The server answered with status ${status}.`;
  return new RequestProblem(status, { error: { code: "UNEXPECTED", message } });
}

/** Any error as a problem that can be shown. */
export function problemOf(error: unknown): RequestProblem {
  if (error instanceof RequestProblem) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RequestProblem(0, { error: { code: "UNEXPECTED", message } });
}
