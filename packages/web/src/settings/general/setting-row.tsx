import { useId, useState, type ComponentProps, type ComponentType } from "react";
import { runDetached } from "@baton/core/client/run-detached";
import { errorMessage } from "@baton/core/client/rpc-errors";
import { useApp, useConnected } from "../../store/app-context.ts";
import { TextWithCode } from "../../components/text/text-with-code.tsx";
import { shownValue, parseSettingInput, type SettingField } from "./setting-fields.ts";

type Props = {
  field: SettingField;
  value: unknown;
  /** The field of a setting that is typed, if it has suggestions. */
  input?: ComponentType<ComponentProps<"input">> | undefined;
  onSaved: () => Promise<void>;
};

const TextInput = (props: ComponentProps<"input">) => <input spellCheck={false} {...props} />;

/** One setting: it is saved when the user chooses a value or leaves the field. An empty field removes the setting. */
export function SettingRow({ field: { setting, label, hint, input }, value, input: Input = TextInput, onSaved }: Props) {
  const { link, tell } = useApp();
  const connected = useConnected();
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const shown = typed ?? shownValue(value);
  const save = async (text: string) => {
    const parsed = parseSettingInput(input, text);
    if ("problem" in parsed) return setProblem(parsed.problem);
    setProblem(undefined);
    if (text === shownValue(value)) return setTyped(undefined);
    try {
      const [section, ...rest] = setting;
      await link.api.config.set.mutate({ setting: [section, ...rest], value: parsed.value });
      await onSaved();
      setTyped(undefined);
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };
  const common = {
    id,
    className: "field",
    disabled: !connected,
    "aria-invalid": problem !== undefined,
    "aria-describedby": `${id}-hint`,
  };
  const choices = input.kind === "choice" ? input.choices : input.kind === "switch" ? ["true", "false"] : undefined;
  return (
    <div className="setting">
      <label htmlFor={id}>{label}</label>
      <div className="row">
        {choices ? (
          <select {...common} value={shown} onChange={(event) => runDetached(save(event.target.value), tell)}>
            <option value="">Not set</option>
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {input.kind === "switch" ? (choice === "true" ? "On" : "Off") : choice}
              </option>
            ))}
          </select>
        ) : input.kind === "list" ? (
          <textarea
            {...common}
            rows={2}
            spellCheck={false}
            value={shown}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={() => runDetached(save(shown), tell)}
          />
        ) : (
          <Input
            {...common}
            inputMode={input.kind === "number" ? "decimal" : "text"}
            placeholder="Not set"
            value={shown}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={() => runDetached(save(shown), tell)}
            onKeyDown={(event) => {
              if (event.key === "Enter") event.currentTarget.blur(); // which saves
            }}
          />
        )}
        {input.kind === "number" && input.unit !== "" ? <span className="dim nowrap">{input.unit}</span> : undefined}
      </div>
      <p className={problem === undefined ? "hint" : "hint bad"} id={`${id}-hint`} role={problem === undefined ? undefined : "alert"}>
        {problem ?? <TextWithCode text={hint} />}
      </p>
    </div>
  );
}
