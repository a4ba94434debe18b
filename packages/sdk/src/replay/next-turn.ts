/** Turns of the event loop without any sign of life that make a process quiet. */
export const QUIET_TURNS = 2;

/** The next turn of the event loop; with a short rest once the process only waits for the world. */
export function nextTurn(idle: number): Promise<void> {
  return new Promise((resolve) => {
    if (idle <= QUIET_TURNS * 2) setImmediate(resolve);
    else setTimeout(resolve, Math.min(idle - QUIET_TURNS * 2, 10));
  });
}

/** After everything that the process can do without the event loop; nothing from outside comes in between. */
export function drained(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
