import { Effect, type Resource, type Rule } from "@baton/core/protocol/rule";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { runDetached } from "@baton/core/client/run-detached";
import { coversAllResources, typedResource } from "@baton/core/text/rule-text";
import { useId, useState, type ReactNode } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { Icon } from "../../components/icon.tsx";
import { CHECK_ACTIONS, checkForm } from "./check-query.ts";

const ACTIONS = CHECK_ACTIONS.filter((action) => action !== "tool");

type Props = {
  label: string;
  hint: ReactNode;
  /** The rule to change, or the beginning of a new one. The action of a known rule stays. */
  rule: Rule;
  isNew?: boolean;
  /** Rejects with the reason if the rule cannot be saved. */
  onSave: (rule: Rule) => Promise<void>;
  onRemove?: () => Promise<void>;
  onClose: () => void;
};

/** The fields of a rule of the user. */
export function RuleForm({ label, hint, rule, isNew = false, onSave, onRemove, onClose }: Props) {
  const { tell } = useApp();
  const connected = useConnected();
  const id = useId();
  const before = isNew ? "" : typedResource(rule.resource);
  const [effect, setEffect] = useState<Effect>(rule.effect);
  const [action, setAction] = useState(rule.action);
  const [text, setText] = useState(before);
  const [problem, setProblem] = useState<string>();
  const resource = text.trim() === before ? rule.resource : typed(text.trim(), rule.resource);
  const warns = effect === "allow" && text.trim() !== "" && coversAllResources({ action, resource });
  const run = async (work: () => Promise<void>) => {
    try {
      await work();
      onClose();
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };
  return (
    <form
      className="card form ruleform"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        runDetached(
          run(() => onSave({ action, resource, effect })),
          tell,
        );
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
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
        {isNew ? (
          <select className="field" aria-label="Action of the rule" value={action} onChange={({ target }) => setAction(target.value)}>
            {ACTIONS.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        ) : (
          <b>{action}</b>
        )}
        <input
          className="field mono grow"
          aria-label="Resource"
          aria-describedby={id}
          aria-invalid={problem !== undefined}
          placeholder={checkForm(action).example}
          spellCheck={false}
          autoFocus
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      {problem === undefined ? undefined : (
        <p className="hint bad" role="alert">
          {problem}
        </p>
      )}
      {warns ? (
        <p className="hint attn-ink" role="alert">
          <Icon name="warning" small /> This rule is broad: it allows <b>every {action}</b> without asking.
        </p>
      ) : undefined}
      <p className="hint dim" id={id}>
        {hint}
      </p>
      <div className="row">
        <button className="btn solid small" disabled={!connected || text.trim() === ""}>
          Save the rule
        </button>
        <button type="button" className="btn quiet small" onClick={onClose}>
          Cancel
        </button>
        {onRemove ? (
          <button type="button" className="btn small r" disabled={!connected} onClick={() => runDetached(run(onRemove), tell)}>
            Remove the rule
          </button>
        ) : undefined}
      </div>
    </form>
  );
}

/** A changed resource. It keeps its kind if it is still written like that: an exact text in quotes, an expression between slashes. */
function typed(text: string, before: Resource): Resource {
  const [, exact] = /^"(.*)"$/s.exec(text) ?? [];
  const [, regex] = /^\/(.*)\/$/s.exec(text) ?? [];
  if (typeof before === "object" && "exact" in before && exact !== undefined) return { exact };
  if (typeof before === "object" && "regex" in before && regex !== undefined) return { regex };
  return text;
}
