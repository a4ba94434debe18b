/** What may be believed about a message after an answer, or after none. In doubt it has arrived and it has not. */
import { DeliveryProblem } from "./channel.js";

/** What went wrong before there was an answer. `code` and `syscall` as the system, TLS or fetch call them. */
export interface Failure {
  code: string;
  syscall: string;
  message: string;
}

/** What fetch has thrown. Its messages may quote addresses and tokens, so none of them is ever shown. */
export function failureIn(error: unknown): Failure {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  // Of a name with several addresses each one has failed in its own way.
  const [first = cause] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause];
  const { code, syscall, message } = (first ?? {}) as { code?: unknown; syscall?: unknown; message?: unknown };
  return { code: textOf(code), syscall: textOf(syscall), message: textOf(message) };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

interface FailureRule {
  fits: (failure: Failure) => boolean;
  outcome: DeliveryProblem["outcome"];
  reason: (host: string, failure: Failure) => string;
}

/** The handshake has failed, so nothing was sent. Other errors of TLS may come in the middle of everything. */
const HANDSHAKE =
  /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNSUPPORTED_PROTOCOL|HTTP_REQUEST|\w*(?:HANDSHAKE_FAILURE|PROTOCOL_VERSION|UNRECOGNIZED_NAME))$/u;
const CERTIFICATE =
  /^(?:CERT_\w+|CRL_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED|ERR_TLS_CERT_ALTNAME_\w+)$/u;
const BEFORE_TLS = "Client network socket disconnected before secure TLS connection was established";

/** The first that fits is meant. Whatever is not known here may have happened after the message had arrived. */
const FAILURES: readonly FailureRule[] = [
  {
    fits: ({ code, syscall }) => code === "ECONNREFUSED" && syscall === "connect",
    outcome: "not-sent",
    reason: (host) => `${host} refused the connection`,
  },
  {
    fits: ({ syscall }) => syscall === "getaddrinfo",
    outcome: "not-sent",
    reason: (host) => `the host name ${host} could not be resolved`,
  },
  {
    fits: ({ code, syscall }) => syscall === "connect" || code === "UND_ERR_CONNECT_TIMEOUT",
    outcome: "not-sent",
    reason: (host) => `${host} cannot be reached`,
  },
  {
    fits: ({ code }) => CERTIFICATE.test(code),
    outcome: "not-sent",
    reason: (host, { code }) => `the certificate of ${host} is not trusted (${code})`,
  },
  {
    fits: ({ code, message }) => HANDSHAKE.test(code) || (code === "ECONNRESET" && message === BEFORE_TLS),
    outcome: "not-sent",
    reason: (host) => `the TLS handshake with ${host} failed`,
  },
  {
    // Fetch itself does not want it: a port that is blocked, or characters that no header may have.
    fits: ({ code, syscall }) => code === "ERR_INVALID_URL" || (code === "" && syscall === ""),
    outcome: "refused",
    reason: () => "the address or the token in the settings cannot be used",
  },
  {
    fits: ({ code }) => ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(code),
    outcome: "in-doubt",
    reason: (host) => `${host} closed the connection without answering`,
  },
  {
    fits: ({ code }) => code.startsWith("HPE_") || code === "UND_ERR_HEADERS_OVERFLOW",
    outcome: "in-doubt",
    reason: (host) => `${host} sent a response that is not HTTP`,
  },
];

/** `host`: who was asked; of their address nothing else may be told. */
export function problemOfFailure(failure: Failure, host: string): DeliveryProblem {
  const rule = FAILURES.find(({ fits }) => fits(failure));
  if (rule !== undefined) return new DeliveryProblem(rule.outcome, rule.reason(host, failure));
  const code = /^\w{1,60}$/u.test(failure.code) ? ` (${failure.code})` : "";
  return new DeliveryProblem("in-doubt", `the connection to ${host} failed${code}`);
}

export interface AnswerHead {
  status: number;
  /** The header of that name, as it came. */
  retryAfter?: string | null;
}

/** What the most common answers mean. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: "the message was not understood",
  401: "the token is not accepted",
  403: "the token or the address is not accepted",
  404: "the address does not exist there",
  405: "the address does not accept messages",
  410: "the address is no longer in use",
  413: "the message is too long",
};
/** Whoever answers this has not looked at the message: it came too slowly or too early, or a network wants a sign-in. */
const NOT_TAKEN: readonly number[] = [408, 425, 511];

/** Undefined when the service has taken it. */
export function problemOfAnswer(
  { status, retryAfter }: AnswerHead,
  host: string,
  now: Date,
): DeliveryProblem | undefined {
  if (status >= 200 && status < 300) return undefined;
  const wait = waitOf(retryAfter ?? undefined, now);
  if (status === 429) return new DeliveryProblem("not-sent", `${host} asks to wait (429)`, wait);
  if (NOT_TAKEN.includes(status)) return new DeliveryProblem("not-sent", `${host} did not accept it (${status})`, wait);
  // Another address has to be looked at by a person; a network that wants a sign-in answers like this for a while.
  if (status < 400)
    return new DeliveryProblem("not-sent", `${host} redirects to another address, which is not followed (${status})`);
  if (status >= 500)
    return new DeliveryProblem("answered-with-error", `${host} reports a server error (${status})`, wait);
  const meaning = MEANINGS[status];
  return new DeliveryProblem(
    "refused",
    `${host} rejected it (${status}${meaning === undefined ? "" : `: ${meaning}`})`,
  );
}

const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60 * 60_000;

/** Seconds or a date; a service must not be able to silence itself for good. */
function waitOf(header: string | undefined, now: Date): number | undefined {
  if (header === undefined || header.trim() === "") return undefined;
  const text = header.trim();
  const ms = /^\d+(?:\.\d+)?$/u.test(text) ? Number(text) * 1_000 : dateIn(text) - now.getTime();
  if (Number.isNaN(ms)) return undefined;
  return Math.min(Math.max(Math.ceil(ms), SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
}

/** As HTTP writes dates; others would be taken for one too, such as a single number. */
function dateIn(text: string): number {
  return /^[A-Z][a-z]{2}, .+ GMT$/u.test(text) ? Date.parse(text) : Number.NaN;
}
