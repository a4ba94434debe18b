/** By what this machine, or this container, is known. */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { type MachineFacts, NO_BOOT } from "./liveness.js";
import { readBootId } from "./proc-table.js";

const IS_LINUX = process.platform === "linux";
let lasting: Pick<MachineFacts, "namespace" | "machine"> | undefined;

export function thisMachine(): MachineFacts {
  lasting ??= IS_LINUX
    ? { namespace: readNamespace(), machine: readMachine() }
    : { namespace: undefined, machine: undefined };
  const boot = IS_LINUX ? readBootId() : NO_BOOT;
  // The name of a machine may change.
  return { host: hostname(), boot: boot === NO_BOOT ? undefined : boot, ...lasting };
}

/** Pids are counted per PID namespace, start times per time namespace. */
function readNamespace(): string | undefined {
  const numbers = ["pid", "time"].map((kind) => /\d+/u.exec(readLink(`/proc/self/ns/${kind}`) ?? "")?.[0]);
  return numbers[0] === undefined ? undefined : numbers.filter((number) => number !== undefined).join("/");
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Derived, as systemd asks for: the id itself is not to be shown around. */
function readMachine(): string | undefined {
  try {
    const id = readFileSync("/etc/machine-id", "utf8").trim();
    return id === "" ? undefined : createHash("sha256").update(`babysitter ${id}`).digest("hex").slice(0, 16);
  } catch {
    return undefined;
  }
}
