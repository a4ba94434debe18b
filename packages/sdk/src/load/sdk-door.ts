/**
 * Lets processes import this SDK where nothing is installed: its name leads to a module that hands
 * out the exports of the copy that is running already. Two copies would disagree about classes and
 * about the state of the run, so this one also wins over an installed one.
 */

/** Gives the namespace of the SDK's door, that is all its runtime exports. */
export type SdkAccess = { door: () => Record<string, unknown> };

const DOOR = Symbol.for("@a5c-ai/babysitter-sdk/door");

/** Puts the door where the synthetic module finds it. */
export function openDoor(sdk: SdkAccess): Record<string, unknown> {
  const door = sdk.door();
  (globalThis as Record<symbol, unknown>)[DOOR] = door;
  return door;
}

/** URL of a module that exports what the door has. A data URL, so no hook has to deliver its text. */
export function doorUrl(door: Record<string, unknown>): string {
  const lines = [`const door = globalThis[Symbol.for(${JSON.stringify(DOOR.description)})];`];
  // Named by number inside, because an export may have a reserved word for its name.
  for (const [index, name] of Object.keys(door).entries()) {
    const key = JSON.stringify(name);
    lines.push(`const $${index} = door[${key}]; export { $${index} as ${key} };`);
  }
  return `data:text/javascript,${encodeURIComponent(lines.join("\n"))}`;
}
