import type { McpServer } from "@baton/core/protocol/mcp";
import { applyEdits, modify } from "jsonc-parser";
import { FORMAT, type Edit, type Edited } from "./edit-jsonc.ts";

/** Puts servers into the config, or takes those out that are undefined. Comments stay. */
export function changeServers(edit: Edit, servers: Readonly<Record<string, McpServer | undefined>>): Promise<Edited> {
  const put = (text: string, [name, server]: [string, McpServer | undefined]) =>
    applyEdits(text, modify(text, ["mcpServers", name], server, FORMAT));
  return edit((before) => Object.entries(servers).reduce(put, before));
}
