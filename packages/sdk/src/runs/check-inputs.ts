/** Inputs against the `inputSchema` that the file of a process may export. */
import { BabysitterError } from "../model/errors.js";
import { type Json, toJson } from "../model/json.js";
import type { LoadedProcess, Ports } from "../model/ports.js";
import { shellQuoted } from "../model/shell-quoted.js";

/** Nothing of a process runs with inputs that it does not take. */
export async function refuseWrongInputs(
  { checkInputs }: Ports,
  { inputSchema }: LoadedProcess,
  { inputs, file }: { inputs: Json; file: string },
): Promise<void> {
  if (inputSchema === undefined || checkInputs === undefined) return;
  const schema = toJson(inputSchema, `The inputSchema of ${file}`);
  const answer = await checkInputs(schema, inputs);
  if ("unusable" in answer)
    throw new BabysitterError(
      "INPUTS_INVALID",
      `The inputSchema of ${file} is not a JSON Schema: ${answer.unusable}.`,
      {
        hint: "Correct it, or remove the export to accept any inputs.",
        details: { file },
      },
    );
  const [first, ...more] = answer.problems;
  if (first === undefined) return;
  throw new BabysitterError(
    "INPUTS_INVALID",
    ["The inputs do not match the inputSchema of the process.", first, ...more].join("\n"),
    {
      hint: `To see what it accepts: babysitter run --help ${shellQuoted(file)}`,
      details: { file, problems: answer.problems, inputSchema: schema },
    },
  );
}
