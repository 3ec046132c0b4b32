import { SERVER_PROMPTS, parseSlash } from "@baton/core/text/slash-command";
import type { Guidance } from "../instructions/guidance.ts";
import type { ServerManager } from "../mcp/server-manager.ts";
import { promptText } from "../mcp/tools/server-prompts.ts";

/** Expands a prompt that begins with a slash command of a file or a server. */
export type ExpandPrompt = (workspace: string, prompt: string) => Promise<{ text: string } | { problem: string }>;

export function expandPrompt(guidance: Guidance, servers: ServerManager): ExpandPrompt {
  return async (workspace, prompt) => {
    const slash = parseSlash(prompt);
    if (!slash?.name.startsWith(SERVER_PROMPTS)) return { text: await guidance.expand(workspace, prompt) };
    await servers.warm(workspace, AbortSignal.timeout(WARM_MS));
    return promptText(slash.name, slash.args, servers.offering(workspace).servers);
  };
}

const WARM_MS = 5_000;
