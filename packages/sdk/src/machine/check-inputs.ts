import { compileAgentSchema } from "../effects/agent-schema.js";
import type { Json } from "../model/json.js";
import type { InputProblems } from "../model/ports.js";

/** With the validator of the answers of agents. */
export function checkInputs(schema: Json, inputs: Json): InputProblems {
  const compiled = compileAgentSchema(schema, "the inputs");
  return "problem" in compiled ? { unusable: compiled.problem } : { problems: compiled.check(inputs) };
}
