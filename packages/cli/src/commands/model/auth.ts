import { printJson, printLines } from "../output.ts";
import { readSecret } from "../terminal-prompts.ts";
import { usageError } from "../../connection/exit-codes.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

type Options = { json?: boolean };

const KEY_LOCATIONS = { environment: "in the environment", keychain: "in the keychain", file: "in keys.json, readable by you only" };

/** Lists the providers that have a key. The keys themselves never leave the daemon. */
export async function listKeys({ json = false }: Options): Promise<void> {
  await withConnection(async ({ api }) => {
    const known = await api.auth.list.query();
    if (json) return printJson(known);
    printLines(
      known.length === 0
        ? ["No provider has a key. Run `baton auth login anthropic`, or set a variable such as ANTHROPIC_API_KEY."]
        : known.map(({ provider, place, name }) => `${provider.padEnd(14)} ${name ?? KEY_LOCATIONS[place]}`),
    );
  });
}

/**
 * Reads a key from standard input or, hidden, from the terminal. It is not an argument, because process lists show
 * arguments.
 */
export async function login(providerName: string, { json = false }: Options): Promise<void> {
  await withConnection(async ({ api }) => {
    const { provider, search } = await api.auth.provider.query({ provider: providerName });
    const key = (await readSecret(`Key for ${provider} (hidden): `)).trim();
    if (key === "") throw usageError("No key was given. Pipe it in, or type it.");
    const stored = await api.auth.login.mutate({ provider, key });
    if (json) printJson(stored);
    else printLines([`The key for ${provider} is stored ${KEY_LOCATIONS[stored.place]}. ${search ? SEARCH_HINT : MODELS_HINT}`]);
  });
}

const MODELS_HINT = "`baton models` lists the available models.";
const SEARCH_HINT = "Agents can search the web once the setting webSearch names this service.";

/** Deletes the stored key of a provider. */
export async function logout(provider: string, { json = false }: Options): Promise<void> {
  await withConnection(async ({ api }) => {
    const gone = await api.auth.logout.mutate({ provider });
    if (json) printJson(gone);
    else printLines([`Deleted the key for ${provider}.`]);
  });
}
