import { compileAgentSchema } from "../effects/agent-schema.js";
import type { InputCheck } from "../runs/check-inputs.js";

/** With the validator of the answers of agents. */
export const checkInputs: InputCheck = (schema, inputs) => {
  const compiled = compileAgentSchema(schema, "the inputs");
  return "problem" in compiled ? { unusable: compiled.problem } : { problems: compiled.check(inputs) };
};
