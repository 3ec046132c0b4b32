import { errorMessage } from "@baton/core/client/rpc-errors";
import { runDetached } from "@baton/core/client/run-detached";
import { approvalStatusText } from "@baton/core/text/approval-status-text";
import { oneLine } from "@baton/core/text/sanitize";
import { useState } from "react";
import { capitalize } from "../../components/text/strings.ts";
import { useApp, useConnected } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";

/** The tools of a folder that are files: what they run and declare, and whether the agent may use them. Nothing if there are none. */
export function ScriptToolsSection({ cwd }: { cwd: string }) {
  const { link } = useApp();
  const connected = useConnected();
  const [problem, setProblem] = useState<string>();
  const onError = (error: unknown) => setProblem(errorMessage(error));
  const list = (signal: AbortSignal) => link.api.tool.list.query({ cwd }, { signal });
  const { data, refetch } = useQuery(connected ? list : undefined, [link, cwd], { onError });
  const settle = async (hash: string, approved: boolean) => {
    await link.api.tool.settle.mutate({ commandId: crypto.randomUUID(), cwd, hashes: [hash], approved });
    await refetch();
  };
  if (data === undefined || data.tools.length + data.problems.length === 0) return problem && <p className="problem">{problem}</p>;
  return (
    <section className="script-tools" aria-label="Script tools">
      <h2 className="group">Script tools</h2>
      {problem === undefined ? undefined : <p className="problem">{problem}</p>}
      {data.problems.map(({ file, message }) => (
        <p key={`${file} ${message}`} className="problem">
          {oneLine(file)}: {oneLine(message)}
        </p>
      ))}
      <ul>
        {data.tools.map(({ name, description, run, access, source, status, hash }) => (
          <li key={name}>
            <strong>{name}</strong> <span className="dim">{oneLine(description)}</span>
            <p>
              <code dir="ltr">{oneLine(run)}</code>
            </p>
            <p className="dim">
              {source}, {oneLine(access)}
            </p>
            <p className="row">
              <span>{capitalize(approvalStatusText[status])}</span>
              {status === "approved" ? undefined : (
                <button className="btn small" aria-label={`Allow ${name}`} onClick={() => runDetached(settle(hash, true), onError)}>
                  Allow
                </button>
              )}
              {status === "refused" ? undefined : (
                <button className="btn small" aria-label={`Never use ${name}`} onClick={() => runDetached(settle(hash, false), onError)}>
                  Never use
                </button>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
