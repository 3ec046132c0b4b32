import { Effect } from "@baton/core/protocol/rule";
import { errorMessage } from "@baton/core/client/errors";
import { runDetached } from "@baton/core/client/run-detached";
import { useId, useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { CHECK_ACTIONS, checkForm } from "./check-query.ts";

const ACTIONS = CHECK_ACTIONS.filter((action) => action !== "tool");

/** Adds a rule to the config of the user. It comes after the others, so it wins over them. */
export function AddRule({ onAdded }: { onAdded: () => Promise<void> }) {
  const { link, tell } = useApp();
  const connected = useConnected();
  const id = useId();
  const [open, setOpen] = useState(false);
  const [effect, setEffect] = useState<Effect>("ask");
  const [action, setAction] = useState("command");
  const [resource, setResource] = useState("");
  const [problem, setProblem] = useState<string>();
  const add = async () => {
    try {
      await link.api.permission.add.mutate({ rule: { action, resource: resource.trim(), effect } });
      await onAdded();
      setResource("");
      setProblem(undefined);
      setOpen(false);
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };
  if (!open)
    return (
      <button type="button" className="btn small" disabled={!connected} onClick={() => setOpen(true)}>
        Add rule
      </button>
    );
  return (
    <form
      className="card form addrule"
      aria-label="New rule"
      onSubmit={(event) => {
        event.preventDefault();
        runDetached(add(), tell);
      }}
    >
      <div className="row wrap">
        <select className="field" aria-label="Effect" value={effect} onChange={({ target }) => setEffect(Effect.parse(target.value))}>
          {Effect.options.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
        <select className="field" aria-label="Action of the rule" value={action} onChange={({ target }) => setAction(target.value)}>
          {ACTIONS.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
        <input
          className="field mono grow"
          aria-label="Resource"
          aria-describedby={id}
          aria-invalid={problem !== undefined}
          placeholder={checkForm(action).example}
          spellCheck={false}
          autoFocus
          value={resource}
          onChange={({ target }) => setResource(target.value)}
          onKeyDown={({ key }) => {
            if (key === "Escape") setOpen(false);
          }}
        />
      </div>
      {problem === undefined ? undefined : (
        <p className="hint bad" role="alert">
          {problem}
        </p>
      )}
      <p className="hint dim" id={id}>
        <code>*</code> stands for any text. The rule goes to the end of your config, where you can change it and remove it.
      </p>
      <div className="row">
        <button className="btn solid small" disabled={!connected || resource.trim() === ""}>
          Save the rule
        </button>
        <button type="button" className="btn quiet small" onClick={() => setOpen(false)}>
          Cancel
        </button>
      </div>
    </form>
  );
}
