import { describe, expect, it } from "vitest";
import { failureIn, problemOfAnswer, problemOfFailure } from "./delivery-problems.js";

const NOW = new Date("2026-03-01T12:00:00Z");

describe("what a failure says about a message", () => {
  const TLS_CUT = "Client network socket disconnected before secure TLS connection was established";
  it.each([
    ["connection refused", { code: "ECONNREFUSED", syscall: "connect" }, "not-sent"],
    ["no such name", { code: "ENOTFOUND", syscall: "getaddrinfo" }, "not-sent"],
    ["names cannot be looked up", { code: "EAI_AGAIN", syscall: "getaddrinfo" }, "not-sent"],
    ["no route", { code: "ENETUNREACH", syscall: "connect" }, "not-sent"],
    ["nobody there", { code: "ETIMEDOUT", syscall: "connect" }, "not-sent"],
    ["connecting takes too long", { code: "UND_ERR_CONNECT_TIMEOUT" }, "not-sent"],
    ["a certificate of their own", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "not-sent"],
    ["a certificate that is too old", { code: "CERT_HAS_EXPIRED" }, "not-sent"],
    ["a certificate of an unknown authority", { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, "not-sent"],
    ["a certificate for another name", { code: "ERR_TLS_CERT_ALTNAME_INVALID" }, "not-sent"],
    ["no TLS there", { code: "ERR_SSL_WRONG_VERSION_NUMBER" }, "not-sent"],
    ["no common TLS", { code: "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE" }, "not-sent"],
    ["cut while TLS begins", { code: "ECONNRESET", message: TLS_CUT }, "not-sent"],
    ["an address that is none", { code: "ERR_INVALID_URL" }, "refused"],
    ["a port that fetch blocks", { message: "bad port" }, "refused"],
    ["cut later", { code: "UND_ERR_SOCKET", message: "other side closed" }, "in-doubt"],
    ["reset later", { code: "ECONNRESET", syscall: "read" }, "in-doubt"],
    ["a pipe that broke", { code: "EPIPE", syscall: "write" }, "in-doubt"],
    ["silence later", { code: "ETIMEDOUT", syscall: "read" }, "in-doubt"],
    ["a network that went away", { code: "EHOSTUNREACH", syscall: "read" }, "in-doubt"],
    ["TLS broke in the middle", { code: "ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC" }, "in-doubt"],
    ["no HTTP", { code: "HPE_INVALID_CONSTANT" }, "in-doubt"],
    ["endless headers", { code: "UND_ERR_HEADERS_OVERFLOW" }, "in-doubt"],
    ["something unheard of", { code: "E_NEW_KIND", syscall: "sendmsg" }, "in-doubt"],
  ])("B9: %s", (_, failure, outcome) => {
    const problem = problemOfFailure({ code: "", syscall: "", message: "", ...failure }, "ntfy.sh");
    expect(problem.outcome).toBe(outcome);
  });

  it("names the host, and nothing that the error quotes", () => {
    const errors = [
      new TypeError("Headers.append: Bearer tk_secret is an invalid header value."),
      new TypeError("Request cannot be constructed from a URL that includes credentials: https://u:secret@x.test/"),
      new TypeError("fetch failed", { cause: Object.assign(new Error("https://x.test/secret"), { code: "a secret" }) }),
      "secret",
      null,
    ];
    const reasons = errors.map((error) => problemOfFailure(failureIn(error), "x.test").message);
    expect(reasons.filter((reason) => reason.includes("secret"))).toEqual([]);
    expect(reasons[2]).toBe("the connection to x.test failed");
  });

  it("looks at the first of several addresses", () => {
    const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED", syscall: "connect" });
    const cause = Object.assign(new AggregateError([refused, refused]), { code: "ECONNREFUSED" });
    const problem = problemOfFailure(failureIn(new TypeError("fetch failed", { cause })), "localhost");
    expect([problem.outcome, problem.message]).toEqual(["not-sent", "localhost refused the connection"]);
  });
});

describe("what an answer says about a message", () => {
  it.each([
    [200, undefined],
    [204, undefined],
    [301, "not-sent"],
    [307, "not-sent"],
    [400, "refused"],
    [401, "refused"],
    [403, "refused"],
    [404, "refused"],
    [408, "not-sent"],
    [410, "refused"],
    [413, "refused"],
    [418, "refused"],
    [425, "not-sent"],
    [429, "not-sent"],
    [500, "answered-with-error"],
    [502, "answered-with-error"],
    [503, "answered-with-error"],
    [511, "not-sent"],
    [599, "answered-with-error"],
  ])("B9: %d", (status, outcome) => {
    expect(problemOfAnswer({ status }, "ntfy.sh", NOW)?.outcome).toBe(outcome);
  });

  it.each([
    ["7", 7_000],
    [" 0.3 ", 1_000],
    ["0", 1_000],
    ["Sun, 01 Mar 2026 12:00:30 GMT", 30_000],
    ["Sun, 01 Mar 2026 11:00:00 GMT", 1_000],
    ["999999999", 3_600_000],
    ["1e9", undefined],
    ["-5", undefined],
    ["soon", undefined],
    ["", undefined],
    [null, undefined],
  ])("waits as long as it is asked to, within bounds: %j", (retryAfter, ms) => {
    expect(problemOfAnswer({ status: 429, retryAfter }, "ntfy.sh", NOW)?.retryAfterMs).toBe(ms);
    expect(problemOfAnswer({ status: 503, retryAfter }, "ntfy.sh", NOW)?.retryAfterMs).toBe(ms);
  });
});
