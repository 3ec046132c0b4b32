import { MAX_VERSIONS } from "@baton/core/place/plan-prompt-versions";
import { Icon } from "../components/icon.tsx";
import { ModelInput } from "../components/suggest-input.tsx";

type Props = {
  models: readonly string[];
  onChange: (models: readonly string[]) => void;
  disabled: boolean;
  /** The model of a version for which the user names none. */
  defaultModel: string | undefined;
};

/** The model of each version. An empty field is the model of the prompt box. */
export function VersionModels({ models, onChange, disabled, defaultModel }: Props) {
  return (
    <div className="versionmodels" role="group" aria-label="Versions">
      <span aria-hidden="true">Model of each version</span>
      {models.map((model, i) => (
        <div key={i} className="row">
          <ModelInput
            className="field mono"
            aria-label={`Model of version ${i + 1}`}
            {...(defaultModel === undefined ? {} : { placeholder: defaultModel })}
            value={model}
            disabled={disabled}
            onChange={(event) => onChange(models.with(i, event.target.value))}
          />
          <button
            type="button"
            className="btn quiet small icon"
            aria-label={`Remove version ${i + 1}`}
            title={`Remove version ${i + 1}`}
            disabled={disabled || models.length <= MIN_VERSIONS}
            onClick={() => onChange(models.toSpliced(i, 1))}
          >
            <Icon name="close" small />
          </button>
        </div>
      ))}
      {models.length < MAX_VERSIONS ? (
        <button type="button" className="btn quiet small" disabled={disabled} onClick={() => onChange([...models, ""])}>
          <Icon name="add" small />
          Add version
        </button>
      ) : undefined}
    </div>
  );
}

const MIN_VERSIONS = 2;
