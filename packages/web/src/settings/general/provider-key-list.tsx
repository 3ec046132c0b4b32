import { escapeInvisible } from "@baton/core/text/sanitize";
import { useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { SuggestInput } from "../../components/suggest-input.tsx";
import { useQuery } from "../../store/data/use-query.ts";

const PLACES = { environment: "in the environment", keychain: "in the keychain", file: "in a file that only you can read" };

/** The keys of providers. A key is stored and never shown. */
export function ProviderKeyList({ onChanged }: { onChanged: () => Promise<void> }) {
  const { link, tell } = useApp();
  const connected = useConnected();
  const { data: keys, refetch } = useQuery(connected ? (signal) => link.api.auth.list.query(undefined, { signal }) : undefined, [link], {
    onError: tell,
  });
  const changed = async () => {
    await Promise.all([refetch(), onChanged()]);
  };
  const remove = (provider: string) => link.api.auth.logout.mutate({ provider }).then(changed).catch(tell);
  return (
    <>
      {keys?.length === 0 ? <p className="dim">There are no keys yet.</p> : undefined}
      <ul className="keylist">
        {keys?.map(({ provider, place, ...more }) => (
          <li key={`${provider} ${place}`}>
            <b>{escapeInvisible(provider)}</b>
            <span className="dim">
              {PLACES[place]}
              {"name" in more && more.name !== undefined ? `, ${more.name}` : ""}
            </span>
            {place === "environment" ? undefined : (
              <button
                type="button"
                className="btn quiet small r"
                disabled={!connected}
                aria-label={`Remove the key of ${provider}`}
                onClick={() => void remove(provider)}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
      <AddKey onAdded={changed} />
    </>
  );
}

/** A form for the key of a provider. */
export function AddKey({ onAdded }: { onAdded: (provider: string) => Promise<void> }) {
  const { link, tell } = useApp();
  const connected = useConnected();
  const { data: providers = [] } = useQuery((signal) => link.api.auth.providers.query(undefined, { signal }), [link], { onError: tell });
  const [provider, setProvider] = useState("anthropic");
  const [key, setKey] = useState("");
  const [busy, setBusy] = useState(false);
  const add = () => {
    setBusy(true);
    link.api.auth.login
      .mutate({ provider, key: key.trim() })
      .then(async () => {
        setKey("");
        await onAdded(provider);
      })
      .catch(tell)
      .finally(() => setBusy(false));
  };
  return (
    <form
      className="addkey"
      aria-label="Add a key"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <SuggestInput
        aria-label="Provider"
        suggestions={providers.filter(({ local }) => !local).map(({ name }) => name)}
        value={provider}
        onChange={(event) => setProvider(event.target.value)}
      />
      <input
        className="field"
        aria-label="API key"
        type="password"
        autoComplete="off"
        placeholder="API key"
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <button className="btn" disabled={!connected || busy || key.trim() === "" || provider.trim() === ""}>
        Add key
      </button>
    </form>
  );
}
