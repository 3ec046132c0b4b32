import { detectEnvironment } from "../daemon/detect-environment.ts";
import { modelFacts } from "../../render/model-facts.ts";
import { printJson, printLines } from "../output.ts";
import { keysUnknownToDaemon, unknownKeyText } from "../../connection/unknown-to-daemon-keys.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

/** Lists available models: those of providers with a key, of the config, and of local servers. */
export async function models({ json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const [known, around] = await Promise.all([api.daemon.models.query(), detectEnvironment({})]);
    const named = new Set(known.map(({ id }) => id));
    const local = around.servers.flatMap(({ name, models: ids }) => ids.map((id) => ({ id: `${name}/${id}`, local: true as const })));
    const all = [...known, ...local.filter(({ id }) => !named.has(id))];
    if (json) return all.forEach(printJson);
    const keyWarnings = (await keysUnknownToDaemon(api, process.env)).map(unknownKeyText);
    printLines(
      all.length === 0
        ? [
            ...keyWarnings,
            "No model is available. Run `baton auth login anthropic` to add a key. Baton also finds local servers on ports 11434, 1234, 8080 and 8000.",
          ]
        : [...all.map(modelLine), ...keyWarnings],
    );
  });
}

type ModelLine = { id: string; local?: true; contextWindow?: number; price?: { input: number; output: number } };

const modelLine = (model: ModelLine): string => `${model.id.padEnd(36)} ${modelFacts(model)}`.trimEnd();
