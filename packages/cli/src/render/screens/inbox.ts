import type { Request } from "@baton/core/protocol/request";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { cut, contentWidth, spread, type TerminalStyle } from "../layout.ts";
import { formatAge, shortenHome } from "@baton/core/text/format";

/** A request with its session, for the inbox. */
export type Item = Request & { sessionId: string; rootSessionId: string; mode: string; workspace: string; title: string };

/** Every open request, oldest first, with its session. */
export function inboxLines(items: readonly Item[], look: TerminalStyle): string[] {
  const { ink } = look;
  if (items.length === 0) return ["Nothing needs you."];
  return items.flatMap((item, i) => {
    const number = ink.bold(String(i + 1).padStart(2));
    const what = oneLine(
      escapeInvisible(
        item.kind !== "approval" || "call" in item.subject
          ? item.text
          : `${item.header}${"server" in item.subject ? ` ${item.subject.server}` : ""}`,
      ),
    );
    const first = `${number} ${ink.attention("◆")} ${cut(what, contentWidth(look) - 12)}`;
    const where = `${oneLine(item.title)} · ${shortenHome(item.workspace, look.home)}`;
    const id = ink.dim(item.id);
    return [
      spread(first, ink.dim(formatAge(look.now - item.openedAt)), contentWidth(look)) ?? first,
      `     ${ink.mode(item.mode)} ${ink.dim(cut(where, Math.max(10, contentWidth(look) - 6 - item.mode.length - 3)))}`,
      ...(item.kind === "question" ? item.choices : []).map(
        (choice) => `     ${ink.dim(cut(`${choice.id} ${oneLine(escapeInvisible(choice.label))}`, contentWidth(look) - 6))}`,
      ),
      `     ${id}`,
    ];
  });
}

/** The number of open requests with a diamond; empty if there are none. */
export const badge = (open: number, { ink }: Pick<TerminalStyle, "ink">): string => (open === 0 ? "" : ink.attention(`◆ ${open}`));
