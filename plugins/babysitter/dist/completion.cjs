"use strict";const e=require("./babysitter.cjs"),t=require("./shared.cjs");async function n(t,n){let i=e.findCommand(n);if(i===void 0)return[];let{spec:a,rest:o}=i,s=o.at(-1)?.replace(/^--/,``)??``;if(o.at(-1)?.startsWith(`--`)&&a.options[s]?.type===`string`)return r(t,s,[]);let c=o.filter(e=>!e.startsWith(`-`)),l=a.positionals[c.length]??a.positionals.findLast(({many:e})=>e===!0),u=[l,c.length===0&&l?.optional===!0?a.positionals[1]:void 0].flatMap(e=>e?.name??[]);return(await Promise.all(u.map(e=>r(t,e,c)))).flat()}async function r(n,r,a){switch(r){case`process-or-run`:return[...t.processNames(n),...await i(n)];case`run`:return i(n);case`effect`:{let e=await t.openToLook(n,a[0]);return Object.keys((await e.index()).keys)}case`breakpoint`:return(await t.listOpenBreakpoints(t.callerPorts(n),()=>void 0)).map(({breakpointId:e})=>e);case`word`:return[...e.COMMANDS.map(({name:e})=>e),`topics`,...Object.keys(t.HELP_TOPICS)];default:return[]}}async function i(e){return(await t.listRuns(t.callerPorts(e))).map(({runId:e})=>e)}const a={bash:m,zsh:h,fish:g},o=async t=>{let{positionals:n,name:r}=t,[i=``,...o]=n;if(i===`words`){let e=await s(t,o);return{document:{words:e},text:e.join(`
`)}}let c=Object.hasOwn(a,i)?a[i]:void 0;if(c===void 0)throw e.usageError({name:r},`the shell must be bash, zsh or fish, not "${i}".`);return{document:{shell:i,script:c()},text:c()}};async function s(t,r){try{return await n(t,r)}catch(t){if(!e.BabysitterError.is(t))throw t;return[]}}const c=({name:e,aliases:t=[]})=>[e,...t],l=()=>e.COMMANDS.flatMap(c).join(` `),u=t=>Object.entries({...t.options,...e.GLOBAL_OPTIONS}).filter(([,{hidden:e}])=>!e),d=e=>u(e).map(([e])=>`--${e}`).join(` `),f=new Set([`run`,`process-or-run`,`effect`,`breakpoint`,`word`]),p=e=>e.positionals.some(({name:e})=>f.has(e));function m(){return`_babysitter() {
  local words ids= current=\${COMP_WORDS[COMP_CWORD]}
  COMP_WORDBREAKS=\${COMP_WORDBREAKS//:/}
  case "\${COMP_WORDS[1]}" in
${e.COMMANDS.map(e=>`    ${c(e).join(`|`)}) words="${d(e)}"${p(e)?` ids=1`:``} ;;`).join(`
`)}
    *) words="${l()}" ;;
  esac
  if [ -n "$ids" ] && [ "\${current#-}" = "$current" ]; then
    words="$words $(babysitter completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _babysitter babysitter babysitter-sdk
`}function h(){return`autoload -U +X bashcompinit && bashcompinit\n${m()}`}function g(){return`${e.COMMANDS.flatMap(e=>[...c(e).map(t=>`complete -c babysitter -n __fish_use_subcommand -f -a '${t}' -d ${_(e.summary)}`),...u(e).map(([t,{help:n}])=>`complete -c babysitter -n '__fish_seen_subcommand_from ${c(e).join(` `)}' -l ${t} -d ${_(n)}`),...p(e)?[`complete -c babysitter -n '__fish_seen_subcommand_from ${c(e).join(` `)}' -a '(babysitter completion words -- (commandline -opc)[2..] 2>/dev/null)'`]:[]]).join(`
`)}\n`}function _(e){return`'${e.replaceAll(`'`,`\\'`)}'`}exports.command=o;
