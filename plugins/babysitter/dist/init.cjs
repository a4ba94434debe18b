"use strict";const e=require("./shared.cjs"),t=require("./babysitter.cjs");let n;const r=()=>n??=t.__toESM(require("node:fs"),1);let i;const a=()=>i??=t.__toESM(require("node:path"),1);function o(e,t,n){return l(e,t,()=>{let i=a().default.join(e,t);r().default.mkdirSync(a().default.dirname(i),{recursive:!0});try{return r().default.writeFileSync(i,n,{flag:`wx`}),{file:t,outcome:`made`}}catch(e){if(e.code!==`EEXIST`)throw e;return{file:t,outcome:`kept`}}})}function s(e,t,{lines:n,without:i=[]}){let s=o(e,t,`${n.join(`
`)}\n`);return s.outcome===`made`?s:l(e,t,()=>{let o=a().default.join(e,t);if(!r().default.lstatSync(o).isFile())return{...s,note:`it is not a regular file; make sure it contains these lines: ${n.join(` `)}`};let l=r().default.readFileSync(o,`utf8`),u=c(l,n,i);return u===l?s:(r().default.writeFileSync(o,u),{file:t,outcome:`changed`})})}function c(e,t,n){let r=e.split(`
`).map(e=>e.trim()),i=t.filter(e=>!r.includes(e)),a=r.some(e=>n.includes(e))?e.split(`
`).filter(e=>!n.includes(e.trim())).join(`
`):e;return i.length===0?a:`${a}${a===``||a.endsWith(`
`)?``:`
`}${i.join(`
`)}\n`}function l(e,n,r){try{return r()}catch(r){let{code:i}=r,o=i===void 0?void 0:u[i];throw o===void 0?r:new t.BabysitterError(`PROJECT_UNWRITABLE`,`${a().default.join(e,n)} cannot be created: ${o}.`,{hint:"Nothing was overwritten. Fix the cause, then run `babysitter init` again.",details:{projectRoot:e,file:n,code:i},cause:r})}}const u={EACCES:`permission denied`,EPERM:`it is not permitted`,EROFS:`the file system is read-only`,ENOSPC:`the disk is full`,EDQUOT:`the quota is exceeded`,ENOTDIR:`there is a file where a folder is needed`,EEXIST:`there is a file where a folder is needed`,EISDIR:`there is a folder in its place`,ENOENT:`its folder does not exist`,ELOOP:`its folder is a link that points to itself`};function d(){let t={$schema:{type:`string`}},n={};for(let r of e.SETTING_NAMES){let i=e.settingOf(r);if(!e.isMadeIn(i,`team`))continue;let[a,o]=r.split(`.`),s=f(r);if(o===void 0)t[a]=s;else{let e=n[a]??={};e[o]=s,t[a]={type:`object`,properties:e,additionalProperties:!1}}}return{$schema:`http://json-schema.org/draft-07/schema#`,title:`Babysitter settings`,type:`object`,properties:t,additionalProperties:!1}}function f(t){let{type:n,doc:r,combine:i}=e.settingOf(t),a=i===`stricter wins`?` If several values are set, the strictest wins.`:``,o=e.settingOf(t).default;return{description:`${r}${a}`,...n.schema,...o===null?{}:{default:o}}}const p=[`config.schema.json`,`jsconfig.json`];function m({trackRuns:e}){return[...e?g:[h],`archive/`,...p]}const h=`runs/`,g=[`runs/.*`,`runs/*/state/`,`runs/*/blobs/`,`runs/*/quarantine/`,`runs/**/*.log`];function _(e){return S({$schema:`./config.schema.json`,checks:e})}function v(){return S(d())}function y(e){return S({compilerOptions:{target:`es2022`,lib:[`es2023`],module:`nodenext`,moduleResolution:`nodenext`,allowJs:!0,strict:!0,noEmit:!0,skipLibCheck:!0,paths:{"@a5c-ai/babysitter-sdk":[`${e}/index.d.ts`],"@a5c-ai/babysitter-sdk/testing":[`${e}/testing/index.d.ts`]}},include:[`processes`]})}const b=`.a5c/processes/example.mjs`,x=`// @ts-check
/**
 * Runs some commands in parallel, asks you whether to continue, and returns their output.
 *
 *   babysitter run ${b}
 *
 * Press Ctrl-C at any time; \`babysitter run\` resumes, and finished work is not repeated.
 */
import { defineTask } from "@a5c-ai/babysitter-sdk";

const execute = defineTask("execute", (/** @type {{ command: string }} */ { command }) => ({
  kind: "shell",
  title: command,
  shell: { command },
}));

/**
 * @param {{ commands?: string[] }} inputs
 * @param {import("@a5c-ai/babysitter-sdk").ProcessContext} ctx
 */
export async function process({ commands = ["node --version", "ls"] }, ctx) {
  const results = await ctx.parallel.map(commands, (command) => ctx.task(execute, { command }));

  const answer = await ctx.breakpoint({
    title: "Continue?",
    question: \`\${results.length} commands have run. Use their output as the result?\`,
  });
  if (!answer.approved) return { stopped: answer.feedback ?? "no reason given" };

  return { finishedAt: ctx.now().toISOString(), results };
}
`;function S(e){return`${JSON.stringify(e,null,2)}\n`}const C=async n=>{let{projectRoot:r,why:i}=e.explainPlaces(n.places(),n.env,n.options.text(`runs-dir`));w(r);let a=n.options.flag(`track-runs`),o=e.detectChecks(e.rootFiles(r)),s=[...E(r,{trackRuns:a,detected:o})],c=s.every(({outcome:e})=>e===`kept`),l=c?[]:j(n,r);return{document:{projectRoot:r,why:i,trackRuns:a,files:s,detectedChecks:o,changed:!c,next:l},text:[`Project ${r} (${i})`,``,t.alignColumns(s.map(({outcome:e,file:t,note:n})=>[`  ${e}`,t,n??``])),``,...c?[`Nothing to do: everything is already set up.`]:[A(o),...l.map(e=>`next: ${e}`)]].join(`
`)}};function w(t){let n=a().default.join(t,`.a5c`);if(!e.isFolder(t))throw T(t,`the folder does not exist`);if(r().default.lstatSync(n,{throwIfNoEntry:!1})!==void 0&&!e.isFolder(n))throw T(n,`it is a file, but babysitter needs a folder there`)}function T(e,n){return new t.BabysitterError(`PROJECT_UNWRITABLE`,`${e} cannot be set up: ${n}.`,{hint:`Move it away, or choose another project by changing the current folder or REPO_ROOT.`,details:{path:e}})}function*E(e,{trackRuns:t,detected:n}){let r=o(e,`.a5c/config.json`,_(n));yield r.outcome===`kept`?{...r,...k(e,n)}:r,yield D(e,t),M(e)&&(yield s(e,`.gitattributes`,{lines:[`.a5c/runs/** -text`]})),yield o(e,b,x),yield O(e,`.a5c/config.schema.json`,v());let i=N(e);i!==void 0&&(yield O(e,`.a5c/jsconfig.json`,y(i)))}function D(e,t){let n=`.a5c/.gitignore`,i=m({trackRuns:t});return t?s(e,n,{lines:i,without:[h]}):s(e,n,{lines:r().default.existsSync(a().default.join(e,n))?i.filter(e=>e!==h):i})}function O(t,n,r){let i=o(t,n,r);return i.outcome===`made`||e.contentOf(a().default.join(t,n))===r?i:{...i,note:`it differs from what this version generates; delete it and run init again to update it`}}function k(n,r){try{let t=(e.readConfigFile(a().default.join(n,`.a5c`,`config.json`),`team`)?.settings.get(`checks`)?.value??[]).map(({command:e})=>e),i=r.filter(({command:e})=>!t.includes(e));return i.length===0?{}:{note:`found, but not in its checks: ${i.map(e=>e.command).join(`, `)}`}}catch(e){if(!t.BabysitterError.is(e))throw e;return{note:`it is invalid; see babysitter config:show`}}}function A(e){return e.length===0?`Found no checks; add commands that verify your work to .a5c/config.json.`:`Found checks: ${e.map(e=>e.command).join(`, `)}`}function j({cwd:e},t){let n=n=>a().default.relative(e,a().default.join(t,n))||`.`;return[`babysitter run ${n(b)}`,`babysitter config:show --origin`,...M(t)?[`git add ${n(`.a5c`)} ${n(`.gitattributes`)}`]:[]]}function M(e){for(let t=e;;t=a().default.dirname(t)){if(r().default.existsSync(a().default.join(t,`.git`)))return!0;if(t===a().default.dirname(t))return!1}}function N(e){let t=a().default.dirname(a().default.dirname(r().default.realpathSync(process.argv[1])));if(!r().default.existsSync(a().default.join(t,`index.d.ts`)))return;let n=`node_modules/@a5c-ai/babysitter-sdk/dist`,i=a().default.join(e,n);return r().default.existsSync(i)&&r().default.realpathSync(i)===t?`../${n}`:t.split(a().default.sep).join(`/`)}exports.command=C;
