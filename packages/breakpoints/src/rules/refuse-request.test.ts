import { describe, expect, it } from "vitest";
import { type Refusal, whyNotForMachines, whyNotForPages } from "./refuse-request.js";

const ORIGIN = "http://localhost:3184";

function forPages(
  headers: Record<string, string>,
  { method = "GET", target = "/" }: { method?: string; target?: string } = {},
): Refusal | undefined {
  const all: Record<string, string> = { host: "localhost:3184", ...headers };
  return whyNotForPages({ method, target, header: (name) => all[name] }, ORIGIN);
}

describe("requests to the pages", () => {
  it("those that the pages send are taken", () => {
    const own = { origin: ORIGIN, "sec-fetch-site": "same-origin" };
    const json = { "content-type": "application/json; charset=utf-8" };
    expect(forPages({})).toBeUndefined();
    expect(forPages({ ...own, "sec-fetch-mode": "cors" }, { target: "/api/questions" })).toBeUndefined();
    expect(forPages({ ...own, ...json }, { method: "POST", target: "/api/sign-in" })).toBeUndefined();
    expect(forPages(own, { method: "DELETE", target: "/api/devices/x" })).toBeUndefined();
    expect(forPages({ ...own, "content-length": "0" }, { method: "POST", target: "/api/sign-out" })).toBeUndefined();
    expect(forPages({ "sec-fetch-site": "none", "sec-fetch-mode": "navigate" })).toBeUndefined();
    expect(forPages({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" })).toBeUndefined();
  });

  it.each<[Record<string, string>, { method?: string; target?: string }, number]>([
    [{ host: "" }, {}, 400],
    [{}, { target: "http://localhost:3184/" }, 400],
    [{}, { target: "*" }, 400],
    [{ host: "evil.test:3184" }, {}, 421],
    [{ host: "localhost:3184, evil.test" }, {}, 421],
    [{ host: "127.0.0.1:3185" }, {}, 421],
    [{ host: "127.0.0.1:3184" }, { target: "/api/me" }, 421],
    [{ host: "127.0.0.1:3184" }, { target: "/API/me" }, 421],
    [{ host: "127.0.0.1:3184" }, { target: "/%61pi/me" }, 421],
    [{ host: "127.0.0.1:3184" }, { target: "//api/me" }, 421],
    [{ host: "127.0.0.1:3184", origin: ORIGIN }, { method: "POST" }, 421],
    [{ host: "127.0.0.1:3184", "sec-fetch-dest": "iframe" }, {}, 421],
    [{ origin: "null" }, {}, 403],
    [{ origin: "http://localhost:3185" }, {}, 403],
    [{}, { method: "DELETE" }, 403],
    [{ "sec-fetch-site": "same-site" }, {}, 403],
    [{ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }, { target: "/api/me" }, 403],
    [{ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }, { method: "HEAD" }, 403],
    [{ origin: ORIGIN, "content-type": "text/plain" }, { method: "POST" }, 415],
    [{ origin: ORIGIN, "content-length": "5" }, { method: "POST" }, 415],
    [{ origin: ORIGIN, "transfer-encoding": "chunked" }, { method: "DELETE" }, 415],
  ])("%j %j: %i", (headers, request, status) => {
    expect(forPages(headers, request)?.status).toBe(status);
  });

  it("a page that was opened by a number is sent to the name, and nowhere else", () => {
    for (const host of ["127.0.0.1:3184", "[::1]:3184"])
      expect(forPages({ host }, { target: "/questions/x?y" })).toMatchObject({
        status: 308,
        location: `${ORIGIN}/questions/x?y`,
      });
    const { location = "" } = forPages({ host: "127.0.0.1:3184" }, { target: "//evil.test/" }) ?? {};
    expect(new URL(location).origin).toBe(ORIGIN);
  });

  it("a request of a program without a body is no reason for a page to send one", () => {
    const header = (name: string): string | undefined => (name === "host" ? "localhost:3185" : undefined);
    expect(whyNotForMachines({ method: "POST", target: "/", header }, 3185)?.status).toBe(415);
  });
});
