import { describe, expect, it } from "vitest";
import { Authenticator, type SigningOptions } from "../../../../tests/fixtures/inbox/authenticator.js";
import type { Assertion } from "../model/signed-decision.js";
import { assertionProblem } from "./verify-assertion.js";

const CHALLENGE = Buffer.from("approve this").toString("base64url");

describe("what a passkey has signed", () => {
  it.each(["ec", "rsa", "ed25519"] as const)("counts for the challenge that it is about: %s", (kind) => {
    const authenticator = new Authenticator(kind);
    expect(assertionProblem(authenticator.sign(CHALLENGE), authenticator.key, CHALLENGE)).toBeUndefined();
    const other = Buffer.from("reject this").toString("base64url");
    expect(assertionProblem(authenticator.sign(CHALLENGE), authenticator.key, other)).toBe(
      "it is about something else",
    );
  });

  it.each<[string, SigningOptions, string]>([
    ["another port", { origin: "http://localhost:5173" }, "it was made for another page"],
    ["another scheme", { origin: "https://localhost:3184" }, "it was made for another page"],
    ["another host", { host: "evil.test" }, "it is for another host"],
    ["inside a frame of another page", { crossOrigin: true }, "it was made inside another page"],
    ["a registration", { type: "webauthn.create" }, "it is not an assertion"],
    ["nobody there", { flags: 0x04 }, "it does not say that a person was present"],
    ["a person who was not verified", { flags: 0x01 }, "it does not say that a person was present"],
  ])("%s: does not count", (_, options, problem) => {
    const authenticator = new Authenticator();
    expect(assertionProblem(authenticator.sign(CHALLENGE, options), authenticator.key, CHALLENGE)).toBe(problem);
  });

  it.each<[string, (assertion: Assertion) => Partial<Assertion>, string]>([
    [
      "another key's signature",
      () => ({ signature: new Authenticator().sign(CHALLENGE).signature }),
      "its signature is wrong",
    ],
    ["another key's name", () => ({ credentialId: "other" }), "it belongs to another key"],
    [
      "data that is cut",
      ({ authenticatorData }) => ({ authenticatorData: authenticatorData.slice(0, 20) }),
      "its data is truncated",
    ],
    ["client data that is no JSON", () => ({ clientDataJSON: "bm9uc2Vuc2U" }), "its client data is not JSON"],
    [
      "nothing at all",
      () => ({ clientDataJSON: "", authenticatorData: "", signature: "" }),
      "its client data is not JSON",
    ],
  ])("%s: does not count", (_, change, problem) => {
    const authenticator = new Authenticator();
    const assertion = authenticator.sign(CHALLENGE);
    expect(assertionProblem({ ...assertion, ...change(assertion) }, authenticator.key, CHALLENGE)).toBe(problem);
  });

  it("a key that is no key proves nothing", () => {
    const authenticator = new Authenticator();
    const key = { ...authenticator.key, publicKey: "bm9uc2Vuc2U" };
    expect(assertionProblem(authenticator.sign(CHALLENGE), key, CHALLENGE)).toBe("its signature is wrong");
  });
});
