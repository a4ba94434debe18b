import type { EffectId, RunId } from "../model/ids.js";
import type { LogName, LogTail, SourceFile, Workspace } from "../model/workspace.js";

/** A run directory that is not there: logs are kept in memory, and nobody looks at readable copies. */
export class MemoryWorkspace implements Workspace {
  readonly #logs = new Map<string, string>();
  readonly #sources = new Map<string, string>();

  runDir(runId: RunId): string {
    return `/memory/runs/${runId}`;
  }

  taskDir(runId: RunId, effectId: EffectId): string {
    return `${this.runDir(runId)}/tasks/${effectId}`;
  }

  async writeLog(runId: RunId, effectId: EffectId, name: LogName, content: Uint8Array): Promise<void> {
    this.#logs.set(`${this.taskDir(runId, effectId)}/${name}`, new TextDecoder().decode(content));
  }

  async readLog(runId: RunId, effectId: EffectId, name: LogName): Promise<string | undefined> {
    return this.#logs.get(`${this.taskDir(runId, effectId)}/${name}`);
  }

  async readLogTail(runId: RunId, effectId: EffectId, name: LogName, maxBytes: number): Promise<LogTail | undefined> {
    const text = await this.readLog(runId, effectId, name);
    if (text === undefined) return undefined;
    return { text: text.slice(-maxBytes), bytes: text.length, truncated: text.length > maxBytes };
  }

  async listLogs(runId: RunId, effectId: EffectId): Promise<{ file: string; bytes: number }[]> {
    const dir = `${this.taskDir(runId, effectId)}/`;
    const logs = [...this.#logs].filter(([file]) => file.startsWith(dir));
    return logs.map(([file, text]) => ({ file: file.slice(this.runDir(runId).length + 1), bytes: text.length }));
  }

  async keepSources(_: RunId, files: readonly (SourceFile & { text: string })[]): Promise<void> {
    for (const { sha256, text } of files) this.#sources.set(sha256, text);
  }

  async readSource(_: RunId, { sha256 }: SourceFile): Promise<string | undefined> {
    return this.#sources.get(sha256);
  }

  async showEvents(): Promise<void> {}

  async flushViews(): Promise<void> {}

  async restoreViews(): Promise<void> {}
}
