/** Reads the bodies of the inbox. Strict: a field that is wrong, missing or unknown is named, and nothing is guessed. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import type {
  CommentBody,
  DecisionBody,
  DecisionWords,
  NewPasskeyBody,
  SignInBody,
  WireAssertion,
} from "../wire/inbox-wire.js";

export type Body = Readonly<Record<string, unknown>>;

const MAX_SECRET = 200;
const MAX_NAME = 200;
const MAX_KEY = 16 * 1024;
const BASE64URL = /^[A-Za-z0-9_-]+$/u;

export function parseSignIn(body: Body): SignInBody {
  onlyFields(body, ["link", "name"]);
  return { link: text(body, "link", MAX_SECRET), name: text(body, "name", MAX_NAME) };
}

export function parseDecision(body: Body): DecisionBody {
  onlyFields(body, ["decision", "feedback", "response", "shown", "assertion"]);
  const { shown, assertion } = body;
  if (shown !== null && typeof shown !== "string") throw wrong("shown", "the text that came with the question", shown);
  return {
    ...wordsIn(body),
    shown,
    ...(assertion === undefined ? {} : { assertion: parseAssertion("assertion", assertion) }),
  };
}

export function parseDecisionWords(body: Body): DecisionWords {
  onlyFields(body, ["decision", "feedback", "response"]);
  return wordsIn(body);
}

function wordsIn(body: Body): DecisionWords {
  const feedback = optionalText(body, "feedback");
  const response = optionalText(body, "response");
  return {
    decision: decisionIn(body["decision"]),
    ...(feedback === undefined ? {} : { feedback }),
    ...(response === undefined ? {} : { response }),
  };
}

function decisionIn(decision: unknown): DecisionWords["decision"] {
  if (decision === "approve" || decision === "reject") return decision;
  const option = isObject(decision) && Object.keys(decision).length === 1 ? decision["option"] : undefined;
  if (typeof option === "string") return { option };
  throw wrong("decision", '"approve", "reject" or { "option": … }', decision);
}

export function parseComment(body: Body): CommentBody {
  onlyFields(body, ["text", "path", "side", "line", "endLine"]);
  const { side } = body;
  if (side !== undefined && side !== "base") throw wrong("side", '"base"', side);
  const path = optionalText(body, "path");
  const line = optionalLine(body, "line");
  const endLine = optionalLine(body, "endLine");
  if (path === undefined && (line !== undefined || side !== undefined)) throw missing("path");
  if (line === undefined && endLine !== undefined) throw missing("line");
  return {
    text: text(body, "text"),
    ...(path === undefined ? {} : { path }),
    ...(side === undefined ? {} : { side }),
    ...(line === undefined ? {} : { line }),
    ...(endLine === undefined ? {} : { endLine }),
  };
}

export function parseNewPasskey(body: Body): NewPasskeyBody {
  onlyFields(body, ["name", "challenge", "credentialId", "publicKey", "proof", "vouch"]);
  const { vouch } = body;
  return {
    name: text(body, "name", MAX_NAME),
    challenge: encoded(body, "challenge"),
    credentialId: encoded(body, "credentialId"),
    publicKey: encoded(body, "publicKey"),
    proof: parseAssertion("proof", body["proof"]),
    ...(vouch === undefined ? {} : { vouch: parseAssertion("vouch", vouch) }),
  };
}

function parseAssertion(name: string, value: unknown): WireAssertion {
  if (value === undefined) throw missing(name);
  if (!isObject(value)) throw wrong(name, "what a passkey has signed", value);
  const fields = ["credentialId", "clientDataJSON", "authenticatorData", "signature"] as const;
  onlyFields(value, fields, `${name}.`);
  const [credentialId = "", clientDataJSON = "", authenticatorData = "", signature = ""] = fields.map((field) =>
    encoded(value, field, `${name}.`),
  );
  return { credentialId, clientDataJSON, authenticatorData, signature };
}

function onlyFields(body: Body, known: readonly string[], prefix = ""): void {
  const other = Object.keys(body).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw new BabysitterError("USAGE", `${JSON.stringify(`${prefix}${other}`.slice(0, 100))} is not known here.`, {
    hint: `Known: ${known.join(", ")}`,
  });
}

function text(body: Body, name: string, longest = Number.POSITIVE_INFINITY): string {
  const value = optionalText(body, name);
  if (value === undefined || value.trim() === "") throw missing(name);
  if (value.length > longest) throw new BabysitterError("USAGE", `"${name}" has more than ${longest} characters.`);
  return value;
}

function optionalText(body: Body, name: string): string | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw wrong(name, "a text", value);
  return value;
}

function optionalLine(body: Body, name: string): number | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (!Number.isSafeInteger(value) || (value as number) < 1) throw wrong(name, "the number of a line", value);
  return value as number;
}

function encoded(body: Body, name: string, prefix = ""): string {
  const value = body[name];
  if (value === undefined) throw missing(`${prefix}${name}`);
  if (typeof value !== "string" || !BASE64URL.test(value) || value.length > MAX_KEY)
    throw wrong(`${prefix}${name}`, "base64url", value);
  return value;
}

function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(name: string, wanted: string, value: unknown): BabysitterError {
  return new BabysitterError("USAGE", `"${name}" must be ${wanted}, not ${JSON.stringify(value)?.slice(0, 100)}.`);
}

function missing(name: string): BabysitterError {
  return new BabysitterError("USAGE", `"${name}" is missing.`);
}
