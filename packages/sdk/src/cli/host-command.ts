/** What the program calls itself with, to host a process or to execute tasks; not commands for people. */
export const PROCESS_HOST = "internal:process-host";
export const TASK_RUNNER = "internal:task-runner";
