import path from "node:path";
import { fileURLToPath } from "node:url";
import type { PromptName } from "../session/turn/system-prompt.ts";
import type { Reader } from "./read-cached.ts";

/** Reads them: the person's own in `prompts/` of the config folder before the one that came with Baton. */
export function openPrompts(config: string, read: Reader, shipped = fileURLToPath(new URL("prompts", import.meta.url))) {
  return async (name: PromptName): Promise<string> =>
    (await read(path.join(config, "prompts", `${name}.md`))) ?? (await read(path.join(shipped, `${name}.md`))) ?? "";
}
