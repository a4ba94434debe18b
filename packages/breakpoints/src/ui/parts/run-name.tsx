/** The id of a run, in a line that may be too short for it: its end stays, where ids of one process differ. */
import { UserText } from "./user-text.js";

export function RunName({ id }: { id: string }) {
  return (
    <span class="run-name" title={id}>
      <span>
        <UserText text={id} />
      </span>
    </span>
  );
}
