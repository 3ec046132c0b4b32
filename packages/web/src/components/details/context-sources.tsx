import { contextSourceTitles, sumBySource } from "@baton/core/session/context/context-sources";
import { formatTokens } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import { useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";

/** The contents of the context, by source, read when the user opens it. `version`: another one reads it again. */
export function ContextSources({ id, version }: { id: string; version: number }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="usage" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>By source</summary>
      {open ? <SourceList id={id} version={version} /> : undefined}
    </details>
  );
}

const MAX_ITEMS = 5;

function SourceList({ id, version }: { id: string; version: number }) {
  const { link, tell } = useApp();
  const connected = useConnected();
  const read = () => link.api.session.context.query({ sessionId: id });
  const { data } = useQuery(connected ? read : undefined, [link, id, version], { onError: tell });
  if (!data) return <p className="dim">Loading …</p>;
  return (
    <>
      <dl className="kv">
        {sumBySource(data.items).flatMap(({ source, tokens }) => [
          <dt key={source}>{contextSourceTitles[source]}</dt>,
          <dd key={`${source} size`}>{formatTokens(tokens)}</dd>,
          ...data.items
            .filter((item) => item.source === source)
            .toSorted((a, b) => b.tokens - a.tokens)
            .slice(0, MAX_ITEMS)
            .flatMap(({ name, tokens: size }) => [
              <dt key={`${source} ${name}`} className="dim cut">
                {oneLine(name)}
              </dt>,
              <dd key={`${source} ${name} size`} className="dim">
                {formatTokens(size)}
              </dd>,
            ]),
        ])}
      </dl>
      <p className="dim">Estimates in tokens. Only the largest parts of each source are listed.</p>
    </>
  );
}
