import { errorMessage } from "@baton/core/client/rpc-errors";
import { runDetached } from "@baton/core/client/run-detached";
import { approvalStatusText } from "@baton/core/text/approval-status-text";
import { oneLine } from "@baton/core/text/sanitize";
import { useState } from "react";
import { capitalize } from "../../components/text/strings.ts";
import type { Api } from "../../connection/connection-types.ts";
import { useApp, useConnected } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";
import type { SettingsTabProps } from "../settings-tab.ts";
import "./hooks.css";

type HookList = Awaited<ReturnType<Api["hook"]["list"]["query"]>>;
type HookRow = HookList["hooks"][number];

/** The hooks of a folder by event: what they run, where they are written, and whether they may run. */
export function HooksTab({ cwd }: SettingsTabProps) {
  const { link } = useApp();
  const connected = useConnected();
  const [problem, setProblem] = useState<string>();
  const onError = (error: unknown) => setProblem(errorMessage(error));
  const list = (signal: AbortSignal) => link.api.hook.list.query({ cwd }, { signal });
  const { data, refetch } = useQuery(connected ? list : undefined, [link, cwd], { onError });
  const settle = async (hash: string, approved: boolean) => {
    await link.api.hook.settle.mutate({ commandId: crypto.randomUUID(), cwd, hashes: [hash], approved });
    await refetch();
  };
  const onSettle = (hash: string, approved: boolean) => runDetached(settle(hash, approved), onError);
  return (
    <>
      <header>
        <h1>Hooks</h1>
        <span className="dim">Your own commands at events of sessions. They are written in files.</span>
      </header>
      {problem === undefined ? undefined : <p className="problem">{problem}</p>}
      {data?.problems.map(({ file, line, message }) => (
        <p key={`${file} ${line} ${message}`} className="problem">
          {file}:{line}: {oneLine(message)}
        </p>
      ))}
      {data === undefined ? undefined : data.hooks.length === 0 ? (
        <p className="dim">
          There are no hooks for this folder. Write them in the section <code>hooks</code> of your config, or let Baton read those of other
          agents with <code>{`"hooks": { "from": ["claude", "codex"] }`}</code>.
        </p>
      ) : (
        [...Map.groupBy(data.hooks, ({ event }) => event)].map(([event, hooks]) => (
          <section key={event} className="hooks" aria-labelledby={`hooks-${event}`}>
            <h2 id={`hooks-${event}`}>{event}</h2>
            <ul>
              {hooks.map((hook, i) => (
                <Hook key={`${hook.hash} ${i}`} hook={hook} onSettle={onSettle} />
              ))}
            </ul>
          </section>
        ))
      )}
    </>
  );
}

function Hook({ hook, onSettle }: { hook: HookRow; onSettle: (hash: string, approved: boolean) => void }) {
  const { matcher, condition, run, layer, source, status, timeout, onFailure, hash } = hook;
  const name = oneLine(run);
  return (
    <li>
      <code className="command" dir="ltr">
        {name}
      </code>
      <p className="dim">
        {layer}, {source}
        {matcher === null || matcher === "" ? "" : `, matcher ${oneLine(matcher)}`}
        {condition === null ? "" : `, if ${oneLine(condition)}`}, at most {timeout} s, if it fails: {onFailure}
      </p>
      <p className="status">
        <span>{capitalize(approvalStatusText[status])}</span>
        {layer === "managed" ? undefined : (
          <>
            {status === "approved" ? undefined : (
              <button type="button" className="btn small" aria-label={`Run it: ${name}`} onClick={() => onSettle(hash, true)}>
                Run it
              </button>
            )}
            {status === "refused" ? undefined : (
              <button type="button" className="btn small" aria-label={`Never run it: ${name}`} onClick={() => onSettle(hash, false)}>
                Never run it
              </button>
            )}
          </>
        )}
      </p>
    </li>
  );
}
