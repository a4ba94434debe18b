/** What a driver calls to host a process; not a command for people. */
export const PROCESS_HOST = "internal:process-host";
