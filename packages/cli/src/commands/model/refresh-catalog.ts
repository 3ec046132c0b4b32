import path from "node:path";
import { formatAge, formatCount } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import { withConnection, type Api } from "../../connection/daemon-connection.ts";
import { printJson, printLines } from "../output.ts";

type Options = { json?: boolean };

/** Loads a catalog of models from a file or an address. */
export async function refreshCatalog(source: string, { json = false }: Options): Promise<void> {
  await withConnection(async ({ api }) => {
    const isAddress = /^https?:\/\//.test(source);
    const loaded = await api.catalog.refresh.mutate({ source: isAddress ? source : path.resolve(source) });
    if (json) return printJson(loaded);
    const { models, providers } = loaded;
    printLines([
      `Loaded ${formatCount(models, "model")} of ${formatCount(providers, "provider")}. Their prices and sizes apply from the next step.`,
      "`baton models reset` returns to the catalog that ships with Baton.",
    ]);
  });
}

/** Returns to the catalog that ships with Baton. */
export async function resetCatalog({ json = false }: Options): Promise<void> {
  await withConnection(async ({ api }) => {
    const { reset } = await api.catalog.reset.mutate({});
    if (json) printJson({ reset });
    else printLines([reset ? "The catalog that ships with Baton applies again." : "The catalog that ships with Baton applies already."]);
  });
}

/** Where the prices and sizes come from, and how old they are. */
export async function catalogLine(api: Api): Promise<string> {
  const status = await api.catalog.status.query();
  if (!status?.source || status.at === undefined) return "Prices and sizes ship with Baton. `baton models refresh` loads newer ones.";
  return `Prices and sizes: ${oneLine(status.source)}, loaded ${formatAge(Date.now() - status.at)} ago.`;
}
