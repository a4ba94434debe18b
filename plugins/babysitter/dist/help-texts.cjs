"use strict";const e=require("./babysitter.cjs"),t=require("./command-loaders.cjs"),n={names:{about:`How to name runs, tasks and questions.`,text:`Every command that takes a run takes any of these:
  nothing            the only open run; a failed run only while it is the newest
  a1b2c3             any beginning or end of its ID that no other run has (3 letters or more)
  @2                 the second run that babysitter run:list shows; not for cancel and prune
  --last             the run with the newest event
  .a5c/runs/<id>     its directory

IDs of tasks and questions are shortened in the same way; the title of a task will do too. An
ID always means itself. If a short name means several, the command lists them and does nothing.`},inputs:{about:`How to give inputs to a process.`,text:`  babysitter run build --input count=3 --input name=web
  babysitter run build --inputs '{"count":3}'
  babysitter run build --inputs inputs.json
  generate | babysitter run build --inputs -

A value after --input is read as JSON if possible, otherwise as text. --input adds to --inputs.
"build" is .a5c/processes/build.mjs (or .js, .ts \u2026); a path works too.

A process that exports an inputSchema (JSON Schema) gets only inputs that match it:
  babysitter run --help build     shows what it takes
  babysitter run build --dry-run  shows what it would ask for first, and creates nothing`},"exit-codes":{about:`What the numbers mean.`,text:[...Object.values(e.EXIT_CODES).map(({exit:e,meaning:t})=>`${String(e).padStart(5)}  ${t}`),``,`run:iterate exits with 0 even when the run has failed; with --exit-code, the run's state decides.`].join(`
`)},states:{about:`What the states of a run mean.`,text:`  created    nothing was asked for yet
  running    the process can continue: babysitter run <run>
  waiting    for a task, an answer or a time: babysitter run:status <run> says for what
  paused     a loop that waits for you: babysitter loop:resume <run>
  blocked    code and journal disagree; nothing is lost, the report says what to do
  failed     the process threw; fix the cause and continue: babysitter run <run>
  completed  the process returned; its completion proof exists
  cancelled  ended for good; babysitter run:fork <run> continues in a copy`},decisions:{about:`Who may answer questions, and how.`,text:`  babysitter ui                                    all questions in the browser
  babysitter breakpoint:list                       what waits for you here, in every run
  babysitter breakpoint:show <id>                  the question with its files
  babysitter breakpoint:approve <id>
  babysitter breakpoint:reject <id> --reason "\u2026"

babysitter run asks on the terminal. In a run that belongs to an agent's session, only a
person can decide: at a terminal, in the agent's own dialog or in the inbox. To decide a
high-risk question at a terminal, type the name of the run. The first decision is final.`},scripts:{about:`How to use babysitter in scripts and CI.`,text:`  --json         exactly one JSON document on stdout, errors included: {"error": {"code", \u2026}}
  --plain        plain lines instead of the live view (the default without a terminal)
  --runs-dir     another folder for runs; env RUNS_DIR
  --verbose      on stderr, what is read and written

babysitter run exits with the code of the run's state (babysitter help exit-codes). Without
a terminal it does not ask: it exits with 3 and says how to answer. Codes and numbers stay
as they are; wording may change.`}};function r(){let e=Math.max(...Object.keys(n).map(e=>e.length));return[`Topics:`,...Object.entries(n).map(([t,{about:n}])=>`  ${t.padEnd(e)}  ${n}`),``,`babysitter help <topic> shows one of them.`].join(`
`)}const i={"Run a process":`init process:check run run:retry run:fork run:cancel`,"See what happens":`run:list run:show run:status run:output run:watch run:events run:export task:list task:show task:logs report`,Decide:`ui breakpoint:list breakpoint:show breakpoint:approve breakpoint:reject breakpoint:comment breakpoint:wait breakpoint:create run:accept-code extension notify:test`,"Keep an agent going":`loop:start loop:verify loop:step loop:amend loop:import run:pause run:resume run:report`,Maintain:`doctor config:show paths run:archive run:prune run:check run:repair run:replay uninstall completion help`};function a(){let e=Object.entries(i).map(([e,n])=>({title:e,commands:n.split(` `).flatMap(e=>t.COMMANDS.filter(t=>t.name===e))})),n=t.COMMANDS.filter(t=>!e.some(({commands:e})=>e.includes(t)));return[...e,{title:`For scripts, agents and their hosts`,commands:n}]}var o=e.__exportAll({renderCommandHelp:()=>c,renderOverview:()=>s});function s(){return[`babysitter ${e.VERSION}: keeps coding agents going until the work is verified.`,``,`Usage: babysitter <command> [arguments] [--json]`,``,...a().flatMap(({title:e,commands:t})=>[e,...d(t.map(({name:e,summary:t})=>[e,t])),``]),`babysitter help <command>   the options of a command`,`babysitter help loop        all commands that begin with loop:, also by other names; so for run, task \u2026`,`babysitter help topics      how to name runs, give inputs, read exit codes \u2026`,``].join(`
`)}function c(t){let n=t.positionals.map(({name:e,optional:t,many:n})=>{let r=n?`${e}\u2026`:e;return t?`[${r}]`:`<${r}>`}),r=[`Usage: babysitter ${[t.name,...n].join(` `)} [options]`,``,t.summary];t.details!==void 0&&r.push(t.details),t.aliases!==void 0&&r.push(`Also: ${t.aliases.map(e=>`babysitter ${e}`).join(`, `)}`),t.positionals.length>0&&r.push(``,...d(t.positionals.map(({name:e,help:t})=>[e,t])));let i=Object.entries({...t.options,...e.GLOBAL_OPTIONS}).filter(([,{hidden:e}])=>!e);return r.push(``,`Options:`,...d(i.map(([e,t])=>[u(e,t),t.help]))),t.examples!==void 0&&r.push(``,`Examples:`,...t.examples.map(e=>`  ${e}`)),`${r.join(`
`)}\n`}function l(e){let n=t.COMMANDS.map(({name:e,summary:t})=>[e,t]),r=t.COMMANDS.flatMap(({name:e,aliases:t=[],summary:n})=>t.map(t=>[t,`${n} The same as ${e}.`])),i=[...n,...r].filter(([t])=>t.startsWith(`${e}:`));return i.length===0?void 0:`${d(i).join(`
`)}\n`}function u(e,{value:t,short:n}){let r=n===void 0?``:`-${n}, `;return t===void 0?`${r}--${e}`:`${r}--${e} <${t}>`}function d(e){let t=Math.max(...e.map(([e])=>e.length));return e.map(([e,n])=>`  ${e.padEnd(t)}  ${n}`)}Object.defineProperty(exports,"HELP_TOPICS",{enumerable:!0,get:function(){return n}}),Object.defineProperty(exports,"help_exports",{enumerable:!0,get:function(){return o}}),Object.defineProperty(exports,"renderCommandHelp",{enumerable:!0,get:function(){return c}}),Object.defineProperty(exports,"renderNoun",{enumerable:!0,get:function(){return l}}),Object.defineProperty(exports,"renderOverview",{enumerable:!0,get:function(){return s}}),Object.defineProperty(exports,"renderTopics",{enumerable:!0,get:function(){return r}});
