import { useId, type ComponentProps } from "react";
import { useApp, useObservableValue } from "../store/app-context.ts";

type Props = Omit<ComponentProps<"input">, "list"> & { suggestions: readonly string[] };

/** A text field with suggestions. Any other text can be typed too. */
export function SuggestInput({ suggestions, ...input }: Props) {
  const list = useId();
  return (
    <>
      <input className="field" spellCheck={false} {...input} list={list} />
      <datalist id={list}>
        {suggestions.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  );
}

/** More suggestions make the field slow, and nobody reads them. */
const MAX_MODELS = 300;

/** A field for a model: one that the daemon knows, or any other by its name. `provider`: suggests only its models. */
export function ModelInput({ provider, ...input }: Omit<Props, "suggestions"> & { provider?: string | undefined }) {
  const known = useObservableValue(useApp().lists.models).map(({ id }) => id);
  const suggestions = known.filter((id) => provider === undefined || id.startsWith(`${provider}/`)).slice(0, MAX_MODELS);
  return <SuggestInput placeholder="provider/model" {...input} suggestions={suggestions} />;
}
