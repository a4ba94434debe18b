/** What an agent does that is to write a process for its task, and to follow it once its person agrees. */
export const PLAN_PROTOCOL: readonly string[] = [
  "The user wants a plan first: write a process for the task, and follow it only once the user agrees. Do not work on the task itself before that.",
  "1. Look at the repository: what the task needs, which commands build and check it, where a person should decide.",
  "2. Write `.a5c/processes/<name>.mjs` (the process; see reference/PLANNING.md of the babysit skill) and `.a5c/processes/<name>.process.md` (goal, steps, questions to the user, checks, and a mermaid flowchart of them).",
  "3. Run: babysitter process:check .a5c/processes/<name>.mjs. Fix every error and warning, and check again.",
  "4. Show the user the plan: the steps, the questions and the checks, in a few lines, and where the two files are.",
  "5. Ask whether to follow it, in a dialog if your host has a tool for that (such as: follow it, change it). On changes go back to 2. Without one, end your turn and wait.",
  "6. Only after a yes: babysitter run:create --process-id plans/<name> --entry .a5c/processes/<name>.mjs --json. The host asks the user once more; a no there is a no. The process then joins this loop.",
  "7. Follow the run: babysitter run:iterate, do what its nextActions ask for, post the results, until it is completed. Only its completion proof ends the loop then.",
  "- Only the user may agree to the plan, answer the run's questions, and pause, cancel or change the loop.",
];
