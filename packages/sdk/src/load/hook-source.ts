/**
 * The hooks of the ES module loader, as text.
 *
 * Node 20 runs such hooks in a thread of their own, which has to find their module: next to us there
 * is a file in the library, but none in the bundle. A data URL needs no file. The same text serves
 * the hooks that newer versions run in the main thread, so that all versions behave alike.
 *
 * The hooks decide nothing. They look up what the main thread has worked out ("lessons"). A lesson is
 * posted before the import that needs it, and messages of a port can be taken synchronously, so taking
 * all waiting messages at the beginning of each call is free of races. Nothing here awaits, therefore
 * the functions fit synchronous and asynchronous chains.
 */
import { VERSION_PARAMETER } from "./module-versions.js";
import { SDK_NAME } from "./specifiers.js";

/** What the hooks have to know for a graph. Keys are URLs with the version as their only query. */
export interface Lesson {
  /** URLs of folders, ending in a slash; their files get the SDK's door, even if they lie in node_modules. */
  roots: string[];
  /** URL of the SDK's door, when something may import it. */
  door: string | undefined;
  /** URLs by importer and specifier. */
  links: Record<string, Record<string, string>>;
  modules: Record<string, LessonModule>;
}

/** Without a source, Node reads the file. */
export interface LessonModule {
  format: "module" | "commonjs";
  source?: string;
}

const SOURCE = `
import { receiveMessageOnPort } from "node:worker_threads";

let port;
let door;
const roots = new Set();
const links = new Map();
const modules = new Map();

export function initialize(data) {
  port = data.port;
}

export function learn(lesson) {
  door = lesson.door ?? door;
  for (const root of lesson.roots) roots.add(root);
  for (const key of Object.keys(lesson.links)) links.set(key, lesson.links[key]);
  for (const key of Object.keys(lesson.modules)) modules.set(key, lesson.modules[key]);
}

function catchUp() {
  if (port === undefined) return;
  for (let waiting; (waiting = receiveMessageOnPort(port)); ) learn(waiting.message);
}

// A process may add queries of its own; only ours tells versions apart.
function keyOf(url) {
  const end = url.search(/[?#]/);
  if (end < 0) return url;
  const version = /[?&]${VERSION_PARAMETER}=[^&#]*/.exec(url.slice(end));
  return url.slice(0, end) + (version ? "?" + version[0].slice(1) : "");
}

function isProjectFile(url) {
  for (const root of roots) {
    if (url.startsWith(root) && !url.slice(root.length - 1).includes("/node_modules/")) return true;
  }
  return false;
}

// Only packages may have a copy of their own.
function isOwn(url) {
  return !url.includes("/node_modules/") || isProjectFile(url);
}

function installedOr(ours, find) {
  try {
    const found = find();
    return typeof found?.then === "function" ? found.then(undefined, () => ours) : found;
  } catch {
    return ours;
  }
}

// In-thread hooks are asked about require() too, which has patches of its own.
function isRequire(context) {
  return Array.from(context.conditions ?? []).includes("require");
}

export function resolve(specifier, context, next) {
  catchUp();
  const parent = context.parentURL;
  if (typeof parent !== "string" || !parent.startsWith("file:") || isRequire(context)) return next(specifier, context);
  if (specifier === ${JSON.stringify(SDK_NAME)} && door !== undefined) {
    const ours = { url: door, format: "module", shortCircuit: true };
    return isOwn(parent) ? ours : installedOr(ours, () => next(specifier, context));
  }
  const url = links.get(keyOf(parent))?.[specifier];
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
}

export function load(url, context, next) {
  catchUp();
  const known = isRequire(context) ? undefined : modules.get(keyOf(url));
  if (known === undefined) return next(url, context);
  // Without a source Node asks the CommonJS loader, where our patches wait.
  if (known.format === "commonjs") return { format: "commonjs", source: null, shortCircuit: true };
  if (known.source === undefined) return next(url, { ...context, format: "module" });
  return { format: "module", source: known.source, shortCircuit: true };
}
`;

export const HOOKS_URL = `data:text/javascript,${encodeURIComponent(SOURCE)}`;
