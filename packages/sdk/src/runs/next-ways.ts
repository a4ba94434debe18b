/** What gets a run on. */
import { liftingOption, type PauseAtLimit } from "../model/lifted-limits.js";
import type { LoopState } from "../model/loop-state.js";
import { remedyOf } from "../model/pause-remedies.js";
import { agentOptions, resumeCommand } from "../model/resume-command.js";

export interface NextWay {
  command: string;
  /** When it is the one to type, such as `after correcting the process`. */
  when?: string;
  /** What it does, such as `executes what is pending`. */
  does?: string;
  /** Why there is nothing to do but that, such as `process 7 is driving it`. */
  because?: string;
}

/** All ways in one line: the first command, and everything else in brackets behind it. */
export function waysText([first, ...others]: readonly NextWay[]): string | undefined {
  if (first === undefined) return undefined;
  const about = [
    first.when ?? first.does ?? first.because ?? [],
    others.map(({ when = "or", command }) => `${when}: ${command}`),
  ];
  const said = about.flat();
  return said.length === 0 ? first.command : `${first.command}    (${said.join("; ")})`;
}

/** What continues a loop that is paused, or that nobody works on. Whoever drives its agent only waits for the word to go on. */
export function waysToResume(loop: LoopState, name: string, driving?: { by: string }): NextWay[] {
  const resume: NextWay =
    driving?.by === "driver"
      ? { command: `babysitter loop:resume ${name}${liftingOption(loop.paused)}` }
      : {
          command: resumeCommand(loop, name),
          ...(agentOptions(loop) === undefined ? {} : { does: "starts its agent again" }),
        };
  return resumingWays(loop.paused, name, resume);
}

/** What resumes a paused loop, and before that whatever keeps it from being paused again for the same reason. */
export function resumingWays(paused: PauseAtLimit | undefined, name: string, resume: NextWay): NextWay[] {
  const remedy = remedyOf(paused);
  if (remedy === undefined) return [resume];
  const { amend } = remedy;
  const first =
    amend === undefined ? [] : [{ command: `babysitter loop:amend ${name} ${amend.options}`, when: amend.when }];
  return [...first, { command: resume.command, when: remedy.resume }];
}
