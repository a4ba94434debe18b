/** What the program calls itself with, to host a process, to execute tasks or to check criteria; not commands for people. */
export const PROCESS_WORKER = "internal:process-worker";
export const TASK_RUNNER = "internal:task-runner";
export const VERIFIER = "internal:verifier";
