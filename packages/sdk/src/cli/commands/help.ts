import { commandNamed, findCommand } from "../grammar/find-command.js";
import { renderCommandHelp, renderNoun, renderOverview } from "../grammar/help.js";
import { HELP_TOPICS, renderTopics } from "../grammar/help-topics.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async ({ positionals }) => {
  const help = helpFor(positionals);
  return { document: { help }, text: help };
};

function helpFor(words: string[]): string {
  const [word] = words;
  if (word === undefined) return renderOverview();
  if (word === "topics") return renderTopics();
  const topic = Object.hasOwn(HELP_TOPICS, word) ? HELP_TOPICS[word] : undefined;
  if (topic !== undefined) return topic.text;
  const noun = words.length === 1 && commandNamed(word) === undefined ? renderNoun(word) : undefined;
  if (noun !== undefined) return noun;
  const found = findCommand(words);
  return found === undefined ? renderOverview() : renderCommandHelp(found.spec);
}
