"use strict";const e=require("./shared.cjs"),t=require("./looking.cjs"),n=async n=>{let r=e.timeoutOf(n);return e.awaitDecision(n,await t.findNamedBreakpoint(n),r)};exports.command=n;
