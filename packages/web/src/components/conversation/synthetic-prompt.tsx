import type { PromptEntry } from "@baton/core/session/transcript/entry";
import { sanitize, oneLine } from "@baton/core/text/sanitize";
import { Icon } from "../icon.tsx";

/** A longer text is collapsed to its first line, because the user rarely reads it. */
const MAX_SHORT_LENGTH = 280;

/** A prompt of the daemon. It looks different from a prompt of the user. */
export function SyntheticPrompt({ entry }: { entry: PromptEntry }) {
  const text = sanitize(entry.text).trim();
  if (text.length <= MAX_SHORT_LENGTH && text.split("\n").length <= 4)
    return (
      <p className="synthetic">
        <span>
          <b className="strong">From the daemon</b> {text}
        </span>
      </p>
    );
  return (
    <details className="synthetic call">
      <summary>
        <Icon name="chevron-right" small className="chev" />
        <b className="strong nowrap">From the daemon</b>
        <span className="cut">{oneLine(text).slice(0, MAX_SHORT_LENGTH)}</span>
      </summary>
      <p>{text}</p>
    </details>
  );
}
