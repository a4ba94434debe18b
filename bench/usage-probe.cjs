/** Required by a program that is measured: tells what it has used, in the last line of stderr. */
const fs = require("node:fs");

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const used = { cpuMs: (userCPUTime + systemCPUTime) / 1000, kilobytes: maxRSS };
  fs.writeSync(2, `\n${JSON.stringify(used)}\n`);
});
