"use strict";const e=require("./shared.cjs"),t=async t=>e.doctorAnswer(e.callerOf(t),t.paint);exports.command=t;
