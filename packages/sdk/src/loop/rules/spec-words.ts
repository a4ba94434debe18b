/** The words by which a specification is judged. English only; paths, commands and numbers count in any language. */

const anyOf = (words: string): string => `(?:${words.trim().split(/\s+/).join("|").replaceAll("_", "\\s+")})`;

const STRONG_VERBS = anyOf(`
  accept add allow apply backport build bump cache change collect compare configure connect convert correct cover create
  cut decrease delete deploy deprecate disable display document drop enable encrypt ensure export expose extend extract
  fetch fix format generate handle implement import include increase index inline install integrate introduce isolate
  let limit list load localise localize log lower make measure merge migrate mock move normalise normalize open paginate
  parse pass patch pin port prevent print produce publish raise read record redact reduce refactor reject release remove
  rename render reorder repair replace report reproduce resolve restore return revert rewrite round run save send
  serialise serialize serve set_up show shrink sign skip sort speed_up split stop store stream support switch test throw
  track translate turn type unify update upgrade upload use validate verify vendor wire wrap write`);

const WEAK_VERBS = anyOf(`
  beautify clean clean_up consider enhance explore go_over go_through help improve investigate look_at look_into
  modernise modernize optimise optimize polish rethink review study think_about tidy tidy_up work_on`);

/** Where an instruction can begin: a sentence, a point of a list, or behind words such as "please" and "must". */
const POINT = String.raw`(?:[-*+\u2022]\s{0,9}(?:\[.?\]\s{0,9})?|\d{1,9}[.)]\s{0,9}|#{1,9}\s{0,9})`;
const CLAUSE = String.raw`(?:^[ \t]{0,99}${POINT}?|[.!?;:,]\s{0,9}${POINT}?|\b(?:please|to|and|then|must|should|shall|will|you|just|also|we|now|first|finally)\s{1,9})`;
const DETERMINERS = anyOf("the a an all any some every each my our your its their this that these those both up");
const OBJECT = String.raw`\s+(?:${DETERMINERS}\s+)*([\p{L}\p{N}\x60'"/.@_$*<(-][^\s,;]*)`;

export const ACTION = new RegExp(`${CLAUSE}(${STRONG_VERBS})${OBJECT}`, "gimu");
export const WEAK_ACTION = new RegExp(`${CLAUSE}(${WEAK_VERBS})(?:${OBJECT})?`, "gimu");

/** Objects that say nothing. */
export const VAGUE = new RegExp(
  `^${anyOf(`it them things thing stuff everything something anything code codebase app application project repo better
  nicer faster cleaner good great sure bug bugs issue issues problem problems error errors is are was were be to of in
  on at for and or but if when with by from as so not work`)}[.!?:]*$`,
  "i",
);

const EXTENSIONS = anyOf(`
  astro bash bat c cc cfg clj cmake conf cpp cs csproj css csv cts dart db env erl ex exs gitignore go gradle graphql
  groovy h hcl hpp hs htm html ini ipynb java jl js json jsonc jsx kt kts less lock lua m md mdx mjs ml mts nix php pl
  po prisma proto ps1 py r rb rs rst sass scala scss sh snap sol sql svelte svg swift tf toml ts tsx txt vue wasm xml
  yaml yml zig zsh`);
const DIRECTORIES = anyOf(`
  src lib app apps packages pkg cmd internal test tests spec specs docs doc scripts tools bin config server client web
  frontend backend api components services modules migrations public examples crates plugins include core \\.github`);

/** Names of products look like files. */
const PRODUCTS = anyOf(
  "[Nn]ode [Nn]ext [Nn]uxt [Vv]ue [Rr]eact [Ee]xpress [Tt]hree [Dd]3 [Dd]iscord [Cc]hart [Ee]mber [Bb]ackbone",
);
const BOUNDARY = String.raw`(?<![\w/.:@*-])`;
const PATH = String.raw`(?:\.{1,2}\/|~\/|\/(?=\w))[\w@.*-]+(?:\/[\w@.*-]+)*\/?|${DIRECTORIES}\/[\w@./*-]*|[\w@.*-]+\/[\w@.*-]+\/[\w@./*-]*|[\w@*-]+\/(?:[\w@.*-]+\/)*[\w@*-]*\.${EXTENSIONS}\b`;
const FILE = String.raw`(?!${PRODUCTS}\.js\b)[\w@*.-]*\.${EXTENSIONS}\b|(?:Dockerfile|Makefile|Gemfile|Jenkinsfile|README|CHANGELOG|LICENSE|CODEOWNERS)\b`;
export const PLACE = new RegExp(`${BOUNDARY}(?:${PATH}|${FILE})`, "g");
/** Names out of code: with a call, with underscores, in camel case, or in backticks. */
export const IDENTIFIER =
  /(?<![\w$/.`])[A-Za-z_$][\w$]*\(\)|(?<![\w/.])[a-z][a-z0-9]*_[a-z0-9_]+\b|(?<![\w/.])(?!iOS\b|macOS\b|iPhone\b|iPad\b|gRPC\b|eBay\b|iCloud\b)[a-z]+[A-Z][A-Za-z0-9]+\b|`[A-Za-z_$@][\w$.:#/@-]*`/g;
export const COMPONENT = new RegExp(
  String.raw`\b${anyOf(`api backend banner button changelog checkout cli client command component
  controller dashboard database dialog directory docs endpoint endpoints field file folder footer form frontend function
  handler header hook homepage job library login menu middleware migration migrations modal module package page pages
  parser pipeline plugin readme report route router routes schema screen script sdk search server service sidebar signup
  table tests view webhook widget workflow`)}\b`,
  "gi",
);

export const HARD_BOUND =
  /\b(?:do(?:es)? not|don['’]t|doesn['’]t|must not|mustn['’]t|may not|should not|shouldn['’]t|cannot|never|without|avoid|only|at most|no more than|no new|not (?:touch|change|break|modify|add|use|edit)|not be (?:changed|touched|modified|broken)|unchanged|untouched|as (?:it is|they are|is)|backwards?[- ]compatib\w*|limited to|max(?:imum)?(?: of)? \d+|stays? (?:below|under|within|the same)|keep(?:ing)? [^.\n]{1,60}\b(?:same|intact|working|compatible|green|passing|stable|as is)|leave [^.\n]{1,60}\balone|out of scope|off[- ]limits)\b/gi;
/** A number to be reached is how success is measured; as a bound it is only half of one. */
export const SOFT_BOUND =
  /[<≤]=?\s*\d|\b(?:(?:within|under|below|less than|fewer than|up to) \$?\d+|prefer(?:ably)?|ideally|if possible|try to|minimal(?:ly)?|small|simple|careful(?:ly)?|conventions?|(?:code )?style|compatible|existing|using [\w.+#-]+|(?:in|with) (?:typescript|javascript|python|rust|go|java|kotlin|swift|ruby|php|c\+\+|react|vue|svelte|postgres(?:ql)?|sqlite|docker))\b/gi;

const PROGRAMS = anyOf(`
  bash bazel biome black bun bundle cabal cargo clippy cmake composer ctest curl cypress dart deno docker dotnet eslint
  flake8 flutter git go gradle grep helm jest jq kubectl lein make mix mocha mvn mypy node npm npx nx oxlint phpunit pip
  playwright pnpm poetry pre-commit prettier psql pytest python python3 rake rspec rubocop ruff sbt sh shellcheck stack
  swift terraform test tox tsc turbo uv vitest xcodebuild yarn zig`);
export const COMMAND = new RegExp(
  [
    String.raw`\x60(?:[A-Z_]+=[^\s\x60]+\s+)*(?:\./)?(?:${PROGRAMS}(?=[\s\x60])|[\w./-]+\.(?:sh|py|js|mjs|ts)\b)[^\x60\n]*\x60`,
    String.raw`(?<![\w/.-])(?:npm (?:t|test|ci|run [\w:.-]+)|(?:pnpm|yarn|bun)(?: run)? (?:test|lint|build|check|typecheck)[\w:.-]*|npx [\w@./-]+|pytest|tox|cargo (?:test|build|check|clippy|fmt|bench)|go (?:test|build|vet|generate)|make (?:test|check|lint|verify|ci)|mvn \w+|\.?/?gradlew? \w+|dotnet (?:test|build)|bundle exec \w+|rake \w+|rspec|phpunit|vitest|jest|mocha|eslint|tsc|mypy|ruff|flake8|shellcheck|golangci-lint|terraform (?:plan|validate)|docker build|curl -?\S+)(?![\w/-])`,
    String.raw`(?:^|\s)\.{1,2}/[\w./-]+\.sh\b`,
    String.raw`\bexit(?:s|ing)?(?: code| status)?(?: with)?(?: code)? 0\b`,
  ].join("|"),
  "gm",
);
export const MEASURE =
  /\b\d+(?:[.,]\d+)?\s*(?:%|(?:percent|ms|milliseconds?|s|secs?|seconds?|mins?|minutes?|hours?|[kmg]i?b|bytes|px|fps|rps|req\/s|requests?|errors?|warnings?|failures?|lines?|items?|rows?|users?|columns?|characters?|tokens|entries|results|tests|times|x)\b)|(?:[<>≥≤]=?|==?)\s*\d+|\b(?:returns?|responds?(?: with)?|status(?: code)?|http|code) [1-5]\d\d\b|\b(?:score|coverage|rating)\D{1,15}\d+/gi;
export const SOFT_SUCCESS =
  /\b(?:tests?|suite|ci|pipeline|build|checks?|lint(?:er)?)\b[^.\n]{0,30}\b(?:pass(?:es|ing)?|green|succeeds?|clean|works?)\b|\b(?:pass(?:es|ing)? (?:all )?(?:the )?tests|compiles?|type-?checks|no (?:[\w-]+ )?(?:errors|warnings|failures|regressions)|verif(?:y|ies|ied)|expected|matches|covered by tests?|with (?:unit |integration )?tests|add (?:a |unit |integration )*tests?|lint clean|works (?:in|on|with|when))\b/gi;

export const END_STATE =
  /\b(?:done|finished|complete[d]?|ready|accepted|ends?|stop)\b(?: only)?:? (?:when|if|once|as soon as|after|means|is when)\b|\buntil\b|\b(?:definition of done|(?:acceptance|success|exit|completion) criteri(?:a|on)|end state|finish line)\b|^[ \t]*(?:[-*+][ \t]+)?\[[ x]\]|\b(?:it|this|that|everything) is (?:done|finished|complete)\b|^[ \t]*(?:#+[ \t]*)?done[ \t]*[:=]/gim;
export const IMPLIED_END =
  /\b(?:should|must|has to|have to|needs? to) (?:\w+ ){0,2}?(?:pass|return|be|work|succeed|exit|show|print|contain|stay|load|run|match|build|compile|render|answer|respond|take|finish|support|accept)\b|\b(?:pass(?:es|ing)?|green|succeeds|exits?)\b|\bso that\b|\bno longer\b|\bdown to \d|\bto \d+(?:\.\d+)? ?%|\b(?:all|every|each)\b[^.\n]{1,40}\b(?:migrated|converted|covered|documented|translated|replaced|removed|pass)\b/gi;
