import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Reader } from "./read-cached.ts";

/** The texts that models are told by Baton itself. Each is a file of that name, which a person may replace. */
export type PromptName = "identity" | "how-to-work" | "compaction" | "compaction-task" | "title";

/** Reads them: the person's own in `prompts/` of the config folder before the one that came with Baton. */
export function openPrompts(config: string, read: Reader, shipped = fileURLToPath(new URL("prompts", import.meta.url))) {
  return async (name: PromptName): Promise<string> =>
    (await read(path.join(config, "prompts", `${name}.md`))) ?? (await read(path.join(shipped, `${name}.md`))) ?? "";
}
