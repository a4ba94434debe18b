/** The worst offences against plain English on a page, each with its line. Pure functions. */
import { withoutBlocks } from "./doc-lines.mjs";

export const MAX_WORDS = 40;
const MAX_PASSIVES = 3;

/** What reads translated, and what to write instead. */
export const PHRASES = [
  [/\bgo(?:es|ing)? on(?: with)?\b(?! (?:top|disk|paper|the (?:PATH|disk)))/giu, "continue, resume"],
  [/\binside of\b/giu, "inside"],
  [/\bbelongs? into\b/giu, "belongs in"],
  [/\bby the way\b/giu, "otherwise, or leave it out"],
  [/\bso often in a row\b/giu, "this many times in a row"],
  [/\(default: (?:found out|made up)\)/giu, "detected, generated"],
  [/\bfound out\b/giu, "detected"],
  [/\bis said so\b/giu, "is marked"],
  [/\bfor a look of yours?\b/giu, "for your review"],
  [/\bsomebody outside\b/giu, "input from outside"],
  [/\ballows? to\b(?! (?:the|an?|your|our|its)\b)/giu, "lets you, allows you to"],
  [/\binformations\b|\badvices\b|\bfeedbacks\b|\bsoftwares\b/giu, "the singular"],
  [/\bdepends? from\b|\bdependent from\b/giu, "depends on"],
  [/\bin the meanwhile\b/giu, "meanwhile"],
  [/\bas long as it is not\b/giu, "until"],
  [/\bhow (?:it|this|that) (?:looks|is called|is named) like\b/giu, "what it looks like"],
  [/\bhow (?:it|this|that) looks like\b/giu, "what it looks like"],
  [/\bat the moment that\b/giu, "when"],
  [/\bin order to\b/giu, "to"],
  [/\butili[sz]e[sd]?\b/giu, "use"],
  [/\bdue to the fact that\b/giu, "because"],
  [/\bplease note that\b|\bit should be noted that\b|\bnote that\b/giu, "say it without this"],
  [/\bsimply\b|\bobviously\b/giu, "leave it out"],
];

const PASSIVE =
  /\b(?:is|are|was|were|be|been|being)\s+(?:not\s+|never\s+|only\s+|\w+ly\s+)?(?:\w{2,}(?:ed|en|wn)|made|kept|sent|told|read|run|said|held|put|set|left|found|lost|built|cut)\b/giu;

/** Words that may stand twice. */
const MAY_DOUBLE = new Set(["had", "that", "is"]);

/**
 * `{ line, what, text }` for every offence. `isReference`: tables are not read. Code, quotes, comments and what is
 * generated are never read.
 */
export function findProse(markdown, { isReference = false } = {}) {
  return paragraphsOf(markdown, isReference)
    .flatMap(({ line, text, isHeading }) => {
      const sentences = isHeading ? [] : sentencesOf(text);
      return [
        ...sentences.filter(isLong).map((sentence) => ({
          at: text.indexOf(sentence),
          what: `a sentence of ${wordsOf(sentence).length} words; at most ${MAX_WORDS}`,
          text: `${wordsOf(sentence).slice(0, 6).join(" ")} …`,
        })),
        ...sentences.filter(isStack).map((sentence) => ({
          at: text.indexOf(sentence),
          what: `${[...sentence.matchAll(PASSIVE)].length} passives in one sentence; say who does it`,
          text: `${wordsOf(sentence).slice(0, 6).join(" ")} …`,
        })),
        ...doubledIn(text),
        ...phrasesIn(text),
      ].map(({ at, ...offence }) => ({ line: line + linesBefore(text, at), ...offence }));
    })
    .toSorted((a, b) => a.line - b.line);
}

/** `{ name, what, text }` for every offence in the texts of the command table. */
export function findInHelp(commands) {
  return commands.flatMap(({ name, summary, details = "", positionals, options }) => {
    const texts = [summary, details, ...[...positionals, ...Object.values(options)].map(({ help }) => help)];
    return texts.flatMap((help) => findProse(help)).map(({ what, text }) => ({ name, what, text }));
  });
}

function isLong(sentence) {
  return wordsOf(sentence).length > MAX_WORDS;
}

function isStack(sentence) {
  return [...sentence.matchAll(PASSIVE)].length > MAX_PASSIVES;
}

function doubledIn(text) {
  return [...text.matchAll(/(?<![\w'-])(?<word>\p{L}+)\s+\k<word>(?![\w'-])/giu)]
    .filter(({ groups: { word } }) => !MAY_DOUBLE.has(word.toLowerCase()))
    .map(({ 0: twice, index }) => ({ at: index, what: "a word twice", text: twice.replaceAll(/\s+/gu, " ") }));
}

function phrasesIn(text) {
  return PHRASES.flatMap(([phrase, instead]) =>
    [...text.matchAll(phrase)].map(({ 0: found, index }) => ({
      at: index,
      what: `write: ${instead}`,
      text: found.replaceAll(/\s+/gu, " "),
    })),
  );
}

/** Text without code, links, marks and what is generated, in paragraphs with the lines where they begin. */
function paragraphsOf(markdown, isReference) {
  const blank = (text) => text.replaceAll(/[^\n]/gu, "");
  const lines = withoutBlocks(markdown)
    .replaceAll(/<!-- generated:[\s\S]*?<!-- \/generated -->/gu, blank)
    .replaceAll(/<!--[\s\S]*?-->/gu, blank)
    .replaceAll(/(?<!`)(`+)(?!`).*?[^`]\1(?!`)/gu, "⟨code⟩")
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/gu, "")
    .replaceAll(/\[((?:[^\][]|\[[^\]]*\])*)\]\([^)]*\)/gu, "$1")
    .replaceAll(/<[^>\n]*>/gu, "")
    .replaceAll(/(?<!\w)[*_]{1,3}|[*_]{1,3}(?!\w)/gu, "")
    .split("\n");
  const paragraphs = [];
  let open;
  for (const [index, line] of lines.entries()) {
    const start = { line: index + 1, isHeading: /^\s*#{1,6}\s/u.test(line) };
    if (line.trim() === "" || /^\s*(?:>|\[[^\]]+\]:|-{3,}$)/u.test(line)) open = undefined;
    else if (/^\s*\|/u.test(line)) {
      open = undefined;
      if (!isReference) paragraphs.push(...line.split(/(?<!\\)\|/u).map((text) => ({ ...start, text: text.trim() })));
    } else if (open === undefined || start.isHeading || /^\s*(?:[-*+]|\d+[.)])\s/u.test(line)) {
      open = { ...start, text: line.replace(/^\s*(?:[-*+]|\d+[.)]|#{1,6})\s+/u, "") };
      paragraphs.push(open);
      if (start.isHeading) open = undefined;
    } else open.text += `\n${line.trim()}`;
  }
  return paragraphs;
}

/** A sentence ends with its mark, and so does what introduces a list. */
function sentencesOf(text) {
  return text.split(/(?<=[.!?…][")’]*)\s+(?=["'(]*[\p{Lu}\d⟨])|(?<=:)\n/u);
}

function wordsOf(sentence) {
  return sentence.split(/\s+/u).filter((word) => /[\p{L}\d]/u.test(word));
}

function linesBefore(text, at) {
  return text.slice(0, Math.max(at, 0)).split("\n").length - 1;
}
