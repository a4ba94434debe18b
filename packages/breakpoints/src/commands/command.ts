/** What all commands have in common: how they speak, and what they know. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import type { InboxDesk } from "@a5c-ai/babysitter-sdk/operate";

export interface Call {
  desk: InboxDesk;
  env: NodeJS.ProcessEnv;
  port: number;
  apiPort: number;
  /** The file of the index; undefined for the usual place. */
  indexFile: string | undefined;
  /** False when a link is to be printed, and no browser opened. */
  browser: boolean;
  json: boolean;
  /** False when another process is to send notifications. */
  worker: boolean;
}

/** Where a server is heard. */
type ServerRecord = ReturnType<InboxDesk["announce"]>;

/** Answers the exit code. */
export type Command = (call: Call) => Promise<number>;

export function tell({ json }: Pick<Call, "json">, document: object, text: string): number {
  return say(json ? JSON.stringify(document) : text);
}

export function say(text: string): number {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  return 0;
}

export function placeOf({ port, apiPort, pid }: ServerRecord): string {
  return `http://localhost:${port} for people, http://localhost:${apiPort} for programs (process ${pid})`;
}

export function usage(message: string): BabysitterError {
  return new BabysitterError("USAGE", message, { hint: "babysitter-breakpoints --help" });
}
