/** Inputs against the `inputSchema` that the file of a process may export. */
import { BabysitterError } from "../model/errors.js";
import { type Json, toJson } from "../model/json.js";
import type { LoadedProcess } from "../model/ports.js";

/** Tells what is wrong with inputs, or why the schema itself cannot be used. */
export type InputCheck = (schema: Json, inputs: Json) => { problems: string[] } | { unusable: string };

/** Nothing of a process runs with inputs that it does not take. */
export function refuseWrongInputs(
  { inputSchema }: LoadedProcess,
  inputs: Json,
  { check, file }: { check: InputCheck | undefined; file: string },
): void {
  if (inputSchema === undefined || check === undefined) return;
  const schema = toJson(inputSchema, `The inputSchema of ${file}`);
  const answer = check(schema, inputs);
  if ("unusable" in answer)
    throw new BabysitterError(
      "INPUTS_INVALID",
      `The inputSchema of ${file} is not a JSON Schema: ${answer.unusable}.`,
      {
        hint: "Correct it, or remove the export: then every input is taken.",
        details: { file },
      },
    );
  const [first, ...more] = answer.problems;
  if (first === undefined) return;
  throw new BabysitterError("INPUTS_INVALID", ["The inputs do not fit the process.", first, ...more].join("\n"), {
    hint: `The inputs that it takes: babysitter run --help ${file}`,
    details: { file, problems: answer.problems, inputSchema: schema },
  });
}
