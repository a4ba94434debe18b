/** A session whose user types slash commands. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { answerOf, HOOK_ENVIRONMENTS, type HookAnswer, HostSession } from "./host-session.js";

export class TypingSession extends HostSession {
  /** The host marks its hooks nearly like the commands of its agent. */
  marks: Record<string, string> = HOOK_ENVIRONMENTS["2.1.325"];

  /** Somebody types a slash command, which is a prompt of its own. Code of a process may write to stderr meanwhile. */
  async typed(command: string, args = "", more: string[] = []): Promise<{ answer: HookAnswer; stderr: string }> {
    this.promptId = randomUUID();
    const input = {
      session_id: this.sessionId,
      transcript_path: this.transcript,
      cwd: this.project.dir,
      prompt_id: this.promptId,
      hook_event_name: "UserPromptExpansion",
      expansion_type: "slash_command",
      command_name: command,
      command_args: args,
      command_source: "plugin",
      prompt: `/${command} ${args}`,
    };
    const type = ["--hook-type", "user-prompt-expansion", "--harness", "claude-code"];
    const stdin = JSON.stringify(input);
    const done = await this.project.run(["hook:run", ...type, ...more], { stdin, env: this.marks });
    return { answer: answerOf({ ...done, stderr: "" }), stderr: done.stderr };
  }

  async types(command: string, args = "", more: string[] = []): Promise<HookAnswer> {
    return quietly(await this.typed(command, args, more));
  }

  /** What the user is told in place of a model call. */
  async refused(command: string, args = "", more: string[] = []): Promise<string> {
    return refusalOf(await this.types(command, args, more));
  }

  /** The text for the agent of a command that goes through. */
  async goesThrough(command: string, args: string): Promise<string> {
    return contextOf(await this.types(command, args));
  }
}

function quietly({ answer, stderr }: { answer: HookAnswer; stderr: string }): HookAnswer {
  expect(stderr).toBe("");
  return answer;
}

function refusalOf({ decision, reason, hookSpecificOutput }: HookAnswer): string {
  expect([decision, hookSpecificOutput]).toEqual(["block", undefined]);
  return reason ?? "";
}

function contextOf({ decision, reason, hookSpecificOutput }: HookAnswer): string {
  expect([decision, reason]).toEqual([undefined, undefined]);
  expect(hookSpecificOutput?.hookEventName).toBe("UserPromptExpansion");
  return hookSpecificOutput?.additionalContext ?? "";
}
