"use strict";const e=require("./shared.cjs"),t=require("./playing.cjs"),n=async n=>e.doctorAnswer(t.callerOf(n),n.paint);exports.command=n;
