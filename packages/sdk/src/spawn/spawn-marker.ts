/**
 * The marker in the environment by which descendants are known, wherever they have moved.
 *
 * A babysitter that runs inside a task gives its own children markers of their own; the markers
 * above stay in a second variable, so that ending the outer task finds the inner one's children too.
 */
const OWN = "BABYSITTER_SPAWN_ID";
const OUTER = "BABYSITTER_OUTER_SPAWN_IDS";

export function markedEnvironment(env: Record<string, string>, marker: string): Record<string, string> {
  const outer = [env[OUTER], env[OWN]].filter((value) => value !== undefined && value !== "").join(" ");
  return { ...env, [OWN]: marker, ...(outer === "" ? {} : { [OUTER]: outer }) };
}

/** Begins the markers of lifecycle hooks. */
export const HOOK_MARKER = "hook.";

/** For programs of ours that a hook may start, and that belong to the run: they do not end with the hook. */
export function withoutHooks(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const markers = `${env[OUTER] ?? ""} ${env[OWN] ?? ""}`.split(" ");
  const left = markers.filter((marker) => marker !== "" && !marker.startsWith(HOOK_MARKER));
  const { [OWN]: _own, [OUTER]: _outer, ...rest } = env;
  const own = left.pop();
  if (own === undefined) return rest;
  return { ...rest, [OWN]: own, ...(left.length === 0 ? {} : { [OUTER]: left.join(" ") }) };
}

/** Whose marker an environment has: this one, only others, or none at all. */
export type MarkerMatch = "ours" | "other" | "none";

/** Compares the content of /proc/<pid>/environ with a marker. */
export function matchMarker(environ: string, marker: string): MarkerMatch {
  if (!environ.includes(`${OWN}=`)) return "none";
  const entries = environ.split("\0");
  const own = entries.find((entry) => entry.startsWith(`${OWN}=`))?.slice(OWN.length + 1);
  if (own === undefined) return "none";
  if (own === marker) return "ours";
  const outer = entries.find((entry) => entry.startsWith(`${OUTER}=`))?.slice(OUTER.length + 1) ?? "";
  return outer.split(" ").includes(marker) ? "ours" : "other";
}
