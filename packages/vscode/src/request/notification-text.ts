import type { Request } from "@baton/core/protocol/request";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";

/** The longest text that a notification shows whole. */
const WHOLE = 160;

/** What a request wants, for a notification. `whole` is true when all there is to approve is in it. */
export function notificationText({ kind, header, text, view }: Request): { text: string; whole: boolean } {
  if (kind !== "approval") return { text: oneLine(text || header), whole: view === undefined && text.length <= WHOLE };
  const what = view?.type === "command" ? view.command : text;
  const whole = view?.type === "command" && what.length <= WHOLE && !what.includes("\n");
  return { text: `${oneLine(header)} ${cut(escapeInvisible(what).replaceAll("\n", " "))}`, whole };
}

const cut = (text: string): string => (text.length > WHOLE ? `${text.slice(0, WHOLE)}…` : text);
