"use strict";const e=require("./shared.cjs"),t=async t=>{let{options:n,paint:r}=t;return e.listAnswer(t,{open:n.flag(`open`),archived:n.flag(`archived`),paint:r})};exports.command=t;
