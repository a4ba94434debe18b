"use strict";const e=require("./shared.cjs"),t=async t=>{let n=e.timeoutOf(t);return e.awaitDecision(t,await e.findNamedBreakpoint(t),n)};exports.command=t;
