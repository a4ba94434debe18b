"use strict";const e=require("./shared.cjs"),t=require("./babysitter.cjs"),n=async n=>{let{run:s,effect:c}=e.splitRunAndEffect(n),l=await e.openToLook(n,s),u=await e.showTask(l,await e.effectNamed(l,c),{secrets:e.areSecretsShown(n)});return{document:u,text:[t.alignColumns(Object.entries(u.effect).map(([e,t])=>[e,String(t)])),r(`task`,u.task),r(`inputs`,u.inputs),...u.result===null?[]:[r(`result`,u.result)],...u.attempts.length===0?[]:[`attempts:\n${i(u.attempts)}`],...u.stdout?[a(`stdout`,u.stdout,u)]:[],...u.stderr?[a(`stderr`,u.stderr,u)]:[],...o(u)].join(`

`)}};function r(n,r){return[`${n}:`,...e.fitLines(t.visibleJson(r,2).split(`
`),40,`add --json`)].join(`
`)}function i(t){return e.fitColumns(t.map(({attempt:e,end:t,executor:n,startedAt:r,durationMs:i,exitCode:a,signal:o,error:s})=>[`  ${e}`,t,n??``,r??``,i===void 0?``:`${i} ms`,o??(a===void 0?``:`exit ${a}`),s?.split(`
`)[0]??``]))}function a(n,r,{truncated:i,logs:a}){let o=r.replace(/\n$/,``).split(`
`),s=i[n]||o.length>40,c=a.find(e=>e.file.endsWith(`/${n}.log`))?.file??`${n}.log`;return[s?`${n} (the last ${Math.min(o.length,40)} lines of ${c}):`:`${n}:`,...e.fitLines(t.quotedLines(o.slice(-40).join(`
`)),40,c)].join(`
`)}function o({logs:e}){let n=e.filter(({file:e})=>e.includes(`.attempt-`));return n.length===0?[]:[`logs of earlier attempts:\n${t.alignColumns(n.map(({file:e,bytes:t})=>[`  ${e}`,`${t} B`]))}`]}exports.command=n;
