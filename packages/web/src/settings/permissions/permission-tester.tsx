import { oneLine } from "@baton/core/text/sanitize";
import { useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { SuggestInput } from "../../components/suggest-input.tsx";
import { useQuery } from "../../store/data/use-query.ts";
import { ModeName } from "../../components/composer/mode-name.tsx";
import { VerdictView } from "./verdict-view.tsx";
import { checkForm, CHECK_ACTIONS, toCheckQuery, type CheckDraft } from "./check-query.ts";
import { usePermissionCheck } from "./use-permission-check.ts";

/** Shows what would happen, with the same code that judges sessions, and runs nothing. */
export function Tester({ cwd, mode, stamp }: { cwd: string; mode: string; stamp: unknown }) {
  const connected = useConnected();
  const [draft, setDraft] = useState<CheckDraft>({ action: "command", text: "", tool: "" });
  const check = toCheckQuery(draft, cwd, mode);
  const error = check && "error" in check ? check.error : undefined;
  const question = check && "error" in check ? undefined : check;
  const answer = usePermissionCheck(question, stamp);
  const { label, example } = checkForm(draft.action);
  return (
    <form className="card form tester" aria-label="What would happen?" onSubmit={(event) => event.preventDefault()}>
      <div className="row">
        <h2>What would happen?</h2>
        <span className="r dim">runs nothing</span>
      </div>
      <div className="row wrap">
        <select
          className="field"
          aria-label="Action"
          value={draft.action}
          onChange={(event) => setDraft({ ...draft, action: CHECK_ACTIONS.find((each) => each === event.target.value) ?? "command" })}
        >
          {CHECK_ACTIONS.map((each) => (
            <option key={each} value={each}>
              {each === "tool" ? "a call of a tool" : each}
            </option>
          ))}
        </select>
        <span className="dim">in</span> <ModeName slug={mode} />
      </div>
      {draft.action === "tool" ? (
        <ToolField cwd={cwd} mode={mode} tool={draft.tool} onTool={(tool) => setDraft({ ...draft, tool })} />
      ) : undefined}
      <label>
        {label}
        <textarea
          className="field mono"
          rows={2}
          spellCheck={false}
          placeholder={example}
          value={draft.text}
          aria-invalid={error !== undefined}
          onChange={(event) => setDraft({ ...draft, text: event.target.value })}
        />
        {error === undefined ? undefined : <span className="hint bad">{error}</span>}
      </label>
      <div aria-live="polite" aria-busy={question !== undefined && answer?.of !== JSON.stringify(question)} className="answers">
        {!connected && question ? <p className="hint dim">Baton checks this after the page has reconnected.</p> : undefined}
        {answer ? <VerdictView checked={answer.checked} tool={draft.action === "tool" ? draft.tool : undefined} /> : undefined}
      </div>
      <p className="hint dim">
        In a shell: <code>baton permissions check</code>
      </p>
    </form>
  );
}

type ToolFieldProps = { cwd: string; mode: string; tool: string; onTool: (tool: string) => void };

/** A tool by name; the tools of the mode are suggested. */
function ToolField({ cwd, mode, tool, onTool }: ToolFieldProps) {
  const { lists } = useApp();
  const { data } = useQuery(() => lists.modeTools(mode, cwd), [lists, mode, cwd]);
  const names = data?.offered.map(({ name }) => name) ?? [];
  return (
    <label>
      Tool
      <SuggestInput
        className="field mono"
        suggestions={names.map(oneLine)}
        value={tool}
        onChange={(event) => onTool(event.target.value)}
        placeholder="read_file"
      />
    </label>
  );
}
