import type { McpServer } from "@baton/core/protocol/mcp";
import { applyEdits, modify } from "jsonc-parser";
import { editConfig, FORMAT } from "./edit.ts";

/** Puts servers into the config, or takes those out that are undefined. Comments stay. */
export async function changeServers(file: string, servers: Readonly<Record<string, McpServer | undefined>>): Promise<void> {
  const put = (text: string, [name, server]: [string, McpServer | undefined]) =>
    applyEdits(text, modify(text, ["mcpServers", name], server, FORMAT));
  await editConfig(file, (before) => Object.entries(servers).reduce(put, before));
}
