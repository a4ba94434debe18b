/** How long a host may take before it counts as hanging: a busy machine is no defect, and a test waits only for one that is. */
export const HOST_MS = 120_000;

/** The same for a test, which then still has time to say what it saw. */
export const TEST_MS = 300_000;
