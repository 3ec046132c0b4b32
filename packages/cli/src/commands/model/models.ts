import { availableModels, type AvailableModel } from "./available-models.ts";
import { catalogLine } from "./refresh-catalog.ts";
import { modelFacts } from "../../render/model-facts.ts";
import { printJson, printLines } from "../output.ts";
import { apiKeysUnknownToDaemon, unknownKeyText } from "../../connection/api-keys-unknown-to-daemon.ts";
import { withConnection } from "../../connection/daemon-connection.ts";

/** Lists available models: those of providers with a key, of the config, and of local servers. */
export async function models({ json = false }: { json?: boolean }): Promise<void> {
  await withConnection(async ({ api }) => {
    const all = await availableModels(api);
    if (json) return all.forEach(printJson);
    const keyWarnings = (await apiKeysUnknownToDaemon(api, process.env)).map(unknownKeyText);
    printLines(
      all.length === 0
        ? [
            ...keyWarnings,
            "No model is available. Run `baton auth login anthropic` to add a key. Baton also finds local servers on ports 11434, 1234, 8080 and 8000.",
          ]
        : [...all.map(modelLine), ...keyWarnings, await catalogLine(api)],
    );
  });
}

const modelLine = (model: AvailableModel): string => `${model.id.padEnd(36)} ${modelFacts(model)}`.trimEnd();
