import type { Request } from "@baton/core/protocol/request";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { truncate, contentWidth, justify, type TerminalStyle } from "../layout.ts";
import { stripMarkdown } from "@baton/core/text/strip-markdown";
import { waitingTimeText } from "@baton/core/text/request/waiting-time-text";
import { shortenHome } from "@baton/core/text/format";

/** A request with its session, for the inbox. */
type Item = Request & { sessionId: string; rootSessionId: string; mode: string; workspace: string; title: string };

/** Every open request, oldest first, with its session. */
export function inboxLines(items: readonly Item[], style: TerminalStyle): string[] {
  const { ansi } = style;
  if (items.length === 0) return ["Nothing needs you."];
  return items.flatMap((item, i) => {
    const number = ansi.bold(String(i + 1).padStart(2));
    const what = oneLine(
      escapeInvisible(
        item.kind !== "approval"
          ? stripMarkdown(item.text)
          : "call" in item.subject
            ? item.text
            : `${item.header}${"server" in item.subject ? ` ${item.subject.server}` : ""}`,
      ),
    );
    const first = `${number} ${ansi.attention("◆")} ${truncate(what, contentWidth(style) - 12)}`;
    const where = `${oneLine(item.title)} · ${shortenHome(item.workspace, style.home)}`;
    const id = ansi.dim(item.id);
    return [
      justify(first, ansi.dim(waitingTimeText(item, style.now)), contentWidth(style)) ?? first,
      `     ${ansi.mode(item.mode)} ${ansi.dim(truncate(where, Math.max(10, contentWidth(style) - 6 - item.mode.length - 3)))}`,
      ...(item.kind === "question" ? item.choices : []).map(
        (choice) => `     ${ansi.dim(truncate(`${choice.id} ${oneLine(escapeInvisible(choice.label))}`, contentWidth(style) - 6))}`,
      ),
      `     ${id}`,
    ];
  });
}

/** The number of open requests with a diamond; empty if there are none. */
export const openRequestsBadge = (open: number, { ansi }: Pick<TerminalStyle, "ansi">): string =>
  open === 0 ? "" : ansi.attention(`◆ ${open}`);
