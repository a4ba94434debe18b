"use strict";const e=require("./babysitter.cjs"),t={bash:s,zsh:c,fish:l},n=async({positionals:[n=``],name:r})=>{let i=Object.hasOwn(t,n)?t[n]:void 0;if(i===void 0)throw e.usageError({name:r},`the shell must be bash, zsh or fish, not "${n}".`);return{document:{shell:n,script:i()},text:i()}},r=({name:e,aliases:t=[]})=>[e,...t],i=()=>e.COMMANDS.flatMap(r).join(` `),a=t=>Object.entries({...t.options,...e.GLOBAL_OPTIONS}).filter(([,{hidden:e}])=>!e),o=e=>a(e).map(([e])=>`--${e}`).join(` `);function s(){return`_babysitter() {
  local words current=\${COMP_WORDS[COMP_CWORD]}
  COMP_WORDBREAKS=\${COMP_WORDBREAKS//:/}
  case "\${COMP_WORDS[1]}" in
${e.COMMANDS.map(e=>`    ${r(e).join(`|`)}) words="${o(e)}" ;;`).join(`
`)}
    *) words="${i()}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _babysitter babysitter babysitter-sdk
`}function c(){return`autoload -U +X bashcompinit && bashcompinit\n${s()}`}function l(){return`${e.COMMANDS.flatMap(e=>[...r(e).map(t=>`complete -c babysitter -n __fish_use_subcommand -f -a '${t}' -d ${u(e.summary)}`),...a(e).map(([t,{help:n}])=>`complete -c babysitter -n '__fish_seen_subcommand_from ${r(e).join(` `)}' -l ${t} -d ${u(n)}`)]).join(`
`)}\n`}function u(e){return`'${e.replaceAll(`'`,`\\'`)}'`}exports.command=n;
