import { readFile, stat } from "node:fs/promises";
import { parseModelCatalog } from "../../config/parse-model-catalog.ts";
import type { ModelRegistry } from "../../model/model-registry.ts";
import type { CatalogStore, StoredCatalog } from "../../model/stored-catalog.ts";
import { systemClock } from "../../system/clock.ts";

const MAX_BYTES = 50_000_000;
const MAX_MS = 30_000;

/** Where the facts about models come from. `at`: when the user loaded them, in epoch milliseconds. Without it they ship with Baton. */
type CatalogStatus = { source?: string; at?: number; providers: number; models: number };

export type ModelCatalogService = {
  status: () => Promise<CatalogStatus | undefined>;
  /** Replaces the catalog by that of a file or an address. `problem`: nothing has changed. */
  refresh: (source: string) => Promise<CatalogStatus | { problem: string }>;
  /** Returns to the catalog that ships with Baton. False if it applied already. */
  reset: () => Promise<boolean>;
};

export function modelCatalogService(store: CatalogStore, registry: Pick<ModelRegistry, "reload">): ModelCatalogService {
  return {
    status: async () => {
      const stored = await store.read();
      return stored && statusOf(stored);
    },
    async refresh(source) {
      const read = await readSource(source);
      if ("problem" in read) return read;
      const parsed = parseModelCatalog(read.text, source);
      if ("problem" in parsed) return { problem: `${parsed.problem} The catalog of models stays as it was.` };
      const stored: StoredCatalog = { source, at: systemClock.now(), providers: parsed.catalog };
      await store.write(stored);
      await registry.reload();
      return statusOf(stored);
    },
    async reset() {
      const wasThere = await store.remove();
      await registry.reload();
      return wasThere;
    },
  };
}

const statusOf = ({ source, at, providers }: StoredCatalog): CatalogStatus => ({
  source,
  at,
  providers: Object.keys(providers).length,
  models: Object.values(providers).reduce((sum, { models }) => sum + Object.keys(models).length, 0),
});

async function readSource(source: string): Promise<{ text: string } | { problem: string }> {
  try {
    return /^https?:\/\//.test(source) ? await download(source) : await readLocal(source);
  } catch (error) {
    return { problem: `${source} could not be read: ${reasonOf(error)}.` };
  }
}

async function readLocal(file: string): Promise<{ text: string } | { problem: string }> {
  if ((await stat(file)).size > MAX_BYTES) return { problem: tooLarge(file) };
  return { text: await readFile(file, "utf8") };
}

async function download(url: string): Promise<{ text: string } | { problem: string }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(MAX_MS), headers: { "user-agent": "baton" } });
  if (!response.ok) return { problem: `${url} answered with status ${response.status}.` };
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) return { problem: tooLarge(url) };
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString("utf8") };
}

const tooLarge = (source: string): string => `${source} is larger than ${MAX_BYTES / 1_000_000} MB.`;

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
