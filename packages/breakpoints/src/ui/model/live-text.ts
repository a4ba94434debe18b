/** Server-sent events, taken from the pieces in which they arrive. */

export interface LiveMessage {
  id?: string;
  event: string;
  data: string;
}

/** Collects pieces of text; gives out each message once its empty line has come. */
export class LiveText {
  #rest = "";
  #fields: { id?: string; event?: string; data: string[] } = { data: [] };

  push(piece: string): LiveMessage[] {
    const lines = `${this.#rest}${piece}`.split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#take(line.replace(/\r$/u, "")));
  }

  #take(line: string): LiveMessage[] {
    if (line === "") return this.#end();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /u, "");
    if (name === "id") this.#fields.id = value;
    if (name === "event") this.#fields.event = value;
    if (name === "data") this.#fields.data.push(value);
    return [];
  }

  #end(): LiveMessage[] {
    const { id, event = "message", data } = this.#fields;
    this.#fields = { data: [] };
    return data.length === 0 ? [] : [{ ...(id === undefined ? {} : { id }), event, data: data.join("\n") }];
  }
}

/** How long to wait before the next try: longer each time, and not at the same moment in all windows. */
export function retryAfter(failures: number, random: number): number {
  const most = Math.min(30_000, 500 * 2 ** Math.min(failures, 10));
  return Math.round(most * (0.5 + random / 2));
}
