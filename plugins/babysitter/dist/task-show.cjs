"use strict";const e=require("./looking.cjs"),t=require("./babysitter.cjs"),n=require("./playing.cjs"),r=require("./shared.cjs"),i=async i=>{let{run:l,effect:u}=n.splitRunAndEffect(i),d=await e.openToLook(i,l),f=await e.showTask(d,await n.effectNamed(d,u),{secrets:r.areSecretsShown(i)});return{document:f,text:[t.alignColumns(Object.entries(f.effect).map(([e,t])=>[e,String(t)])),a(`task`,f.task),a(`inputs`,f.inputs),...f.result===null?[]:[a(`result`,f.result)],...f.attempts.length===0?[]:[`attempts:\n${o(f.attempts)}`],...f.stdout?[s(`stdout`,f.stdout,f)]:[],...f.stderr?[s(`stderr`,f.stderr,f)]:[],...c(f)].join(`

`)}};function a(n,r){return[`${n}:`,...e.fitLines(t.visibleJson(r,2).split(`
`),40,`add --json`)].join(`
`)}function o(t){return e.fitColumns(t.map(({attempt:e,end:t,executor:n,startedAt:r,durationMs:i,exitCode:a,signal:o,error:s})=>[`  ${e}`,t,n??``,r??``,i===void 0?``:`${i} ms`,o??(a===void 0?``:`exit ${a}`),s?.split(`
`)[0]??``]))}function s(n,r,{truncated:i,logs:a}){let o=r.replace(/\n$/,``).split(`
`),s=i[n]||o.length>40,c=a.find(e=>e.file.endsWith(`/${n}.log`))?.file??`${n}.log`;return[s?`${n} (the last ${Math.min(o.length,40)} lines of ${c}):`:`${n}:`,...e.fitLines(t.quotedLines(o.slice(-40).join(`
`)),40,c)].join(`
`)}function c({logs:e}){let n=e.filter(({file:e})=>e.includes(`.attempt-`));return n.length===0?[]:[`logs of earlier attempts:\n${t.alignColumns(n.map(({file:e,bytes:t})=>[`  ${e}`,`${t} B`]))}`]}exports.command=i;
