import type { McpServer } from "@baton/core/protocol/mcp";
import { applyEdits, modify } from "jsonc-parser";
import { FORMAT, type ConfigEditor, type EditResult } from "./edit-jsonc.ts";

/** Puts servers into the config, or takes those out that are undefined. Comments stay. */
export function changeServers(edit: ConfigEditor, servers: Readonly<Record<string, McpServer | undefined>>): Promise<EditResult> {
  const put = (text: string, [name, server]: [string, McpServer | undefined]) =>
    applyEdits(text, modify(text, ["mcpServers", name], server, FORMAT));
  return edit((before) => Object.entries(servers).reduce(put, before));
}
