/** What went wrong, and what to do. */
import { Icon } from "./icons.js";
import { UserText } from "./user-text.js";

interface ProblemProps {
  message: string;
  hint?: string | undefined;
  onRetry?: () => void;
  tone?: "bad" | "needs";
}

export function Problem({ message, hint, onRetry, tone = "bad" }: ProblemProps) {
  return (
    <div class="callout" data-tone={tone} role="alert">
      <Icon name="warning" />
      <div class="callout-text">
        <UserText text={message} />
        {hint === undefined ? null : (
          <div class="quiet">
            <UserText text={hint} />
          </div>
        )}
      </div>
      {onRetry === undefined ? null : (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
