"use strict";const e=require("./shared.cjs"),t=require("./babysitter.cjs");let n;const r=()=>n??=t.__toESM(require("node:fs"),1);let i;const a=()=>i??=t.__toESM(require("node:path"),1);function o(e,n,i){return l(e,n,()=>{let o=a().default.join(e,n);t.makeFolders(a().default.dirname(o),511);try{return r().default.writeFileSync(o,i,{flag:`wx`}),{file:n,outcome:`made`}}catch(e){if(e.code!==`EEXIST`)throw e;return{file:n,outcome:`kept`}}})}function s(e,t,{lines:n,without:i=[]}){let s=o(e,t,`${n.join(`
`)}\n`);return s.outcome===`made`?s:l(e,t,()=>{let o=a().default.join(e,t);if(!r().default.lstatSync(o).isFile())return{...s,note:`it is not a regular file; make sure it contains these lines: ${n.join(` `)}`};let l=r().default.readFileSync(o,`utf8`),u=c(l,n,i);return u===l?s:(r().default.writeFileSync(o,u),{file:t,outcome:`changed`})})}function c(e,t,n){let r=e.split(`
`).map(e=>e.trim()),i=t.filter(e=>!r.includes(e)),a=r.some(e=>n.includes(e))?e.split(`
`).filter(e=>!n.includes(e.trim())).join(`
`):e;return i.length===0?a:`${a}${a===``||a.endsWith(`
`)?``:`
`}${i.join(`
`)}\n`}function l(e,n,r){try{return r()}catch(r){let{code:i}=r,o=i===void 0?void 0:u[i];throw o===void 0?r:new t.BabysitterError(`PROJECT_UNWRITABLE`,`${a().default.join(e,n)} cannot be created: ${o}.`,{hint:"Nothing was overwritten. Fix the cause, then run `babysitter init` again.",details:{projectRoot:e,file:n,code:i},cause:r})}}const u={EACCES:`permission denied`,EPERM:`it is not permitted`,EROFS:`the file system is read-only`,ENOSPC:`the disk is full`,EDQUOT:`the quota is exceeded`,ENOTDIR:`there is a file where a folder is needed`,EEXIST:`there is a file where a folder is needed`,EISDIR:`there is a folder in its place`,ENOENT:`its folder does not exist`,ELOOP:`its folder is a link that points to itself`};function d(){let t={$schema:{type:`string`}},n={};for(let r of e.SETTING_NAMES){let i=e.settingOf(r);if(!e.isMadeIn(i,`team`))continue;let[a,o]=r.split(`.`),s=f(r);if(o===void 0)t[a]=s;else{let e=n[a]??={};e[o]=s,t[a]={type:`object`,properties:e,additionalProperties:!1}}}return{$schema:`http://json-schema.org/draft-07/schema#`,title:`Babysitter settings`,type:`object`,properties:t,additionalProperties:!1}}function f(t){let{type:n,doc:r,combine:i}=e.settingOf(t),a=i===`stricter wins`?` If several values are set, the strictest wins.`:``,o=e.settingOf(t).default;return{description:`${r}${a}`,...n.schema,...o===null?{}:{default:o}}}function p({trackRuns:e,language:t}){let n=[`config.schema.json`,a().default.basename(b[t])];return[...e?h:[m],`archive/`,...n]}const m=`runs/`,h=[`runs/.*`,`runs/*/state/`,`runs/*/blobs/`,`runs/*/quarantine/`,`runs/**/*.log`];function g(e){return C({$schema:`./config.schema.json`,checks:e})}function _(){return C(d())}function v(e){return C({compilerOptions:{target:`es2022`,lib:[`es2023`],module:`nodenext`,moduleResolution:`nodenext`,allowJs:!0,strict:!0,noEmit:!0,skipLibCheck:!0,paths:{"@a5c-ai/babysitter-sdk":[`${e}/index.d.ts`],"@a5c-ai/babysitter-sdk/testing":[`${e}/testing/index.d.ts`]}},include:[`processes`]})}const y={javascript:`.a5c/processes/example.mjs`,typescript:`.a5c/processes/example.ts`},b={javascript:`.a5c/jsconfig.json`,typescript:`.a5c/tsconfig.json`};function x(e){let{before:t,begin:n,end:r}=S[e];return`${t}/**
 * Runs some commands in parallel, asks you whether to continue, and returns their output.
 *
 *   babysitter run ${y[e]}
 *
 * Press Ctrl-C at any time; \`babysitter run\` resumes, and finished work is not repeated.
 */
${n}  const results = await ctx.parallel.map(commands, (command) => ctx.task(execute, { command }));

  const answer = await ctx.breakpoint({
    title: "Continue?",
    question: \`\${results.length} commands have run. Use their output as the result?\`,
  });
  if (!answer.approved) return { stopped: answer.feedback ?? "no reason given" };

  return { finishedAt: ctx.now().toISOString(), results };
${r}`}const S={javascript:{before:`// @ts-check
`,begin:`import { defineTask } from "@a5c-ai/babysitter-sdk";

const execute = defineTask("execute", (/** @type {{ command: string }} */ { command }) => ({
  kind: "shell",
  title: command,
  shell: { command },
}));

/** @type {import("@a5c-ai/babysitter-sdk").ProcessFunction<{ commands?: string[] }>} */
export default async function example({ commands = ["node --version", "ls"] }, ctx) {
`,end:`}
`},typescript:{before:``,begin:`import { defineTask, type ProcessFunction } from "@a5c-ai/babysitter-sdk";

const execute = defineTask("execute", ({ command }: { command: string }) => ({
  kind: "shell",
  title: command,
  shell: { command },
}));

const example: ProcessFunction<{ commands?: string[] }> = async ({ commands = ["node --version", "ls"] }, ctx) => {
`,end:`};
export default example;
`}};function C(e){return`${JSON.stringify(e,null,2)}\n`}const w=async n=>{let{projectRoot:r,why:i}=e.explainPlaces(n.places(),n.env,n.options.text(`runs-dir`));T(r);let a=n.options.flag(`track-runs`),o=D(r,n.options.flag(`ts`)),s=e.detectChecks(e.rootFiles(r)),c=[...O(r,{trackRuns:a,language:o,detected:s})],l=c.every(({outcome:e})=>e===`kept`),u=l?[]:N(n,r,o);return{document:{projectRoot:r,why:i,trackRuns:a,files:c,detectedChecks:s,changed:!l,next:u},text:[`Project ${t.inLine(r)} (${i})`,``,t.alignColumns(c.map(({outcome:e,file:t,note:n})=>[`  ${e}`,t,n??``])),``,...l?[`Nothing to do: everything is already set up.`]:[M(s),`next:`,...u.map(e=>`  ${t.inLine(e)}`)]].join(`
`)}};function T(t){let n=a().default.join(t,`.a5c`);if(!e.isFolder(t))throw E(t,`the folder does not exist`);if(r().default.lstatSync(n,{throwIfNoEntry:!1})!==void 0&&!e.isFolder(n))throw E(n,`it is a file, but babysitter needs a folder there`)}function E(e,n){return new t.BabysitterError(`PROJECT_UNWRITABLE`,`${e} cannot be set up: ${n}.`,{hint:`Move it away, or choose another project by changing the current folder or REPO_ROOT.`,details:{path:e}})}function D(e,t){return t||r().default.existsSync(a().default.join(e,y.typescript))?`typescript`:`javascript`}function*O(e,{trackRuns:t,language:n,detected:r}){let i=o(e,`.a5c/config.json`,g(r));yield i.outcome===`kept`?{...i,...j(e,r)}:i,yield k(e,t,n),P(e)&&(yield s(e,`.gitattributes`,{lines:[`.a5c/runs/** -text`]})),yield o(e,y[n],x(n)),yield A(e,`.a5c/config.schema.json`,_());let a=F(e);a!==void 0&&(yield A(e,b[n],v(a)))}function k(e,t,n){let i=`.a5c/.gitignore`,o=p({trackRuns:t,language:n});return t?s(e,i,{lines:o,without:[m]}):s(e,i,{lines:r().default.existsSync(a().default.join(e,i))?o.filter(e=>e!==m):o})}function A(t,n,r){let i=o(t,n,r);return i.outcome===`made`||e.contentOf(a().default.join(t,n))===r?i:{...i,note:`it differs from what this version generates; delete it and run init again to update it`}}function j(n,r){try{let t=(e.readConfigFile(a().default.join(n,`.a5c`,`config.json`),`team`)?.settings.get(`checks`)?.value??[]).map(({command:e})=>e),i=r.filter(({command:e})=>!t.includes(e));return i.length===0?{}:{note:`found, but not in its checks: ${i.map(e=>e.command).join(`, `)}`}}catch(e){if(!t.BabysitterError.is(e))throw e;return{note:`it is invalid; see babysitter config:show`}}}function M(e){return e.length===0?`Found no checks; add commands that verify your work to .a5c/config.json.`:`Found checks: ${e.map(e=>e.command).join(`, `)}`}function N({cwd:e},t,n){let r=n=>a().default.relative(e,a().default.join(t,n))||`.`;return[`babysitter run ${r(y[n])}`,`babysitter process:check ${r(y[n])}`,`babysitter config:show --origin`,...P(t)?[`git add ${r(`.a5c`)} ${r(`.gitattributes`)}`]:[]]}function P(e){for(let t=e;;t=a().default.dirname(t)){if(r().default.existsSync(a().default.join(t,`.git`)))return!0;if(t===a().default.dirname(t))return!1}}function F(e){let t=a().default.dirname(a().default.dirname(r().default.realpathSync(process.argv[1])));if(!r().default.existsSync(a().default.join(t,`index.d.ts`)))return;let n=`node_modules/@a5c-ai/babysitter-sdk/dist`,i=a().default.join(e,n);return r().default.existsSync(i)&&r().default.realpathSync(i)===t?`../${n}`:t.split(a().default.sep).join(`/`)}exports.command=w;
