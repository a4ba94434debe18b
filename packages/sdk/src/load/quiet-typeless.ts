/**
 * Node warns when it has to guess that a `.js` file is an ES module. Processes load by their syntax
 * here, so the guess is the rule and the warning only worries. The hooks would avoid it as well, but on
 * Node 20 at the price of a thread.
 */
const TYPELESS = "MODULE_TYPELESS_PACKAGE_JSON";
let original: typeof process.emitWarning | undefined;
let users = 0;

/** Runs the work without this one warning. */
export async function withoutTypelessWarning<T>(work: () => Promise<T>): Promise<T> {
  if (users++ === 0) silence();
  try {
    return await work();
  } finally {
    if (--users === 0) restore();
  }
}

function silence(): void {
  const emit: typeof process.emitWarning = Reflect.get(process, "emitWarning");
  original = emit;
  process.emitWarning = (...parameters: unknown[]) => {
    const [, options] = parameters;
    const isTypeless =
      typeof options === "object" && options !== null && "code" in options && options.code === TYPELESS;
    if (!isTypeless) Reflect.apply(emit, process, parameters);
  };
}

function restore(): void {
  if (original !== undefined) process.emitWarning = original;
  original = undefined;
}
