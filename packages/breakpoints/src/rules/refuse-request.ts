/** Which requests a listener takes at all, decided from their heads. */

export interface RequestHead {
  method: string;
  /** The target as it was sent: a path with its query, as a rule. */
  target: string;
  /** Undefined when the request does not have it; names in small letters. One that was sent twice has both values. */
  header: (name: string) => string | undefined;
}

export interface Refusal {
  status: 308 | 400 | 403 | 413 | 415 | 417 | 421;
  code: string;
  message: string;
  /** Where the same page is found under its right name. */
  location?: string;
}

/** The names by which this machine calls itself. */
const OWN_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Why the machine interface does not take a request. A page in a browser must not reach it, whatever name the page was
 * loaded under; programs on this machine send neither of these headers.
 */
export function whyNotForMachines(head: RequestHead, port: number): Refusal | undefined {
  return noHost(head) ?? wrongHost(head, port) ?? fromBrowser(head) ?? notJson(head) ?? tooLarge(head);
}

/**
 * Why the inbox does not take a request. Its pages have one name, so that other pages of this machine, under another name
 * or port, are strangers: whatever changes something says which page it comes from, and that must be one of ours.
 */
export function whyNotForPages(head: RequestHead, origin: string): Refusal | undefined {
  return (
    noHost(head) ??
    wrongTarget(head) ??
    otherName(head, origin) ??
    fromElsewhere(head, origin) ??
    notJson(head) ??
    tooLarge(head)
  );
}

function noHost({ header }: RequestHead): Refusal | undefined {
  const host = header("host");
  return host === undefined || host === "" ? refusal(400, "HOST_MISSING", "The request names no host.") : undefined;
}

/** A page whose name was made to lead here brings its own name along. */
function wrongHost({ header }: RequestHead, port: number): Refusal | undefined {
  const host = header("host") ?? "";
  if (OWN_NAMES.some((name) => host.toLowerCase() === `${name}:${port}`)) return undefined;
  return refusal(421, "HOST_UNKNOWN", `This is localhost:${port}, not ${JSON.stringify(host)}.`);
}

/** A whole address, or `*`, is what proxies are asked for. */
function wrongTarget({ target }: RequestHead): Refusal | undefined {
  return target.startsWith("/") ? undefined : refusal(400, "TARGET_UNKNOWN", "The request asks for no path.");
}

/** Whoever opens a page by the number of this machine is sent to its name; nothing else is answered there. */
function otherName(head: RequestHead, origin: string): Refusal | undefined {
  const { host: right, port } = new URL(origin);
  const host = head.header("host")?.toLowerCase() ?? "";
  if (host === right) return undefined;
  const isOwn = OWN_NAMES.some((name) => host === `${name}:${port}`);
  const wrong = refusal(421, "HOST_UNKNOWN", `This is ${right}, not ${JSON.stringify(host)}.`);
  if (!isOwn || head.method !== "GET" || isApi(head.target) || isPartOfPage(head)) return wrong;
  return { ...wrong, status: 308, location: `${origin}${head.target}` };
}

function fromElsewhere(head: RequestHead, origin: string): Refusal | undefined {
  const { method, target, header } = head;
  const from = header("origin");
  const changes = method !== "GET" && method !== "HEAD";
  if (from !== undefined && from !== origin)
    return refusal(403, "ORIGIN_REFUSED", `Only pages of ${origin} may ask, not ${JSON.stringify(from)}.`);
  if (changes && from === undefined)
    return refusal(403, "ORIGIN_MISSING", `The request does not say that it comes from ${origin}.`);
  const site = header("sec-fetch-site");
  if (site === undefined || site === "same-origin") return undefined;
  // Any page may have a link to ours.
  if (method === "GET" && !isApi(target) && header("sec-fetch-mode") === "navigate" && !isPartOfPage(head))
    return undefined;
  return refusal(403, "SITE_REFUSED", `Only pages of ${origin} may ask.`);
}

/** A frame, an image, a script: anything but a page of its own. */
function isPartOfPage({ header }: RequestHead): boolean {
  return (header("sec-fetch-dest") ?? "document") !== "document";
}

/** Names that are written in other ways count as the interface: there more is refused. */
function isApi(target: string): boolean {
  return /^\/+(?:api|%|\.)/iu.test(target);
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
  // Only browsers say where they come from, and those that come from elsewhere are refused already.
  const isEmpty = header("transfer-encoding") === undefined && Number(header("content-length") ?? 0) === 0;
  if (type === undefined && isEmpty && header("origin") !== undefined) return undefined;
  return refusal(415, "JSON_WANTED", "Send the header Content-Type: application/json.");
}

/** Longer than anyone writes. */
export const LONGEST_BODY = 1024 * 1024;
export const TOO_LARGE = { code: "TOO_LARGE", message: `The body is longer than ${LONGEST_BODY} bytes.` };

/** As far as the request says how long its body is. */
function tooLarge({ header }: RequestHead): Refusal | undefined {
  const isLong = Number(header("content-length") ?? 0) > LONGEST_BODY;
  return isLong ? refusal(413, TOO_LARGE.code, TOO_LARGE.message) : undefined;
}

function refusal(status: Refusal["status"], code: string, message: string): Refusal {
  return { status, code, message };
}
