import { sanitize, oneLine } from "@baton/core/text/sanitize";
import { formatNumber } from "@baton/core/text/format";
import * as z from "zod";
import { actingTool, failed, inputField, ok, type Tool } from "../../tool/tool-types.ts";
import { callOptions } from "../connection/call-options.ts";
import type { ServerConnection } from "../connection/server-connection.ts";
import { cutText, partText } from "./call-result.ts";
import { inputRequiredOutcome, isInputRequired } from "../connection/input-required.ts";

const MAX_LABEL = 100;

/**
 * Lets another agent get a prompt of a server. Baton's own agents do not have it, because here the user types a prompt as a slash command.
 * Rules know it as `server__get_prompt`.
 */
export const getPrompt = (connections: readonly ServerConnection[]): Tool =>
  actingTool({
    name: "get_prompt",
    group: "mcp",
    action: "mcp",
    hints: { readOnly: true },
    replay: "safe",
    description: "Get a prompt of an MCP server.",
    input: z.strictObject({
      server: z.string().min(1),
      prompt: z.string(),
      arguments: z.record(z.string(), z.string()).optional(),
    }),
    label: (input) => ({ verb: inputField(input, "server"), object: oneLine(`prompt ${inputField(input, "prompt")}`).slice(0, MAX_LABEL) }),
    access: ({ server }) => [{ action: "mcp", resource: `${server}__get_prompt` }],
    run: async ({ server, prompt, arguments: given = {} }, context) => {
      const connection = connections.find(({ definition }) => definition.name === server);
      if (!connection) return failed(`There is no MCP server ${oneLine(server).slice(0, 60)}.`);
      const result = await connection.prompt(prompt, given, callOptions(context, server));
      if (isInputRequired(result)) return inputRequiredOutcome(server);
      const text = cutText(sanitize(result.messages.map(({ role, content }) => `${role}: ${partText(content)}`).join("\n\n")));
      return ok(text, { view: { type: "text", text, format: "plain" }, end: formatNumber(result.messages.length) });
    },
  });
