/** A command of ours in a program of its own, and the document that it answers. */
import { spawn } from "node:child_process";
import { isJsonObject, type JsonObject } from "../../model/json.js";

/** The name of the option by which a program knows that it is the one apart. */
export const HERE = "here";

interface ChildOptions {
  env?: NodeJS.ProcessEnv;
  /** For Node itself. */
  flags?: readonly string[];
  /** The program may have begun before it is known. */
  stdin?: string | Promise<string>;
}

/** `ending`: how the program ended. A document that cannot be read is an empty one. */
export async function answerApart(
  args: string[],
  options: ChildOptions = {},
): Promise<{ document: JsonObject; ending: string }> {
  const { text, ending } = await output([...args, `--${HERE}`, "--json"], options);
  return { document: parsed(text), ending };
}

function output(args: string[], { env, stdin, flags = [] }: ChildOptions): Promise<{ text: string; ending: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, process.argv[1] as string, ...args], {
      stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "inherit"],
      env: env ?? process.env,
    });
    let answer = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => void (answer += chunk));
    // It may end without having read.
    child.stdin?.on("error", () => undefined);
    Promise.resolve(stdin).then((text) => child.stdin?.end(text), reject);
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ text: answer, ending: signal ?? `exit ${code}` }));
  });
}

function parsed(text: string): JsonObject {
  try {
    const document: unknown = JSON.parse(text);
    return isJsonObject(document) ? document : {};
  } catch {
    return {};
  }
}
