/** What a process gets when it imports this SDK by name: the very copy that runs it. */
import type { SdkAccess } from "../load/process-loader.js";

let door: (() => Record<string, unknown>) | undefined;

/** The public door registers itself here; importing it from below would turn the layers around. */
export function registerDoor(exports: () => Record<string, unknown>): void {
  door = exports;
}

export function sdkAccess(): SdkAccess {
  return { door: () => door?.() ?? {} };
}
