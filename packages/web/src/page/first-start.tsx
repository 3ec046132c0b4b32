import { TextWithCode } from "../components/text/text-with-code.tsx";
import { DEMO_MODEL, DEMO_PROMPT } from "@baton/core/protocol/demo";
import { oneLine } from "@baton/core/text/sanitize";
import { useState } from "react";
import { useApp, useConnected, useObservableValue } from "../store/app-context.ts";
import { useQuery } from "../store/data/use-query.ts";
import { ModelInput } from "../components/suggest-input.tsx";
import { AddKey } from "../settings/general/provider-key-list.tsx";
import "../settings/general/general.css";

/** Leads to a model: with a key, on this machine, or in the demo. `problem` is why there is none. */
export function FirstStart({ problem }: { problem: string }) {
  const { lists } = useApp();
  const [provider, setProvider] = useState<string>();
  const models = useObservableValue(lists.models);
  const own = models.filter(({ id }) => provider === undefined || id.startsWith(`${provider}/`));
  return (
    <section className="nothing-yet start" aria-label="Choose a model">
      <h2>Choose a model</h2>
      {problem.startsWith("No model is configured") ? undefined : (
        <p className="strong">
          <TextWithCode text={oneLine(problem)} />
        </p>
      )}
      <p>Baton works with the models of any provider. It stores your key on this machine and never shows it.</p>
      {models.length > 0 ? (
        <div className="card">
          <h3>Use a model</h3>
          <UseModel key={provider} first={own[0]?.id ?? ""} provider={provider} />
        </div>
      ) : undefined}
      <div className="card">
        <h3>Add a key</h3>
        <AddKey
          onAdded={async (added) => {
            await lists.refresh();
            setProvider(added);
          }}
        />
      </div>
      <div className="card">
        <h3>Use a local model</h3>
        <LocalModel />
      </div>
      <Demo />
    </section>
  );
}

/** Starts a session in a copy of the sample project, with a scripted model. */
function Demo() {
  const { link, commands, route, tell } = useApp();
  const connected = useConnected();
  const [starting, setStarting] = useState(false);
  const start = async () => {
    const { workspace } = await link.api.workspace.demo.mutate({});
    const { id } = await link.api.session.create.mutate({ workspace, mode: "code", model: DEMO_MODEL }); // Baton's own files need no trust
    await commands.prompt(id, { text: DEMO_PROMPT }, "queue");
    route.go({ page: "session", id });
  };
  return (
    <div className="card">
      <h3>Try the demo</h3>
      <p className="dim">A scripted model works in a copy of a small project. Everything except the model is real.</p>
      <button
        type="button"
        className="btn"
        disabled={!connected || starting}
        onClick={() => {
          setStarting(true);
          void start()
            .catch(tell)
            .finally(() => setStarting(false));
        }}
      >
        Start the demo
      </button>
    </div>
  );
}

/** Makes a model the default of new sessions. */
function UseModel({ first, provider }: { first: string; provider: string | undefined }) {
  const { lists, tell } = useApp();
  const connected = useConnected();
  const setDefault = useDefaultModel();
  const [model, setModel] = useState(first);
  return (
    <form
      className="row wrap"
      onSubmit={(event) => {
        event.preventDefault();
        void lists.resolve(model.trim()).then((problem) => (problem === null ? setDefault(model.trim()) : tell(problem)), tell);
      }}
    >
      <ModelInput aria-label="Model" provider={provider} value={model} onChange={(event) => setModel(event.target.value)} />
      <button className="btn solid" disabled={!connected || model.trim() === ""}>
        Use this model
      </button>
    </form>
  );
}

/** A model server on this machine: one that Baton knows by name, or any other at its address. */
function LocalModel() {
  const { link, tell } = useApp();
  const connected = useConnected();
  const { data: providers = [] } = useQuery((signal) => link.api.auth.providers.query(undefined, { signal }), [link], { onError: tell });
  const local = providers.filter((provider) => provider.local);
  const [name, setName] = useState("ollama");
  const [address, setAddress] = useState<string>();
  const [model, setModel] = useState("");
  const setDefault = useDefaultModel();
  const known = local.find((provider) => provider.name === name);
  const shown = address ?? known?.baseUrl ?? "";
  const use = async () => {
    if (known?.baseUrl !== shown) await link.api.config.addLocalProvider.mutate({ name, baseUrl: shown.trim() });
    await setDefault(`${name}/${model.trim()}`);
  };
  return (
    <form
      className="localmodel"
      aria-label="Local model"
      onSubmit={(event) => {
        event.preventDefault();
        void use().catch(tell);
      }}
    >
      <select
        className="field"
        aria-label="Server"
        value={name}
        onChange={(event) => {
          setName(event.target.value);
          setAddress(undefined);
        }}
      >
        {local.map((provider) => (
          <option key={provider.name} value={provider.name}>
            {provider.name}
          </option>
        ))}
        <option value="local">another server</option>
      </select>
      <input
        className="field"
        aria-label="Address"
        placeholder="http://127.0.0.1:8080/v1"
        spellCheck={false}
        value={shown}
        onChange={(event) => setAddress(event.target.value)}
      />
      <input
        className="field"
        aria-label="Name of the model"
        placeholder="Name of the model"
        spellCheck={false}
        value={model}
        onChange={(event) => setModel(event.target.value)}
      />
      <button className="btn" disabled={!connected || model.trim() === "" || shown.trim() === ""}>
        Use this model
      </button>
    </form>
  );
}

function useDefaultModel(): (model: string) => Promise<void> {
  const { link, lists } = useApp();
  return async (model) => {
    await link.api.config.set.mutate({ setting: ["model"], value: model });
    await lists.refresh();
  };
}
