import { formatAge, formatCount, shortenHome } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import { contentWidth, hangingIndent, type TerminalStyle } from "../layout.ts";

type Match = {
  sessionId: string;
  title: string;
  workspace: string;
  mode: string;
  archived: boolean;
  at: number;
  kind: string;
  snippet: readonly { text: string; hit: boolean }[];
};

/** The matches of a search. `unindexed`: the number of sessions that the search does not know completely yet. */
type SearchResult = { matches: readonly Match[]; unindexed: number };

/** The matches by session, with their hits in bold. */
export function searchLines({ matches, unindexed }: SearchResult, style: TerminalStyle): string[] {
  const { ansi } = style;
  const sessions = [...new Set(matches.map(({ sessionId }) => sessionId))];
  const lines = sessions.flatMap((id) =>
    sessionBlock(
      matches.filter(({ sessionId }) => sessionId === id),
      style,
    ),
  );
  const waiting =
    unindexed === 0 ? [] : [ansi.attention(`Baton is still indexing ${formatCount(unindexed, "session")}. Search again for more matches.`)];
  return [
    ...(matches.length === 0 ? ["Nothing matches. Every word must occur in one message, command, output or path."] : lines),
    ...waiting,
  ];
}

function sessionBlock(matches: readonly Match[], style: TerminalStyle): string[] {
  const [first] = matches;
  if (!first) return [];
  const { ansi, home, now } = style;
  const facts = [shortenHome(oneLine(first.workspace), home), ...(first.archived ? ["archived"] : [])].join(" · ");
  return [
    `${ansi.bold(first.sessionId)}  ${ansi.bold(oneLine(first.title) || "(no title)")}  ${ansi.mode(first.mode)} ${ansi.dim(facts)}`,
    ...matches.flatMap(({ at, kind, snippet }) =>
      hangingIndent(`${ansi.dim(`${kind}, ${formatAge(now - at)} ago:`)} ${snippetText(snippet, ansi.bold)}`, "  ", contentWidth(style), {
        rest: "    ",
      }),
    ),
  ];
}

/** A snippet as one text. */
export const snippetText = (snippet: Match["snippet"], mark: (hit: string) => string = (hit) => hit): string =>
  snippet.map(({ text, hit }) => (hit ? mark(text) : text)).join("");
