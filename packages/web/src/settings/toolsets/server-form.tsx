import { errorMessage } from "@baton/core/client/rpc-errors";
import { useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { Dialog } from "../../components/dialog.tsx";
import { draftServer, newServerDraft, serverDraft, UNCHANGED, type OwnServer, type ServerDraft } from "./server-draft.ts";

type Props = { server: OwnServer | undefined; onSaved: () => void; onClose: () => void };

/** Adds a server to the user's config, or changes one. Baton asks before it starts a new or changed program. */
export function ServerForm({ server, onSaved, onClose }: Props) {
  const { link } = useApp();
  const connected = useConnected();
  const [draft, setDraft] = useState<ServerDraft>(() => (server ? serverDraft(server) : newServerDraft));
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const save = () => {
    setBusy(true);
    link.api.mcp.add
      .mutate({ name: draft.name.trim(), ...draftServer(draft, server), replace: server !== undefined })
      .then(
        () => {
          onSaved();
          onClose();
        },
        (error: unknown) => setProblem(errorMessage(error)),
      )
      .finally(() => setBusy(false));
  };
  const text = (name: keyof ServerDraft, label: string, hint = "", disabled = false) => (
    <label>
      {label}
      <input
        className="field mono"
        spellCheck={false}
        disabled={disabled}
        value={draft[name]}
        onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
      />
      {hint === "" ? undefined : <span className="hint">{hint}</span>}
    </label>
  );
  const lines = (name: keyof ServerDraft, label: string, hint: string) => (
    <label>
      {label}
      <textarea
        className="field mono"
        rows={2}
        spellCheck={false}
        value={draft[name]}
        onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
      />
      <span className="hint">{hint}</span>
    </label>
  );
  const values = `One NAME=value per line. ${server ? `${UNCHANGED} keeps the value. ` : ""}{env:NAME} stands for a variable of the daemon.`;
  return (
    <Dialog title={server ? `Edit ${server.name}` : "Add an MCP server"} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {text("name", "Name", "", server !== undefined)}
        <label>
          Kind
          <select
            className="field"
            value={draft.kind}
            onChange={({ target }) => setDraft({ ...draft, kind: target.value === "address" ? "address" : "program" })}
          >
            <option value="program">A program on this machine</option>
            <option value="address">An address</option>
          </select>
        </label>
        {draft.kind === "program" ? (
          <>
            {text("command", "Command", "Without arguments, such as npx")}
            {lines("args", "Arguments", "One per line")}
            {lines("env", "Variables", values)}
            {text("cwd", "Working directory", "The workspace if empty")}
          </>
        ) : (
          <>
            {text("url", "Address")}
            {lines("headers", "Headers", values)}
          </>
        )}
        {problem === undefined ? undefined : (
          <p className="hint bad" role="alert">
            {problem}
          </p>
        )}
        <div className="row">
          <button className="btn solid" disabled={!connected || busy || draft.name.trim() === ""}>
            Save
          </button>
          <button type="button" className="btn quiet" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
