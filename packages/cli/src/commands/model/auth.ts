import { printJson, printLines } from "../output.ts";
import { readSecret } from "../terminal-prompts.ts";
import { usage } from "../../connection/exit-codes.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

type Options = { json?: boolean };

const PLACES = { environment: "in the environment", keychain: "in the keychain", file: "in keys.json, readable by you only" };

/** Lists which providers have a key. The keys themselves never leave the daemon. */
export async function listKeys({ json = false }: Options): Promise<void> {
  await withConnection(async ({ api }) => {
    const known = await api.auth.list.query();
    if (json) return printJson(known);
    printLines(
      known.length === 0
        ? ["No provider has a key. `baton auth login anthropic` takes one, or set it in the environment, as ANTHROPIC_API_KEY."]
        : known.map(({ provider, place, name }) => `${provider.padEnd(14)} ${name ?? PLACES[place]}`),
    );
  });
}

/** Takes a key from standard input or from the terminal, where it is not shown. It is no argument, so no list of processes has it. */
export async function login(named: string, { json = false }: Options): Promise<void> {
  await withConnection(async ({ api }) => {
    const { provider } = await api.auth.provider.query({ provider: named });
    const key = (await readSecret(`Key of ${provider} (it is not shown): `)).trim();
    if (key === "") throw usage("No key was given. Pipe it in, or type it.");
    const stored = await api.auth.login.mutate({ provider, key });
    if (json) printJson(stored);
    else printLines([`The key of ${provider} is ${PLACES[stored.place]}. \`baton models\` lists what can be used now.`]);
  });
}

/** Forgets the key that was given for a provider. */
export async function logout(provider: string, { json = false }: Options): Promise<void> {
  await withConnection(async ({ api }) => {
    const gone = await api.auth.logout.mutate({ provider });
    if (json) printJson(gone);
    else printLines([`The key of ${provider} is forgotten.`]);
  });
}
