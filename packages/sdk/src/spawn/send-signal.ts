/**
 * Signals a process, or a group by its negative number; 0 only asks. False when there was nobody, or
 * nobody who may be signalled by us.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
