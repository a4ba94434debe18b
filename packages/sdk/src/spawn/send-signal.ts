/**
 * Signals a process, or a group by its negative number; 0 only asks. False when there was nobody, or
 * nobody who may be signalled by us.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  // 0 would be our own group, -1 everyone, 1 the system itself: no record of ours means any of them.
  if (!Number.isSafeInteger(pid) || Math.abs(pid) <= 1) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
