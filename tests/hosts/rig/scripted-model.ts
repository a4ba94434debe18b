/** A model that says what a test wants it to say: the Messages API on loopback, answered by a function. */
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Content, contentText, type MessagesBody, type ModelRequest, readRequest } from "./model-request.js";

export type { ModelRequest } from "./model-request.js";

interface Usage {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
}

/** What the model answers: content, or an error of the API. */
export interface Reply {
  blocks?: Content[];
  usage?: Partial<Usage>;
  error?: { status: number; type: string; message: string; headers?: Record<string, string> };
  /** Waits before it answers. */
  delayMs?: number;
}

export type Scenario = (request: ModelRequest) => Reply | Promise<Reply>;

/** Any number of text blocks in one message. */
export const says = (...texts: string[]): Reply => ({ blocks: texts.map((text) => ({ type: "text", text })) });

export const callsTool = (name: string, input: object): Reply => ({ blocks: [{ type: "tool_use", name, input }] });

export const bash = (command: string, more: object = {}): Reply => callsTool("Bash", { command, ...more });

/** Replies of the main conversation, one after the other; to ask on then is an error of the script. */
export function inTurn(replies: readonly (Reply | Scenario)[]): Scenario {
  return (request) => {
    if (request.kind !== "main") return says("fine");
    const reply = replies[request.number - 1];
    if (reply === undefined)
      throw new Error(`The script has ${replies.length} replies, and the host asks on: ${request.news}`);
    return typeof reply === "function" ? reply(request) : reply;
  };
}

/** The model thinks until the host gives up. */
export const never: Scenario = async () => new Promise<Reply>(() => undefined);

/** A reply that a test lets go when the time has come. */
export function held(): { reply: Scenario; release: (reply: Reply) => void } {
  let release: (reply: Reply) => void = () => undefined;
  const promise = new Promise<Reply>((resolve) => {
    release = resolve;
  });
  return { reply: async () => promise, release };
}

export class ScriptedModel {
  readonly requests: ModelRequest[] = [];
  /** When the last byte of each reply was written, and when each request came, in milliseconds. */
  readonly repliedAt: number[] = [];
  /** Everything that is no call of the model: a host that only talks to the model makes none of these. */
  readonly strays: string[] = [];
  readonly #server = http.createServer((incoming, outgoing) => void this.#answer(incoming, outgoing));
  readonly #sockets = new Set<Socket>();
  /** What the scenario has thrown; the host gets no answer then. */
  problem: unknown;
  onProblem: () => void = () => undefined;
  onRequest: (request: ModelRequest) => void = () => undefined;
  readonly #scenario: Scenario;
  readonly #counts = new Map<string, number>();

  private constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    // As the proxy of the host we see whatever it wants from the rest of the world, and refuse it.
    this.#server.on("connect", ({ url = "" }, socket) => {
      this.strays.push(`CONNECT ${url}`);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
  }

  static async listen(scenario: Scenario): Promise<ScriptedModel> {
    const model = new ScriptedModel(scenario);
    await new Promise<void>((resolve, reject) => {
      model.#server.once("error", reject).listen(0, "127.0.0.1", () => resolve());
    });
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests of the main conversation. */
  get main(): ModelRequest[] {
    return this.requests.filter(({ kind }) => kind === "main");
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #answer(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const { method = "", url = "" } = incoming;
    const at = performance.now();
    const text = await bodyOf(incoming);
    const where = new URL(url, this.url);
    if (method === "HEAD" && where.pathname === "/") return void outgoing.end();
    if (method !== "POST" || where.pathname !== "/v1/messages") {
      this.strays.push(`${method} ${url}`);
      return sendError(outgoing, { status: 404, type: "not_found_error", message: `There is no ${url} here.` });
    }
    const body = JSON.parse(text) as MessagesBody;
    const request = readRequest(body, incoming.headers, { at, count: (kind) => this.#count(kind) });
    this.requests.push(request);
    this.onRequest(request);
    try {
      await this.#reply(request, outgoing);
      this.repliedAt.push(performance.now());
    } catch (error) {
      this.problem ??= error;
      this.onProblem();
    }
  }

  #count(kind: string): number {
    const number = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, number);
    return number;
  }

  async #reply(request: ModelRequest, outgoing: http.ServerResponse): Promise<void> {
    const reply = await this.#scenario(request);
    if (reply.delayMs !== undefined) await pause(reply.delayMs);
    if (reply.error !== undefined) return sendError(outgoing, reply.error);
    const message = messageOf(request, reply, this.requests.length);
    if (request.body.stream === true) sendStream(outgoing, message);
    else sendJson(outgoing, 200, message);
  }
}

interface Message {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: Content[];
  stop_reason: string;
  stop_sequence: null;
  usage: Usage;
}

const USAGE: Usage = {
  input_tokens: 100,
  output_tokens: 20,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

function messageOf({ body }: ModelRequest, { blocks = [], usage }: Reply, serial: number): Message {
  const content = blocks.map((block, index) =>
    block["type"] === "tool_use" ? { id: `toolu_${serial}_${index}`, ...block } : block,
  );
  return {
    id: `msg_${serial}_${process.pid}`,
    type: "message",
    role: "assistant",
    model: body.model,
    content,
    stop_reason: content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { ...USAGE, ...usage },
  };
}

function sendError(
  outgoing: http.ServerResponse,
  { status, type, message, headers }: NonNullable<Reply["error"]>,
): void {
  for (const [name, value] of Object.entries(headers ?? {})) outgoing.setHeader(name, value);
  sendJson(outgoing, status, { type: "error", error: { type, message } });
}

function sendJson(outgoing: http.ServerResponse, status: number, document: object): void {
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(document));
}

/** The same message in the pieces in which the API streams it. */
function sendStream(outgoing: http.ServerResponse, message: Message): void {
  const send = (type: string, fields: object): void =>
    void outgoing.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  const { content, stop_reason, stop_sequence, usage } = message;
  outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const begun = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  send("message_start", { message: begun });
  for (const [index, block] of content.entries()) {
    const { start, deltas } = piecesOf(block);
    send("content_block_start", { index, content_block: start });
    for (const delta of deltas) send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  }
  send("message_delta", { delta: { stop_reason, stop_sequence }, usage: { output_tokens: usage.output_tokens } });
  send("message_stop", {});
  outgoing.end();
}

function piecesOf(block: Content): { start: Content; deltas: object[] } {
  if (block["type"] === "tool_use")
    return {
      start: { ...block, input: {} },
      deltas: [{ type: "input_json_delta", partial_json: JSON.stringify(block["input"]) }],
    };
  if (block["type"] === "thinking")
    return {
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        { type: "thinking_delta", thinking: block["thinking"] },
        { type: "signature_delta", signature: "c2NyaXB0" },
      ],
    };
  return { start: { type: "text", text: "" }, deltas: [{ type: "text_delta", text: contentText([block]) }] };
}

async function bodyOf(incoming: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
