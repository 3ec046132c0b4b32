import type { Refusal } from "@baton/core/protocol/refusal";
import { SERVER_PROMPT_PREFIX, parseSlash } from "@baton/core/text/slash-command";
import type { PromptFiles } from "../../instructions/prompt-files.ts";
import { serverPromptText } from "../../mcp/tools/server-prompts.ts";
import type { ModeServers } from "../agent/mode-mcp-servers.ts";

/** Expands a prompt for a session in a mode, if it begins with a slash command of a file or a server. */
export type ExpandPrompt = (workspace: string, prompt: string, mode: string) => Promise<{ text: string } | Refusal>;

export function expandPrompt(guidance: PromptFiles, servers: Pick<ModeServers, "warm" | "offering">): ExpandPrompt {
  return async (workspace, prompt, mode) => {
    const slash = parseSlash(prompt);
    if (!slash?.name.startsWith(SERVER_PROMPT_PREFIX)) {
      const expanded = await guidance.expand(workspace, prompt, mode);
      return "text" in expanded ? expanded : { code: "command_not_in_mode", message: expanded.problem };
    }
    await servers.warm(workspace, mode, AbortSignal.timeout(WARM_MS));
    const expanded = await serverPromptText(slash.name, slash.args, servers.offering(workspace, mode).servers);
    return "text" in expanded ? expanded : { code: "mcp_prompt_impossible", message: expanded.problem };
  };
}

const WARM_MS = 5_000;
