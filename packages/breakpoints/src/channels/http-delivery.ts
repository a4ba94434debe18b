/** Asks a service for something, within limits of time and length, and says what may be believed afterwards. */
import { hostOf } from "@a5c-ai/babysitter-sdk/notify";
import { DeliveryProblem } from "./channel.js";
import { failureIn, problemOfAnswer, problemOfFailure } from "./delivery-problems.js";

export interface Delivery {
  url: string;
  method: "GET" | "POST" | "PATCH";
  headers?: Record<string, string>;
  body?: string;
  /** Whether something of the answer is needed, beyond its status. */
  reads?: boolean;
}

export interface Limits {
  /** For connecting, sending and the whole answer. A connection alone is given up earlier, so that one knows. */
  timeMs: number;
  /** No more of an answer is read. */
  bytes: number;
}

export const USUAL_LIMITS: Limits = { timeMs: 15_000, bytes: 256 * 1024 };

const COMMON_HEADERS = { "User-Agent": "babysitter (https://github.com/a5c-ai/babysitter)" };

/** The text of the answer, where it is needed. Throws a {@link DeliveryProblem} unless the service has taken it. */
export async function deliver(delivery: Delivery, signal: AbortSignal, limits = USUAL_LIMITS): Promise<string> {
  const host = hostOf(delivery.url);
  const time = new TimeLimit(signal, limits.timeMs);
  try {
    const response = await ask(delivery, time);
    if (delivery.reads === true) return await readText(response, limits.bytes);
    void response.body?.cancel().catch(() => undefined);
    return "";
  } catch (error) {
    if (error instanceof DeliveryProblem) throw error;
    throw time.problem(host) ?? problemOfFailure(failureIn(error), host);
  } finally {
    time.end();
  }
}

/**
 * Listens to an answer that goes on, until there is enough of it or the time is over. That it ends earlier is no
 * problem: whoever listens asks again.
 */
export async function listen(
  delivery: Delivery,
  signal: AbortSignal,
  { isEnough, ...limits }: Limits & { isEnough: (text: string) => boolean },
): Promise<string> {
  const time = new TimeLimit(signal, limits.timeMs);
  let heard = "";
  try {
    const response = await ask(delivery, time);
    for await (const text of pieces(response, limits.bytes)) {
      heard = text;
      if (isEnough(heard)) break;
    }
  } catch {
    // What was heard until then counts.
  } finally {
    time.end();
  }
  return heard;
}

async function ask({ url, method, headers, body }: Delivery, time: TimeLimit): Promise<Response> {
  if (time.signal.aborted) throw new DeliveryProblem("not-sent", "sending was stopped before it began");
  const response = await fetch(url, {
    method,
    headers: { ...COMMON_HEADERS, ...headers },
    signal: time.signal,
    // Messages and tokens are for the address that a person has named, and for no other.
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
  });
  const { status } = response;
  const problem = problemOfAnswer({ status, retryAfter: response.headers.get("Retry-After") }, hostOf(url), new Date());
  if (problem === undefined) return response;
  void response.body?.cancel().catch(() => undefined);
  throw problem;
}

async function readText(response: Response, bytes: number): Promise<string> {
  let all = "";
  for await (const text of pieces(response, bytes)) all = text;
  return all;
}

/** All that has come so far, each time that more has come. */
async function* pieces({ body }: Response, bytes: number): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let [text, length] = ["", 0];
  // Leaving the loop ends the connection.
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    length += piece.byteLength;
    text += decoder.decode(piece, { stream: true });
    yield text;
    if (length > bytes) return;
  }
}

/** Ends what is under way when its time is over, or when the worker stops. */
class TimeLimit {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #ms: number;
  readonly #timer: NodeJS.Timeout;
  readonly #stop = (): void => this.#controller.abort();
  #isOver = false;

  constructor(outer: AbortSignal, ms: number) {
    this.#outer = outer;
    this.#ms = ms;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#controller.abort();
    }, ms);
    if (outer.aborted) this.#controller.abort();
    else outer.addEventListener("abort", this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What an answer that never came means, if that is why there is none. */
  problem(host: string): DeliveryProblem | undefined {
    if (this.#isOver)
      return new DeliveryProblem("in-doubt", `${host} did not answer within ${Math.ceil(this.#ms / 1_000)} s`);
    if (this.#outer.aborted) return new DeliveryProblem("in-doubt", `sending was stopped before ${host} answered`);
    return undefined;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#stop);
  }
}
