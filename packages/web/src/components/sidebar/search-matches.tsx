import type { SessionRow } from "@baton/core/session/session-list";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { oneLine, sanitize } from "@baton/core/text/sanitize";
import { useState } from "react";
import type { Api } from "../../connection/connection-types.ts";
import { useApp } from "../../store/app-context.ts";
import { routeHref } from "../../store/route.ts";
import { useQuery } from "../../store/data/use-query.ts";
import { Icon } from "../icon.tsx";

type Match = Awaited<ReturnType<Api["session"]["search"]["query"]>>["matches"][number];

const MAX_MATCHES = 40;
const DELAY_MS = 250;

/** Prompts, answers, commands and outputs that contain the words. Each leads to its place in the conversation. */
export function SearchMatches({ query, rows }: { query: string; rows: readonly SessionRow[] }) {
  const { link } = useApp();
  const [problem, setProblem] = useState<string>();
  const search = async (signal: AbortSignal) => {
    const found = await link.api.session.search.query({ query, limit: MAX_MATCHES }, { signal });
    setProblem(undefined);
    return { ...found, query };
  };
  const { data } = useQuery(search, [link, query], { delayMs: DELAY_MS, onError: (error) => setProblem(errorMessage(error)) });
  const here = new Set(link.connect === undefined ? undefined : rows.map(({ id }) => id)); // a window of an editor shows its folders only
  const matches =
    data?.matches.filter(({ kind, sessionId }) => kind !== "title" && (link.connect === undefined || here.has(sessionId))) ?? [];
  return (
    <div role="status" aria-busy={data?.query !== query}>
      <h2 className="group">
        In conversations<span className="r dim">{data ? matches.length : ""}</span>
      </h2>
      {problem === undefined ? undefined : <p className="nothing">{oneLine(problem)}</p>}
      {problem === undefined && data && matches.length === 0 ? <p className="nothing">No conversation has these words.</p> : undefined}
      {data && data.unindexed > 0 ? <p className="nothing">Some sessions are not indexed yet.</p> : undefined}
      {matches.map((match, i) => (
        <MatchItem key={`${match.sessionId} ${match.seq} ${match.kind}`} match={match} stop={i === 0} />
      ))}
    </div>
  );
}

function MatchItem({ match: { sessionId, seq, title, kind, archived, snippet }, stop }: { match: Match; stop: boolean }) {
  const at = kind === "answer" ? seq - 1 : seq; // an answer comes before the calls that arrived with it
  return (
    <a className="item" href={routeHref({ page: "session", id: sessionId, seq: at })} tabIndex={stop ? 0 : -1}>
      <Icon name={ICONS[kind]} small />
      <span className="cut soft" dir="auto">
        {oneLine(title) || "(no prompt yet)"}
      </span>
      <span className="end">{archived ? `archived · ${kind}` : kind}</span>
      <span className="sub snippet" dir="auto">
        {snippet.map(({ text, hit }, i) => (hit ? <mark key={i}>{sanitize(text)}</mark> : sanitize(text)))}
      </span>
    </a>
  );
}

const ICONS: Record<Match["kind"], string> = {
  prompt: "account",
  answer: "comment-discussion",
  command: "terminal",
  output: "output",
  file: "file",
  title: "tag",
};
