import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { serverStatusText } from "@baton/core/text/server-status-text";
import { formatCount } from "@baton/core/text/format";
import { runDetached } from "@baton/core/client/run-detached";
import { useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { NeedsYouIcon, Icon, WorkingIcon } from "../../components/icon.tsx";
import { useQuery } from "../../store/data/use-query.ts";
import type { OwnServer } from "./server-draft.ts";
import { ServerForm } from "./server-form.tsx";
import type { ToolsetsData, McpQuestion, McpServerRow } from "./use-toolsets.ts";

type Props = { cwd: string; known: ToolsetsData; again: () => void };

/** The servers with their state, approvals and logs. */
export function ServerList({ cwd, known: { servers, questions = [] }, again }: Props) {
  const { link, tell } = useApp();
  const connected = useConnected();
  const [editing, setEditing] = useState<OwnServer | "new">();
  const { data: own = [], refetch } = useQuery(
    connected ? (signal) => link.api.mcp.own.query(undefined, { signal }) : undefined,
    [link, servers],
    { onError: tell },
  );
  const changed = () => {
    runDetached(refetch(), tell);
    again();
  };
  return (
    <section aria-label="Servers">
      <h2 className="group">
        Servers
        <button type="button" className="btn quiet small r" onClick={() => setEditing("new")}>
          <Icon name="add" small />
          Add
        </button>
      </h2>
      {editing === undefined ? undefined : (
        <ServerForm server={editing === "new" ? undefined : editing} onSaved={changed} onClose={() => setEditing(undefined)} />
      )}
      {servers?.length === 0 ? (
        <p className="nothing">
          None yet. A project adds its servers in <code>.mcp.json</code>.
        </p>
      ) : undefined}
      {servers?.map((server) => (
        <ServerItem
          key={server.name}
          cwd={cwd}
          server={server}
          question={questions.find((each) => each.server === server.name)}
          again={changed}
          own={own.find(({ name }) => name === server.name)}
          onEdit={setEditing}
        />
      ))}
    </section>
  );
}

type ItemProps = {
  cwd: string;
  server: McpServerRow;
  question: McpQuestion | undefined;
  again: () => void;
  /** The definition in the user's config. Undefined for a server of the project. */
  own: OwnServer | undefined;
  onEdit: (server: OwnServer) => void;
};

function ServerItem({ cwd, server, question, again, own, onEdit }: ItemProps) {
  const { name, status, launch, tools, problem } = server;
  const { link, tell } = useApp();
  const connected = useConnected();
  const [log, setLog] = useState<readonly string[]>();
  const [busy, setBusy] = useState(false);
  const [sure, setSure] = useState(false);
  const run = (action: () => Promise<unknown>) => {
    setBusy(true);
    action()
      .then(again, tell)
      .finally(() => setBusy(false));
  };
  return (
    <details className="server">
      <summary>
        <Sign status={busy ? "starting" : status} />
        <span className="cut">{oneLine(name)}</span>
        <span className="end">{status === "ready" ? formatCount(tools.length, "tool") : serverStatusText[status]}</span>
      </summary>
      <p className="dim">
        <code>{escapeInvisible(launch)}</code>, from {oneLine(server.source)}
      </p>
      {problem === undefined ? undefined : <p>{escapeInvisible(problem)}</p>}
      {question ? (
        <ServerApproval
          question={question}
          disabled={!connected || busy}
          onAnswer={(approved) => run(() => link.api.mcp.approve.mutate({ cwd, name, hash: question.hash, approved }))}
        />
      ) : undefined}
      <p className="row wrap">
        {status === "disabled" || question?.what === "launch" ? undefined : (
          <button className="btn small" disabled={!connected || busy} onClick={() => run(() => link.api.mcp.test.mutate({ cwd, name }))}>
            {status === "ready" ? "Test connection" : "Start"}
          </button>
        )}
        <button
          className="btn small quiet"
          disabled={!connected}
          aria-expanded={log !== undefined}
          onClick={() => (log ? setLog(undefined) : void link.api.mcp.logs.query({ cwd, name }).then(setLog, tell))}
        >
          {log ? "Hide log" : "Show log"}
        </button>
        {own ? (
          <button className="btn small quiet" disabled={!connected || busy} onClick={() => onEdit(own)}>
            Edit
          </button>
        ) : undefined}
        {own ? (
          <button
            className="btn small quiet"
            disabled={!connected || busy}
            onClick={() => (sure ? run(() => link.api.mcp.remove.mutate({ name })) : setSure(true))}
          >
            {sure ? "Remove it now" : "Remove"}
          </button>
        ) : undefined}
      </p>
      {log ? (
        <pre className="output" tabIndex={0}>
          {log.length === 0 ? "Nothing yet." : log.map(escapeInvisible).join("\n")}
        </pre>
      ) : undefined}
    </details>
  );
}

/** Exactly what the user approves. */
function ServerApproval({
  question,
  disabled,
  onAnswer,
}: {
  question: McpQuestion;
  disabled: boolean;
  onAnswer: (approved: boolean) => void;
}) {
  const { header, text, view } = question;
  return (
    <div className="asked">
      <b>{escapeInvisible(header)}</b>
      <p>{escapeInvisible(text)}</p>
      {view?.type === "text" ? (
        <pre className="output" tabIndex={0}>
          {escapeInvisible(view.text)}
        </pre>
      ) : undefined}
      <p className="row">
        <button className="btn small" disabled={disabled} onClick={() => onAnswer(true)}>
          Approve exactly this
        </button>
        <button className="btn small quiet" disabled={disabled} onClick={() => onAnswer(false)}>
          Refuse
        </button>
      </p>
    </div>
  );
}

function Sign({ status }: { status: McpServerRow["status"] }) {
  switch (status) {
    case "ready":
      return <Icon name="check" className="st-ok" />;
    case "starting":
      return <WorkingIcon />;
    case "failed":
      return <Icon name="close" className="st-fail" />;
    case "needs_approval":
    case "needs_login":
      return <NeedsYouIcon className="st-wait" />;
    case "idle":
    case "disabled":
    case "refused":
      return <Icon name="circle-small" className="dim" />;
  }
}
