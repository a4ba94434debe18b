/** What a host feeds its hook: one JSON object on stdin. Whatever else comes, the host gets its answer. */

/** A host says at most a long message; more is a mistake, and must not cost minutes. */
const MAX_BYTES = 16 * 1024 * 1024;
/** If stdin is silent for this long, its content is used although it was not closed. */
const SILENCE_MS = 1_000;
/** What is no whole object yet is waited for longer: a host on a busy machine may be that slow, and its loop would end. */
const MAX_SILENCE_MS = 10_000;

export type HostText = { ok: true; value: unknown } | { ok: false; problem: string };

export function readHostInput(stdin: NodeJS.ReadStream): Promise<HostText> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let timer: NodeJS.Timeout | undefined;
    const settle = (text: HostText): void => {
      clearTimeout(timer);
      stdin.removeAllListeners();
      stdin.on("error", () => undefined);
      stdin.destroy();
      resolve(text);
    };
    const finish = (): void => settle(parsed(textOf(chunks)));
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (parsed(textOf(chunks)).ok) finish();
        else timer = setTimeout(finish, MAX_SILENCE_MS - SILENCE_MS);
      }, SILENCE_MS);
    };
    stdin.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BYTES) settle({ ok: false, problem: `more than ${MAX_BYTES} bytes on stdin` });
      else wait();
    });
    stdin.on("end", finish);
    stdin.on("error", (error) => settle({ ok: false, problem: `stdin cannot be read: ${error.message}` }));
    wait();
  });
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): HostText {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false, problem: text.trim() === "" ? "stdin is empty" : "stdin is not valid JSON" };
  }
}
