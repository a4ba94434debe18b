/** A stand-in for curl on machines without it: as many of its options as the example hooks use. */
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: {
    silent: { type: "boolean" },
    "show-error": { type: "boolean" },
    fail: { type: "boolean" },
    "max-time": { type: "string" },
    header: { type: "string" },
    data: { type: "string" },
  },
  allowPositionals: true,
});
const [name, value] = values.header.split(": ");
const response = await fetch(positionals[0], {
  method: "POST",
  headers: { [name]: value },
  body: values.data,
  signal: AbortSignal.timeout(Number(values["max-time"]) * 1000),
});
if (response.ok) process.stdout.write(await response.text());
else process.stderr.write(`curl: (22) The requested URL returned error: ${response.status}\n`);
process.exitCode = response.ok ? 0 : 22;
