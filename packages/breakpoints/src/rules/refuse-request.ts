/** Which requests a listener takes at all, decided from their heads. */

export interface RequestHead {
  method: string;
  /** Undefined when the request does not have it; names in small letters. */
  header: (name: string) => string | undefined;
}

export interface Refusal {
  status: 400 | 403 | 415 | 421;
  code: string;
  message: string;
}

/** The names by which this machine calls itself. */
const OWN_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Why the machine interface does not take a request. A page in a browser must not reach it, whatever name the page was
 * loaded under; programs on this machine send neither of these headers.
 */
export function whyNotForMachines(head: RequestHead, port: number): Refusal | undefined {
  return wrongHost(head, port) ?? fromBrowser(head) ?? notJson(head);
}

/** A page whose name was made to lead here brings its own name along. */
function wrongHost({ header }: RequestHead, port: number): Refusal | undefined {
  const host = header("host");
  if (host === undefined || host === "") return refusal(400, "HOST_MISSING", "The request names no host.");
  if (OWN_NAMES.some((name) => host.toLowerCase() === `${name}:${port}`)) return undefined;
  return refusal(421, "HOST_UNKNOWN", `This is localhost:${port}, not ${JSON.stringify(host)}.`);
}

function fromBrowser({ header }: RequestHead): Refusal | undefined {
  // Node's own fetch sends Sec-Fetch-Mode, but neither of these.
  if (header("origin") === undefined && header("sec-fetch-site") === undefined) return undefined;
  return refusal(403, "BROWSER_REFUSED", "This interface is for programs; browsers use the inbox.");
}

/** What a page can send without asking first has another type. */
function notJson({ method, header }: RequestHead): Refusal | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  const type = header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return undefined;
  return refusal(415, "JSON_WANTED", "Send the header Content-Type: application/json.");
}

function refusal(status: Refusal["status"], code: string, message: string): Refusal {
  return { status, code, message };
}
