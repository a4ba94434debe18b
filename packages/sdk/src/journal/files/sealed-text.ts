/** Documents with a seal at their end: any edit, and any tear, makes them invalid. */
import { parseJson } from "../../model/json.js";
import { sha256 } from "../rules/chain.js";

const SEAL = /,"seal":"([0-9a-f]{64})"\}\n$/;

/** The text of a file with this document. */
export function sealed(document: object): string {
  const body = JSON.stringify(document).slice(0, -1);
  return `${body},"seal":"${sha256(body)}"}\n`;
}

/** The document that was sealed, or undefined. */
export function openSealed(text: string): unknown {
  const match = SEAL.exec(text.slice(-80));
  if (match === null) return undefined;
  const body = text.slice(0, text.length - match[0].length);
  return sha256(body) === match[1] ? parseJson(`${body}}`) : undefined;
}
