/** What each kind of criterion means to the rest of the loop. A new kind is a new case here. */
import type { Criterion } from "../../model/loop-contract.js";

export interface CriterionTraits {
  /** The engine can check it; otherwise the agent's word is all there is. */
  isCheckable: boolean;
  /** `must-not`: the loop is paused as soon as it holds. */
  role: "required" | "must-not";
  /** It is checked after every turn, not only when the agent says that it is done. */
  isEveryTurn: boolean;
  /** It in one text: what it says, or its name and command. */
  label: string;
  /** The command line that the engine runs for it. */
  command?: string;
  /** Someone at the files while it is checked may change what it sees. */
  takesTime: boolean;
}

export function traitsOf(criterion: Criterion): CriterionTraits {
  switch (criterion.kind) {
    case "command": {
      const { id, command, tier, role } = criterion;
      const isEveryTurn = tier === "fast" || role === "must-not";
      return { isCheckable: true, role, isEveryTurn, label: `${id}: ${command}`, command, takesTime: true };
    }
    case "file":
      return { isCheckable: true, role: "required", isEveryTurn: false, label: criterion.text, takesTime: false };
    case "claim":
      break;
  }
  return { isCheckable: false, role: "required", isEveryTurn: false, label: criterion.text, takesTime: false };
}

/** Whether the engine can check it, for those who know only its kind. */
export function isClaimOnly({ kind }: Pick<Criterion, "kind">): boolean {
  return kind === "claim";
}
