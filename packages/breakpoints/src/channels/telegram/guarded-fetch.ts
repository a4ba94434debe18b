/**
 * The fetch that grammY is given: its answers have a limit, and always are documents of the Bot API. Whatever goes wrong
 * is a {@link DeliveryProblem}; what fetch throws itself may quote the address, in which the token stands.
 */
import { DeliveryProblem } from "../channel.js";
import { failureIn, problemOfFailure } from "../delivery-problems.js";

/** What grammY hands over. */
interface Request {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: ForeignSignal;
}

/** Its signals are not the system's own. */
interface ForeignSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
}

const LARGEST_ANSWER = 8 * 1024 * 1024;

export function guardedFetch(host: string) {
  return async (url: string, { method = "POST", headers = {}, body, signal }: Request) => {
    const controller = new AbortController();
    if (signal?.aborted === true) controller.abort();
    signal?.addEventListener("abort", () => controller.abort());
    try {
      const response = await fetch(url, {
        method,
        // A connection that was kept may have been given up meanwhile: then nobody knows whether anything has arrived.
        headers: { "content-type": headers["content-type"] ?? "application/json", connection: "close" },
        body,
        signal: controller.signal,
        // The token is for the address that a person has named, and for no other.
        redirect: "manual",
        duplex: "half",
      } as RequestInit);
      const document = documentIn(response.status, await textOf(response), host);
      return { json: () => Promise.resolve(document) };
    } catch (error) {
      if (error instanceof DeliveryProblem) throw error;
      if (controller.signal.aborted)
        throw new DeliveryProblem("in-doubt", `${host} did not answer before sending was stopped`);
      throw problemOfFailure(failureIn(error), host);
    }
  };
}

async function textOf({ body }: Response): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let [text, length] = ["", 0];
  // Leaving the loop ends the connection.
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    length += piece.byteLength;
    if (length > LARGEST_ANSWER) return "";
    text += decoder.decode(piece, { stream: true });
  }
  return text;
}

/** An error without a document, as a proxy answers it, becomes one. */
function documentIn(status: number, text: string, host: string): unknown {
  const document = parsed(text);
  if (typeof document === "object" && document !== null && typeof (document as { ok?: unknown }).ok === "boolean")
    return document;
  if (status >= 400) return { ok: false, error_code: status, description: "no reason given" };
  // Whoever sends elsewhere has not taken it, such as a network that wants a sign-in.
  if (status >= 300) throw new DeliveryProblem("not-sent", `${host} redirects to another address (${status})`);
  throw new DeliveryProblem("in-doubt", `the server at ${host} is not Telegram (${status})`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
