"use strict";const e=require("./babysitter.cjs"),t=require("./looking.cjs"),n=require("./shared.cjs"),r=require("./command-loaders.cjs"),i=require("./help-texts.cjs");async function a(e,t){let n=r.findCommand(t);if(n===void 0)return[];let{spec:i,rest:a}=n,s=a.at(-1)?.replace(/^--/,``)??``;if(a.at(-1)?.startsWith(`--`)&&i.options[s]?.type===`string`)return o(e,s,[]);let c=a.filter(e=>!e.startsWith(`-`)),l=i.positionals[c.length]??i.positionals.findLast(({many:e})=>e===!0),u=[l,c.length===0&&l?.optional===!0?i.positionals[1]:void 0].flatMap(e=>e?.name??[]);return(await Promise.all(u.map(t=>o(e,t,c)))).flat()}async function o(e,a,o){switch(a){case`process-or-run`:return[...n.processNames(e),...await s(e)];case`run`:return s(e);case`effect`:{let n=await t.openToLook(e,o[0]);return Object.keys((await n.index()).keys)}case`breakpoint`:return(await t.listOpenBreakpoints(t.callerPorts(e),()=>void 0)).map(({breakpointId:e})=>e);case`word`:return[...r.COMMANDS.map(({name:e})=>e),`topics`,...Object.keys(i.HELP_TOPICS)];default:return[]}}async function s(e){return(await t.listRuns(t.callerPorts(e))).map(({runId:e})=>e)}const c={bash:_,zsh:v,fish:y},l=async t=>{let{positionals:n,name:r}=t,[i=``,...a]=n;if(i===`words`){let e=await u(t,a);return{document:{words:e},text:e.join(`
`)}}let o=Object.hasOwn(c,i)?c[i]:void 0;if(o===void 0)throw e.usageError({name:r},`the shell must be bash, zsh or fish, not "${i}".`);return{document:{shell:i,script:o()},text:o()}};async function u(t,n){try{return await a(t,n)}catch(t){if(!e.BabysitterError.is(t))throw t;return[]}}const d=({name:e,aliases:t=[]})=>[e,...t],f=()=>r.COMMANDS.flatMap(d).join(` `),p=t=>Object.entries({...t.options,...e.GLOBAL_OPTIONS}).filter(([,{hidden:e}])=>!e),m=e=>p(e).map(([e])=>`--${e}`).join(` `),h=new Set([`run`,`process-or-run`,`effect`,`breakpoint`,`word`]),g=e=>e.positionals.some(({name:e})=>h.has(e));function _(){return`_babysitter() {
  local words ids= current=\${COMP_WORDS[COMP_CWORD]}
  COMP_WORDBREAKS=\${COMP_WORDBREAKS//:/}
  case "\${COMP_WORDS[1]}" in
${r.COMMANDS.map(e=>`    ${d(e).join(`|`)}) words="${m(e)}"${g(e)?` ids=1`:``} ;;`).join(`
`)}
    *) words="${f()}" ;;
  esac
  if [ -n "$ids" ] && [ "\${current#-}" = "$current" ]; then
    words="$words $(babysitter completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _babysitter babysitter babysitter-sdk
`}function v(){return`autoload -U +X bashcompinit && bashcompinit\n${_()}`}function y(){return`${r.COMMANDS.flatMap(e=>[...d(e).map(t=>`complete -c babysitter -n __fish_use_subcommand -f -a '${t}' -d ${b(e.summary)}`),...p(e).map(([t,{help:n}])=>`complete -c babysitter -n '__fish_seen_subcommand_from ${d(e).join(` `)}' -l ${t} -d ${b(n)}`),...g(e)?[`complete -c babysitter -n '__fish_seen_subcommand_from ${d(e).join(` `)}' -a '(babysitter completion words -- (commandline -opc)[2..] 2>/dev/null)'`]:[]]).join(`
`)}\n`}function b(e){return`'${e.replaceAll(`'`,`\\'`)}'`}exports.command=l;
