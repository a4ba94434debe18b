/** Teaches Node's ES module loader about graphs; registers the hooks at the first lesson. */
import nodeModule from "node:module";
import { MessageChannel } from "node:worker_threads";
import { HOOKS_URL, type Lesson } from "./hook-source.js";
import { importUrl } from "./native-import.js";

type Teach = (lesson: Lesson) => void;

type RegisterHooks = (hooks: { resolve: unknown; load: unknown }) => void;

interface HooksModule {
  learn: Teach;
  resolve: unknown;
  load: unknown;
}

// Newer than the oldest supported version, so the installed types do not know it.
const registerHooks: RegisterHooks | undefined = Reflect.get(nodeModule, "registerHooks");

let teacher: Promise<Teach> | undefined;

/** Has the hooks know the lesson before any import that starts after this. */
export async function teachModuleLoader(lesson: Lesson): Promise<void> {
  teacher ??= registerHooks === undefined ? Promise.resolve(registerInThread()) : registerHere(registerHooks);
  const teach = await teacher;
  teach(lesson);
}

async function registerHere(register: RegisterHooks): Promise<Teach> {
  const { learn, resolve, load } = await importUrl<HooksModule>(HOOKS_URL);
  register({ resolve, load });
  return learn;
}

function registerInThread(): Teach {
  const { port1, port2 } = new MessageChannel();
  port1.unref(); // The hooks must not keep the OS process alive.
  nodeModule.register(HOOKS_URL, { data: { port: port2 }, transferList: [port2] });
  return (lesson) => port1.postMessage(lesson);
}
