/** Who may use the inbox, folded from the entries of its log. Secrets are there only as their hashes. */
import { isJsonObject, type Json } from "../model/json.js";
import type { PublicKey } from "../model/signed-decision.js";

export type AccessEntry = { at: string } & (
  | { type: "LINK_MADE"; link: string; expires: string; by: string }
  | { type: "SIGNED_IN"; link: string; device: string; token: string; expires: string; name: string }
  | { type: "SIGNED_OUT"; device: string }
  | { type: "PASSKEY_ADDED"; device: string; key: PublicKey }
  | { type: "PASSKEY_REMOVED"; device: string; credentialId: string }
);

/** A browser that was signed in. */
export interface Device {
  device: string;
  name: string;
  at: string;
  expires: string;
}

interface Link {
  at: string;
  expires: string;
}

export interface AccessState {
  /** Those that nobody has used, by their hashes. */
  links: Map<string, Link>;
  /** By the hashes of their tokens. */
  devices: Map<string, Device>;
  keys: Map<string, PublicKey>;
}

export function emptyAccess(): AccessState {
  return { links: new Map(), devices: new Map(), keys: new Map() };
}

/** Adds one entry. One that was written twice, or by a newer version, changes nothing. */
export function foldAccess(state: AccessState, entry: AccessEntry): void {
  const { at } = entry;
  switch (entry.type) {
    case "LINK_MADE":
      state.links.set(entry.link, { at, expires: entry.expires });
      break;
    case "SIGNED_IN": {
      // A link signs in the first browser that shows it. A log that begins anew names none.
      if (entry.link !== "" && !state.links.delete(entry.link)) break;
      const { device, name, expires } = entry;
      state.devices.set(entry.token, { device, name, at, expires });
      break;
    }
    case "SIGNED_OUT":
      for (const [token, { device }] of state.devices) if (device === entry.device) state.devices.delete(token);
      break;
    case "PASSKEY_ADDED":
      state.keys.set(entry.key.credentialId, entry.key);
      break;
    case "PASSKEY_REMOVED":
      if (!state.keys.delete(entry.credentialId) || state.keys.size > 0) break;
      // Whoever has only the session of a browser could otherwise remove the key, and decide without it or add another.
      state.devices.clear();
      state.links.clear();
      break;
  }
}

/** The entries that lead to the same state, for a log that begins anew. */
export function accessEntries({ links, devices, keys }: AccessState, now: Date): AccessEntry[] {
  return [
    ...[...links]
      .filter(([, link]) => isCurrent(link, now))
      .map(([link, times]): AccessEntry => ({ type: "LINK_MADE", ...times, link, by: "log" })),
    ...[...devices]
      .filter(([, device]) => isCurrent(device, now))
      .map(([token, device]): AccessEntry => ({ type: "SIGNED_IN", ...device, token, link: "" })),
    ...[...keys.values()].map(
      (key): AccessEntry => ({ type: "PASSKEY_ADDED", at: now.toISOString(), device: "log", key }),
    ),
  ];
}

/** How far clocks may be apart. */
const SLACK_MS = 60_000;

/** Neither over nor, by a clock that was set back, from a time that is yet to come. */
export function isCurrent({ at, expires }: { at: string; expires: string }, now: Date): boolean {
  return Date.parse(at) - SLACK_MS <= now.getTime() && now.getTime() < Date.parse(expires);
}

const FIELDS: Readonly<Record<AccessEntry["type"], readonly string[]>> = {
  LINK_MADE: ["link", "expires"],
  SIGNED_IN: ["link", "device", "token", "expires", "name"],
  SIGNED_OUT: ["device"],
  PASSKEY_ADDED: [],
  PASSKEY_REMOVED: ["credentialId"],
};

/** What a line of the log says; undefined for one that is damaged or of a type that is not known here. */
export function asAccessEntry(value: Json): AccessEntry | undefined {
  if (!isJsonObject(value)) return undefined;
  const { type, key } = value;
  if (typeof type !== "string" || !Object.hasOwn(FIELDS, type)) return undefined;
  const texts = ["at", ...FIELDS[type as AccessEntry["type"]]];
  if (!texts.every((name) => typeof value[name] === "string")) return undefined;
  if (type === "PASSKEY_ADDED" && !isPublicKey(key)) return undefined;
  return value as unknown as AccessEntry;
}

function isPublicKey(value: Json | undefined): boolean {
  if (!isJsonObject(value)) return false;
  return ["credentialId", "publicKey", "origin", "name"].every((name) => typeof value[name] === "string");
}
