import { setImmediate } from "node:timers/promises";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { SessionId } from "@baton/core/protocol/ids";
import { refuse, type Refusal } from "@baton/core/protocol/refusal";
import { upcastEvent } from "@baton/core/protocol/upcast";
import type { InValue } from "@libsql/client/sqlite3";
import type { Database } from "../database/database.ts";
import type { SqlRow } from "../database/local-connection.ts";
import { mayBeIndexFault, SEARCH_TABLE, SEQ_BITS, SEQ_MASK, type SearchIndex } from "./search-index.ts";
import { searchableTexts, type SearchKind } from "./searchable-text.ts";
import { parseQuery, toMatch, type SearchPhrase } from "./search-query.ts";
import { makeSnippet, type SnippetPart } from "./snippet.ts";
import { wordOfFile } from "./words.ts";

type SearchInput = {
  query: string;
  workspace?: string | undefined;
  /** Only sessions that are in this mode. */
  mode?: string | undefined;
  /** Only events from then on, and before then, in epoch milliseconds. */
  since?: number | undefined;
  until?: number | undefined;
  /** Only sessions that name this file: the end of its path. */
  file?: string | undefined;
  limit?: number | undefined;
};

/** An event that matches a search. */
type SearchMatch = {
  sessionId: SessionId;
  title: string;
  workspace: string;
  mode: string;
  archived: boolean;
  seq: number;
  /** Epoch milliseconds. */
  at: number;
  kind: SearchKind;
  snippet: SnippetPart[];
};

/** The matches, newest session first and in a session newest first. `unindexed`: the number of sessions that are not fully indexed yet. */
type SearchResult = { matches: SearchMatch[]; unindexed: number };

export type SearchSessions = (input: SearchInput) => Promise<SearchResult | { refused: Refusal }>;

const DEFAULT_LIMIT = 20;
/** More matches of one session would hide the others. */
const MAX_PER_SESSION = 3;
const PAGE = 60;
/** Events that the index finds although their words do not follow each other. A search gives up after so many. */
const MAX_CANDIDATES = 3_000;

/** Searches the texts of all sessions. The index finds the events, and their texts in the log confirm the match and give the snippet. */
export function openSessionSearch(database: Pick<Database, "query">, index: Pick<SearchIndex, "problem" | "rebuild">): SearchSessions {
  return async (input) => {
    const problem = index.problem();
    if (problem !== undefined) return refuse("search_unavailable", problem);
    const query = parseQuery(input.query);
    if ("problem" in query) return refuse("search_invalid", query.problem);
    const file = input.file === undefined ? undefined : wordOfFile(input.file);
    if (input.file !== undefined && file === undefined)
      return refuse("search_invalid", `"${input.file.slice(0, 100)}" is not the path of a file.`);
    try {
      const matches = await findMatches(database, query.terms, { ...input, file });
      const [row] = await database.query("SELECT count(*) AS n FROM search_session WHERE pending > 0");
      return { matches, unindexed: Number(row?.["n"]) };
    } catch (error) {
      if (!mayBeIndexFault(error)) throw error;
      index.rebuild("the search index is broken");
      return refuse("search_unavailable", "The search index is broken. Baton builds it again in the background. Try again in a moment.");
    }
  };
}

async function findMatches(database: Pick<Database, "query">, terms: readonly SearchPhrase[], input: SearchInput): Promise<SearchMatch[]> {
  const { limit = DEFAULT_LIMIT } = input;
  const matches: SearchMatch[] = [];
  const perSession = new Map<unknown, number>();
  const isEnough = (row: SqlRow) => (perSession.get(row["n"]) ?? 0) >= MAX_PER_SESSION;
  let below = Number.MAX_SAFE_INTEGER;
  for (let read = 0; read < MAX_CANDIDATES; read += PAGE) {
    const rows = await database.query(candidates(terms, below, input));
    for (const row of rows) {
      const match = isEnough(row) ? undefined : toSearchMatch(row, terms);
      if (!match) continue;
      matches.push(match);
      if (matches.length >= limit) return matches;
      perSession.set(row["n"], (perSession.get(row["n"]) ?? 0) + 1);
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) break;
    await setImmediate(); // other work continues
    below = isEnough(last) ? Number(last["n"]) * 2 ** SEQ_BITS : Number(last["id"]);
  }
  return matches;
}

/** The newest events below a rowid that the index finds. The order of the joins is fixed, so that the index gives the order of the rows. */
function candidates(terms: readonly SearchPhrase[], below: number, { workspace, mode, since, until, file }: SearchInput) {
  const filters: [sql: string, value: InValue | undefined][] = [
    ["session.workspace = ?", workspace],
    ["session.mode = ?", mode],
    ["event.at >= ?", since],
    ["event.at < ?", until],
    [`found.rowid >> ${SEQ_BITS} IN (SELECT rowid >> ${SEQ_BITS} FROM ${SEARCH_TABLE} WHERE ${SEARCH_TABLE} MATCH ?)`, file && `"${file}"`],
  ];
  const used = filters.filter((filter): filter is [string, InValue] => filter[1] !== undefined);
  return {
    sql: `SELECT found.rowid AS id, numbered.n, session.id AS session_id, session.title, session.workspace, session.mode, session.archived,
        event.seq, event.at, event.data
      FROM ${SEARCH_TABLE} AS found
      CROSS JOIN search_session AS numbered ON numbered.n = found.rowid >> ${SEQ_BITS}
      CROSS JOIN session ON session.id = numbered.session_id
      CROSS JOIN event ON event.stream_id = session.id AND event.seq = found.rowid & ${SEQ_MASK}
      WHERE found.${SEARCH_TABLE} MATCH ? AND found.rowid < ?${used.map(([sql]) => ` AND ${sql}`).join("")}
      ORDER BY found.rowid DESC LIMIT ${PAGE}`,
    args: [toMatch(terms), below, ...used.map(([, value]) => value)],
  };
}

function toSearchMatch(row: SqlRow, terms: readonly SearchPhrase[]): SearchMatch | undefined {
  const event = upcastEvent(JSON.parse(String(row["data"])) as { type: string }) as SessionEvent; // it was checked before it was indexed
  const snippet = makeSnippet(terms, searchableTexts(event));
  return (
    snippet && {
      sessionId: String(row["session_id"]) as SessionId,
      title: String(row["title"]),
      workspace: String(row["workspace"]),
      mode: String(row["mode"]),
      archived: Boolean(row["archived"]),
      seq: Number(row["seq"]),
      at: Number(row["at"]),
      kind: snippet.kind,
      snippet: snippet.parts,
    }
  );
}
