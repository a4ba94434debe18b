import { blobRef } from "../journal/rules/blobs.js";
import { BabysitterError } from "../model/errors.js";
import type { Ports } from "../model/ports.js";
import type { EventStore } from "../model/store.js";
import type { Workspace } from "../model/workspace.js";

/**
 * Ports through which nothing can be written, not even a cache: what is read is folded again. Blobs that a
 * process makes while it is replayed are forgotten.
 */
export function readOnlyPorts(all: Ports): Ports {
  const { snapshots: _, upkeep: __, notes: ___, ...ports } = all;
  return { ...ports, store: readOnlyStore(ports.store), workspace: readOnlyWorkspace(ports.workspace) };
}

function readOnlyStore(store: EventStore): EventStore {
  return {
    create: refuse,
    append: refuse,
    putBlob: async (_, text) => blobRef(text),
    exists: (runId) => store.exists(runId),
    list: () => store.list(),
    read: (runId, after) => store.read(runId, after),
    ...(store.walk === undefined ? {} : { walk: store.walk.bind(store) }),
    readAt: (runId, place) => store.readAt(runId, place),
    getBlob: (runId, blob) => store.getBlob(runId, blob),
    watch: (runId, onChange) => store.watch(runId, onChange),
  };
}

function readOnlyWorkspace(workspace: Workspace): Workspace {
  return {
    writeLog: refuse,
    keepSources: nothing,
    showEvents: nothing,
    flushViews: nothing,
    restoreViews: nothing,
    runDir: (runId) => workspace.runDir(runId),
    taskDir: (runId, effectId) => workspace.taskDir(runId, effectId),
    readLog: (runId, effectId, name) => workspace.readLog(runId, effectId, name),
    readLogTail: (runId, effectId, name, maxBytes) => workspace.readLogTail(runId, effectId, name, maxBytes),
    listLogs: (runId, effectId) => workspace.listLogs(runId, effectId),
    readSource: (runId, file) => workspace.readSource(runId, file),
  };
}

async function refuse(): Promise<never> {
  throw new BabysitterError("INTERNAL", "A read-only run was about to be written to.");
}

async function nothing(): Promise<void> {}
