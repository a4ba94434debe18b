"use strict";const e=require("./looking.cjs"),t=require("./shared.cjs"),n=require("./babysitter.cjs");let r;const i=()=>r??=n.__toESM(require("node:fs"),1);let a;const o=()=>a??=n.__toESM(require("node:path"),1);function s(e,t,r){return u(e,t,()=>{let a=o().default.join(e,t);n.makeFolders(o().default.dirname(a),511);try{return i().default.writeFileSync(a,r,{flag:`wx`}),{file:t,outcome:`made`}}catch(e){if(e.code!==`EEXIST`)throw e;return{file:t,outcome:`kept`}}})}function c(e,t,{lines:n,without:r=[]}){let a=s(e,t,`${n.join(`
`)}\n`);return a.outcome===`made`?a:u(e,t,()=>{let s=o().default.join(e,t);if(!i().default.lstatSync(s).isFile())return{...a,note:`it is not a regular file; make sure it contains these lines: ${n.join(` `)}`};let c=i().default.readFileSync(s,`utf8`),u=l(c,n,r);return u===c?a:(i().default.writeFileSync(s,u),{file:t,outcome:`changed`})})}function l(e,t,n){let r=e.split(`
`).map(e=>e.trim()),i=t.filter(e=>!r.includes(e)),a=r.some(e=>n.includes(e))?e.split(`
`).filter(e=>!n.includes(e.trim())).join(`
`):e;return i.length===0?a:`${a}${a===``||a.endsWith(`
`)?``:`
`}${i.join(`
`)}\n`}function u(e,t,r){try{return r()}catch(r){let{code:i}=r,a=i===void 0?void 0:d[i];throw a===void 0?r:new n.BabysitterError(`PROJECT_UNWRITABLE`,`${o().default.join(e,t)} cannot be created: ${a}.`,{hint:"Nothing was overwritten. Fix the cause, then run `babysitter init` again.",details:{projectRoot:e,file:t,code:i},cause:r})}}const d={EACCES:`permission denied`,EPERM:`it is not permitted`,EROFS:`the file system is read-only`,ENOSPC:`the disk is full`,EDQUOT:`the quota is exceeded`,ENOTDIR:`there is a file where a folder is needed`,EEXIST:`there is a file where a folder is needed`,EISDIR:`there is a folder in its place`,ENOENT:`its folder does not exist`,ELOOP:`its folder is a link that points to itself`};function f(){let t={$schema:{type:`string`}},n={};for(let r of e.SETTING_NAMES){let i=e.settingOf(r);if(!e.isMadeIn(i,`team`))continue;let[a,o]=r.split(`.`),s=p(r);if(o===void 0)t[a]=s;else{let e=n[a]??={};e[o]=s,t[a]={type:`object`,properties:e,additionalProperties:!1}}}return{$schema:`http://json-schema.org/draft-07/schema#`,title:`Babysitter settings`,type:`object`,properties:t,additionalProperties:!1}}function p(t){let{type:n,doc:r,combine:i}=e.settingOf(t),a=i===`stricter wins`?` If several values are set, the strictest wins.`:``,o=e.settingOf(t).default;return{description:`${r}${a}`,...n.schema,...o===null?{}:{default:o}}}function m({trackRuns:e,language:t}){let n=[`config.schema.json`,o().default.basename(x[t])];return[...e?g:[h],`archive/`,...n]}const h=`runs/`,g=[`runs/.*`,`runs/*/state/`,`runs/*/blobs/`,`runs/*/quarantine/`,`runs/**/*.log`];function _(e){return w({$schema:`./config.schema.json`,checks:e})}function v(){return w(f())}function y(e){return w({compilerOptions:{target:`es2022`,lib:[`es2023`],module:`nodenext`,moduleResolution:`nodenext`,allowJs:!0,strict:!0,noEmit:!0,skipLibCheck:!0,paths:{"@a5c-ai/babysitter-sdk":[`${e}/index.d.ts`],"@a5c-ai/babysitter-sdk/testing":[`${e}/testing/index.d.ts`]}},include:[`processes`]})}const b={javascript:`.a5c/processes/example.mjs`,typescript:`.a5c/processes/example.ts`},x={javascript:`.a5c/jsconfig.json`,typescript:`.a5c/tsconfig.json`};function S(e){let{before:t,begin:n,end:r}=C[e];return`${t}/**
 * Runs some commands in parallel, asks you whether to continue, and returns their output.
 *
 *   babysitter run ${b[e]}
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
${r}`}const C={javascript:{before:`// @ts-check
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
`}};function w(e){return`${JSON.stringify(e,null,2)}\n`}const T=async e=>{let{projectRoot:r,why:i}=t.explainPlaces(e.places(),e.env,e.options.text(`runs-dir`));E(r);let a=e.options.flag(`track-runs`),o=O(r,e.options.flag(`ts`)),s=t.detectChecks(t.rootFiles(r)),c=[...k(r,{trackRuns:a,language:o,detected:s})],l=c.every(({outcome:e})=>e===`kept`),u=l?[]:P(e,r,o);return{document:{projectRoot:r,why:i,trackRuns:a,files:c,detectedChecks:s,changed:!l,next:u},text:[`Project ${n.inLine(r)} (${i})`,``,n.alignColumns(c.map(({outcome:e,file:t,note:n})=>[`  ${e}`,t,n??``])),``,...l?[`Nothing to do: everything is already set up.`]:[N(s),`next:`,...u.map(e=>`  ${n.inLine(e)}`)]].join(`
`)}};function E(e){let n=o().default.join(e,`.a5c`);if(!t.isFolder(e))throw D(e,`the folder does not exist`);if(i().default.lstatSync(n,{throwIfNoEntry:!1})!==void 0&&!t.isFolder(n))throw D(n,`it is a file, but babysitter needs a folder there`)}function D(e,t){return new n.BabysitterError(`PROJECT_UNWRITABLE`,`${e} cannot be set up: ${t}.`,{hint:`Move it away, or choose another project by changing the current folder or REPO_ROOT.`,details:{path:e}})}function O(e,t){return t||i().default.existsSync(o().default.join(e,b.typescript))?`typescript`:`javascript`}function*k(e,{trackRuns:t,language:n,detected:r}){let i=s(e,`.a5c/config.json`,_(r));yield i.outcome===`kept`?{...i,...M(e,r)}:i,yield A(e,t,n),F(e)&&(yield c(e,`.gitattributes`,{lines:[`.a5c/runs/** -text`]})),yield s(e,b[n],S(n)),yield j(e,`.a5c/config.schema.json`,v());let a=I(e);a!==void 0&&(yield j(e,x[n],y(a)))}function A(e,t,n){let r=`.a5c/.gitignore`,a=m({trackRuns:t,language:n});return t?c(e,r,{lines:a,without:[h]}):c(e,r,{lines:i().default.existsSync(o().default.join(e,r))?a.filter(e=>e!==h):a})}function j(e,n,r){let i=s(e,n,r);return i.outcome===`made`||t.contentOf(o().default.join(e,n))===r?i:{...i,note:`it differs from what this version generates; delete it and run init again to update it`}}function M(t,r){try{let n=(e.readConfigFile(o().default.join(t,`.a5c`,`config.json`),`team`)?.settings.get(`checks`)?.value??[]).map(({command:e})=>e),i=r.filter(({command:e})=>!n.includes(e));return i.length===0?{}:{note:`found, but not in its checks: ${i.map(e=>e.command).join(`, `)}`}}catch(e){if(!n.BabysitterError.is(e))throw e;return{note:`it is invalid; see babysitter config:show`}}}function N(e){return e.length===0?`Found no checks; add commands that verify your work to .a5c/config.json.`:`Found checks: ${e.map(e=>e.command).join(`, `)}`}function P({cwd:e},t,n){let r=n=>o().default.relative(e,o().default.join(t,n))||`.`;return[`babysitter run ${r(b[n])}`,`babysitter process:check ${r(b[n])}`,`babysitter config:show --origin`,...F(t)?[`git add ${r(`.a5c`)} ${r(`.gitattributes`)}`]:[]]}function F(e){for(let t=e;;t=o().default.dirname(t)){if(i().default.existsSync(o().default.join(t,`.git`)))return!0;if(t===o().default.dirname(t))return!1}}function I(e){let t=o().default.dirname(o().default.dirname(i().default.realpathSync(process.argv[1])));if(!i().default.existsSync(o().default.join(t,`index.d.ts`)))return;let n=`node_modules/@a5c-ai/babysitter-sdk/dist`,r=o().default.join(e,n);return i().default.existsSync(r)&&i().default.realpathSync(r)===t?`../${n}`:t.split(o().default.sep).join(`/`)}exports.command=T;
